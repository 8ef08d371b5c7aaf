import { expect, test } from 'vitest';
import { openWindow, overflowOf, useBrowser } from './browser.ts';
import { signedUp } from './person.ts';

useBrowser();

test('one button puts a test key into every example, in every language', async () => {
	const page = await signedUp('/docs', { javaScriptEnabled: false });
	await page.getByRole('button', { name: 'Make a test key and fill it in' }).click();
	const verify = page.getByRole('radiogroup', { name: 'Language of the example: 2. Verify an address' });
	for (const language of ['curl', 'TypeScript', 'Python']) {
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
		const python = page.getByText('Python', { exact: true }).first();
		const [a, b] = [await copy.boundingBox(), await python.boundingBox()];
		if (a === null || b === null) throw new Error('both are to be seen');
		const apart = b.x + b.width <= a.x || b.y + b.height <= a.y;
		expect(apart, `at ${width}`).toBe(true);
	}
});
