import { expect, test } from 'vitest';
import { findBarriers, openWindow, overflowOf, useBrowser } from './browser.ts';
import { createKey, signUp, startList, waitForResults } from './person.ts';

useBrowser();

const PLACES = [
	'/dashboard',
	'/dashboard/verify',
	'/dashboard/lists',
	'/dashboard/keys',
	'/dashboard/credits',
	'/dashboard/settings',
	'/dashboard/settings/delete',
	'/docs',
	'/',
	'/dashboard/dev/mailbox',
	'/no-such-page',
] as const;

test('every place of a used account has no barriers, and fits 360 px', async () => {
	const page = await openWindow({ reducedMotion: 'reduce' });
	await signUp(page);
	await createKey(page, 'Website');
	await startList(page, 'Customers', 'Name,E-mail\nAda,ada@inbox.test\nNo,nobody@inbox.test\nX,broken\n');
	await waitForResults(page);
	const job = new URL(page.url()).pathname;
	for (const place of [...PLACES, job]) {
		for (const width of [1280, 360]) {
			await page.setViewportSize({ width, height: 800 });
			await page.goto(place);
			expect(await overflowOf(page), `${place} at ${width}`).toBe(0);
			expect(await findBarriers(page), `${place} at ${width}`).toEqual([]);
		}
	}
});

test('at 360 px the menu leads everywhere', async () => {
	const page = await openWindow({ viewport: { width: 360, height: 700 } });
	await signUp(page);
	await page.getByText('Menu', { exact: true }).click();
	await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Credits' }).click();
	await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor();
});

test('a list at work tells how far it is, and becomes its results by itself', async () => {
	const page = await openWindow();
	await signUp(page);
	// The second one asks to be called again.
	await startList(page, 'Patient', 'ada@inbox.test\nada@greylist.test\n');
	await page.getByRole('progressbar', { name: 'Addresses done' }).waitFor();
	await waitForResults(page);
	expect(await page.getByRole('progressbar').count()).toBe(0);
});
