import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers, overflowOf, useBrowser } from './browser.ts';
import { signedUp } from './person.ts';

// One address at a time: its answer at an address of its own, and the way back to it.

useBrowser();

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
