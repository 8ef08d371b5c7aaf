import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findBarriers, openWindow, overflowOf, useBrowser } from './browser.ts';
import { signedUp } from './person.ts';

// Ways through the pages: the menu, the examples of the documentation, and from one answer to another and back.

useBrowser();

test('at 360 px the menu leads everywhere', async () => {
	const page = await signedUp('/dashboard', { viewport: { width: 360, height: 700 } });
	await page.getByText('Menu', { exact: true }).click();
	await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Credits' }).click();
	await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor();
});

test('with a script the languages and the copy button are side by side, and cover nothing', async () => {
	const page = await openWindow();
	for (const width of [360, 480, 768, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		await page.goto('/docs');
		expect(await overflowOf(page)).toBe(0);
		const copy = page.getByRole('button', { name: 'Copy curl example: 2. Verify an address' });
		const python = page.getByText('Python', { exact: true }).first();
		const [a, b] = [await copy.boundingBox(), await python.boundingBox()];
		if (a === null || b === null) throw new Error('both are to be seen');
		const apart = b.x + b.width <= a.x || b.y + b.height <= a.y;
		expect(apart, `at ${width}`).toBe(true);
	}
});

async function verifyByKeyboard(page: Page, email: string): Promise<void> {
	const field = page.getByLabel('Email address');
	await field.fill('');
	await field.focus();
	await page.keyboard.type(email);
	await page.keyboard.press('Enter');
}

const card = (page: Page, email: string) => page.getByRole('article', { name: `Result for ${email}` });

test('an answer is reached by keyboard, and Back and Forward lead from one to the next at no cost', async () => {
	const page = await signedUp('/dashboard/verify', { reducedMotion: 'reduce' });
	await verifyByKeyboard(page, 'ada@inbox.test');
	await card(page, 'ada@inbox.test').waitFor();
	const first = page.url();
	await verifyByKeyboard(page, 'nobody@inbox.test');
	await card(page, 'nobody@inbox.test').waitFor();
	await page.goBack();
	await card(page, 'ada@inbox.test').waitFor();
	expect(page.url()).toBe(first);
	await page.goForward();
	await card(page, 'nobody@inbox.test').waitFor();
	await page.reload();
	await card(page, 'nobody@inbox.test').waitFor();
	await page.getByRole('link', { name: 'Home' }).first().click();
	await page.getByText('98 credits left').waitFor();
	const history = page.getByRole('table', { name: 'Verified addresses' });
	await history.getByRole('link', { name: 'ada@inbox.test' }).click();
	await card(page, 'ada@inbox.test').waitFor();
	expect(await findBarriers(page)).toEqual([]);
	for (const width of [360, 768, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		expect(await overflowOf(page), String(width)).toBe(0);
	}
});
