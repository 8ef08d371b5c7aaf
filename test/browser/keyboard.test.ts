import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from './browser.ts';
import { createKey, signedUp, startList, waitForResults } from './person.ts';

useBrowser();

const TABS_MAX = 60;

/** Presses Tab until the focus is on what a screen reader would call so; each stop on the way must be visible. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
	for (let stop = 0; stop < TABS_MAX; stop += 1) {
		await page.keyboard.press('Tab');
		const { says, marked } = await focusOf(page);
		if (says !== '') expect(marked, `the focus on “${says}” can be seen`).toBe(true);
		if (name.test(says)) return;
	}
	throw new Error(`No Tab leads to ${name}`);
}

async function focusOf(page: Page): Promise<{ says: string; marked: boolean }> {
	return page.evaluate<{ says: string; marked: boolean }>(`(() => {
		const element = document.activeElement;
		if (element === document.body) return { says: '', marked: false };
		const labels = [...(element.labels ?? [])].map((label) => label.textContent);
		const says = element.getAttribute('aria-label') ?? (labels.join(' ') || element.textContent);
		const around = [element, element.closest('label'), element.closest('.drop')].filter(Boolean);
		const marked = around.some((one) => getComputedStyle(one).outlineStyle !== 'none' || one.matches('.skip'));
		return { says: says.trim(), marked };
	})()`);
}

test('with the keyboard alone: the way past the navigation, a key made, copied and revoked', async () => {
	const page = await signedUp('/dashboard/api');
	await tabTo(page, /^Skip to content$/);
	await page.keyboard.press('Enter');
	expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
	await tabTo(page, /^Label$/);
	await page.keyboard.type('By hand');
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Your key “By hand”' }).waitFor();
	await tabTo(page, /^I have stored it$/);
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'API', level: 1 }).waitFor();
	await tabTo(page, /^Revoke By hand$/);
	await page.keyboard.press('Enter');
	await page.locator('input[name="confirm"]:focus').waitFor();
	await page.keyboard.type('By hand');
	await page.keyboard.press('Enter');
	await page.getByText('The key is revoked').waitFor();
});

test('with the keyboard alone: an address verified, an example in another language', async () => {
	const page = await signedUp('/dashboard/api');
	await tabTo(page, /^curl$/);
	await page.keyboard.press('ArrowRight');
	await page.getByRole('region', { name: 'TypeScript example' }).waitFor();
	await page.goto('/dashboard/verify');
	await tabTo(page, /^Email address$/);
	await page.keyboard.type('ada@inbox.test');
	await page.keyboard.press('Enter');
	await page.getByRole('article', { name: 'Result for ada@inbox.test' }).waitFor();
});

test('with the keyboard alone: a kind of file chosen, rows filtered, and a row unfolded', async () => {
	const page = await signedUp();
	await startList(page, 'By hand', 'ada@inbox.test\nnobody@inbox.test\n');
	await waitForResults(page);
	await page.locator('#main').focus();
	await tabTo(page, /^File/);
	await page.keyboard.press('ArrowDown');
	expect(await page.getByLabel('File').inputValue()).toBe('xlsx');
	await tabTo(page, /^Address contains$/);
	await page.keyboard.type('nobody');
	await page.keyboard.press('Enter');
	await page.getByText('1 row of 2.').waitFor();
	await page.locator('#main').focus();
	await tabTo(page, /^nobody@inbox\.test$/);
	await page.keyboard.press('Enter');
	await page.getByText('The conversation').waitFor();
});

test('the copy button copies, and says so', async () => {
	const page = await signedUp('/dashboard', { permissions: ['clipboard-read', 'clipboard-write'] });
	const apiKey = await createKey(page, 'Copied');
	await page.getByRole('button', { name: 'Copy The API key' }).click();
	await page.getByRole('button', { name: 'Copied The API key' }).waitFor();
	expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(apiKey);
});
