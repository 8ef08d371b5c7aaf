import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { openWindow, useBrowser } from './browser.ts';
import { createKey, signUp, startList } from './person.ts';

useBrowser();

test('without a script everything works but what moves by itself', async () => {
	const page = await openWindow({ javaScriptEnabled: false, acceptDownloads: true });
	await signUp(page);
	const apiKey = await createKey(page, 'Shell');
	expect((await call(inject('service').url, apiKey, 'GET', '/v1/credits')).status).toBe(200);

	await startList(page, 'Small', 'ada@inbox.test\nnobody@inbox.test\n');
	// A page that is loaded again is as good.
	await expect
		.poll(
			async () => {
				await page.reload();
				return page.getByRole('heading', { name: /safe to send/ }).count();
			},
			{ interval: 500 },
		)
		.toBe(1);
	await page.getByLabel('Reason', { exact: true }).selectOption('rejected_email');
	await page.getByRole('button', { name: 'Filter' }).click();
	await page.getByText('1 row of 2.').waitFor();
	await page.getByText('nobody@inbox.test').first().click();
	await page.getByText('The conversation').click();
	await page.getByText('550 5.1.1', { exact: true }).waitFor();
	await page.getByLabel('File').selectOption('xlsx');
	const downloading = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Download' }).click();
	expect((await downloading).suggestedFilename()).toBe('Small-verified.xlsx');

	await page.goto('/dashboard/api');
	await page.getByRole('link', { name: 'Revoke Shell' }).click();
	await page.getByLabel(/Type the label/).fill('Shell');
	await page.getByRole('button', { name: 'Revoke key' }).click();
	expect((await call(inject('service').url, apiKey, 'GET', '/v1/credits')).status).toBe(401);
});

test('without a script the language of an example is chosen, the colours are switched, and an address is tried', async () => {
	const page = await openWindow({ javaScriptEnabled: false });
	await page.goto('/docs');
	await page.getByRole('radio', { name: 'Python' }).first().check();
	expect(
		await page
			.getByRole('region', { name: /^Python example/ })
			.first()
			.isVisible(),
	).toBe(true);
	await page.goto('/');
	await page.getByRole('button', { name: 'Dark' }).click();
	expect(await page.locator('meta[name=color-scheme]').getAttribute('content')).toBe('dark');
	await page.getByLabel('Email address').fill('nobody@inbox.test');
	await page.getByRole('button', { name: 'Verify address' }).click();
	const answer = page.getByRole('article', { name: 'Result for nobody@inbox.test' });
	expect(await answer.innerText()).toContain('Undeliverable');
});

test.each([
	[1_280, 800],
	[360, 640],
])(
	'at %i×%i the page scrolls to the answer about a sample, or to the form that is wrong',
	async (width, height) => {
		const page = await openWindow({ javaScriptEnabled: false, viewport: { width, height } });
		await page.goto('/');
		await page.getByRole('button', { name: 'nobody@inbox.test' }).click();
		const answer = page.getByRole('article', { name: 'Result for nobody@inbox.test' });
		await answer.waitFor();
		await inSight(answer.getByRole('heading', { name: 'Undeliverable' }), height);
		await page.goto('/');
		await page.getByLabel('Email address').fill('ada@nowhere');
		await page.getByRole('button', { name: 'Verify address' }).click();
		await inSight(page.getByText('The ending is missing, such as .com'), height);
	},
);

/** Expects that a text stands in the window as a whole. */
async function inSight(text: Locator, height: number): Promise<void> {
	const { y, height: its } = (await text.boundingBox()) ?? { y: -1, height: 0 };
	expect(y).toBeGreaterThanOrEqual(0);
	expect(y + its).toBeLessThanOrEqual(height);
}

test('a stranger tries ten addresses in a quarter of an hour, and is told when to come back', async () => {
	const page = await openWindow({ javaScriptEnabled: false });
	await page.goto('/');
	for (let tried = 0; tried < 10; tried += 1) {
		await page.getByLabel('Email address').fill('ada@inbox.test');
		await verify(page);
		expect(await page.getByRole('article', { name: 'Result for ada@inbox.test' }).count()).toBe(1);
	}
	await verify(page);
	expect(await page.getByRole('article', { name: 'Result for ada@inbox.test' }).count()).toBe(0);
	await page
		.getByText(/^That was your tenth free check\. Sign up for 100 more, or try again in 1[45] min\.$/)
		.waitFor();
});

/** Sends the form, and waits until the page that answers it is there. */
async function verify(page: Page): Promise<void> {
	const answered = page.waitForEvent('load');
	await page.getByRole('button', { name: 'Verify address' }).click();
	await answered;
}
