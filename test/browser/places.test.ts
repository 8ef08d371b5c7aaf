import { expect, inject, test } from 'vitest';
import { openWindow, useBrowser } from './browser.ts';
import { signUp, signedUp } from './person.ts';

useBrowser();

test('a slash at the end of an address leads to the page without it', async () => {
	const page = await openWindow();
	const landsOn = async (place: string): Promise<string> => {
		const response = await page.goto(place);
		expect(response?.status(), place).toBe(200);
		const { pathname, search } = new URL(page.url());
		return pathname + search;
	};
	expect(await landsOn('/docs/')).toBe('/docs');
	expect(await landsOn('/dashboard/')).toBe('/dashboard/sign-in?next=%2Fdashboard');
	expect(await landsOn('/dashboard/sign-up/')).toBe('/dashboard/sign-in');
	await signUp(page);
	expect(await landsOn('/dashboard/')).toBe('/dashboard');
	expect(await landsOn('/dashboard/lists/?page=2')).toBe('/dashboard/lists?page=2');
	expect((await page.goto('/dashboard/no-such-page/'))?.status()).toBe(404);
	// A browser takes a path of two slashes for another site.
	const { url } = inject('service');
	const headers = { accept: 'text/html' };
	const sent = await fetch(`${url}//elsewhere.test/`, { headers, redirect: 'manual' });
	expect(sent.headers.get('location')).toBe(`${url}//elsewhere.test`);
});

test('at 360 px the menu leads everywhere', async () => {
	const page = await signedUp('/dashboard', { viewport: { width: 360, height: 700 } });
	await page.getByText('Menu', { exact: true }).click();
	await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Credits' }).click();
	await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor();
});
