import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '../support/dashboard/pages.tsx';
import { servePages } from '../support/dashboard/serve-pages.ts';
import { findBarriers, openWindow, overflowOf, useBrowser } from './browser.ts';

useBrowser();

let served: Awaited<ReturnType<typeof servePages>>;
beforeAll(async () => {
	served = await servePages();
});
afterAll(() => served.close());

test.each(Object.keys(PAGES))('%s has no barriers in light and dark, and fits 360 px', async (name) => {
	const page = await openWindow({
		viewport: { width: 1280, height: 800 },
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
	await page.goto(`${served.url}/${name}`);
	expect(await findBarriers(page)).toEqual([]);
	await page.emulateMedia({ colorScheme: 'dark' });
	expect(await findBarriers(page, ['color-contrast'])).toEqual([]);
	await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
	await page.setViewportSize({ width: 360, height: 800 });
	expect(await overflowOf(page)).toBe(0);
	expect(await findBarriers(page)).toEqual([]);
});
