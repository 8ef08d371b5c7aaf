import { expect, test } from 'vitest';
import { findBarriers, openWindow, overflowOf, useBrowser } from './browser.ts';
import { signUp } from './person.ts';

useBrowser();

test('a slash opens the search, which finds while one types and leads to the place', async () => {
	const page = await openWindow();
	await page.goto('/docs');
	await page.keyboard.press('/');
	const dialog = page.getByRole('dialog', { name: 'Search the docs' });
	await dialog.waitFor();
	await page.keyboard.type('greylisted');
	const found = dialog.getByRole('link', { name: 'Statuses and reasons: Reasons' });
	await found.waitFor();
	expect(await findBarriers(page)).toEqual([]);
	await found.click();
	await page.waitForURL('**/docs/guides/statuses#reasons');
	expect(await page.locator('h2#reasons').isVisible()).toBe(true);
	// A slash that is typed is a slash.
	await page.keyboard.press('Control+k');
	await dialog.waitFor();
	await page.keyboard.type('/v1/verify');
	expect(await dialog.getByRole('searchbox').inputValue()).toBe('/v1/verify');
	// The first one empties the field, as in every field for searching.
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	expect(await dialog.count()).toBe(0);
});

test('without a script the search is a page, and a folded error unfolds', async () => {
	const page = await openWindow({ javaScriptEnabled: false });
	await page.goto('/docs');
	await page.getByRole('link', { name: 'Search the docs' }).click();
	await page.getByLabel('Words').first().fill('429');
	await page.getByRole('button', { name: 'Search', exact: true }).first().click();
	await page.getByRole('link', { name: 'Errors: 429 is different' }).click();
	expect(new URL(page.url()).hash).toBe('#429-is-different');
	await page.goto('/docs/reference/verifyAddress');
	await page.locator('summary', { hasText: 'malformed_email' }).click();
	await page.getByText('Malformed email: The address has no @').waitFor();
});

test('one button puts a test key into every example, in every language', async () => {
	const page = await openWindow({ javaScriptEnabled: false });
	await signUp(page);
	await page.goto('/docs');
	await page.getByRole('button', { name: 'Make a test key and fill it in' }).click();
	const verify = page.getByRole('radiogroup', { name: 'Language of the example: 2. Verify an address' });
	for (const language of ['curl', 'Node', 'Python', 'PHP', 'Go']) {
		await verify.getByRole('radio', { name: language }).check();
		const shown = page.getByRole('region', { name: `${language} example: 2. Verify an address` });
		expect(await shown.innerText()).toContain('ms_test_');
	}
});

test('with a script the languages and the copy button are side by side, and cover nothing', async () => {
	const page = await openWindow();
	for (const width of [360, 480, 768, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		await page.goto('/docs');
		expect(await overflowOf(page)).toBe(0);
		const copy = page.getByRole('button', { name: 'Copy curl example: 2. Verify an address' });
		const go = page.getByText('Go', { exact: true }).first();
		const [a, b] = [await copy.boundingBox(), await go.boundingBox()];
		if (a === null || b === null) throw new Error('both are to be seen');
		const apart = b.x + b.width <= a.x || b.y + b.height <= a.y;
		expect(apart, `at ${width}`).toBe(true);
	}
});

test('the navigation shows the page that one is on, and the page begins at its top', async () => {
	const page = await openWindow({ viewport: { width: 1280, height: 700 } });
	await page.goto('/docs/versioning');
	const here = page.locator('.docs-nav [aria-current="page"]');
	await expect.poll(async () => (await here.boundingBox())?.y ?? 9_999).toBeLessThan(700);
	expect(await page.evaluate<number>('scrollY')).toBe(0);
});
