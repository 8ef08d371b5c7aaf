import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '../support/dashboard/pages.tsx';
import { servePages } from '../support/dashboard/serve-pages.ts';
import { findBarriers, openWindow, overflowOf, useBrowser } from './browser.ts';
import {
	LOOKED_AT,
	NARROW,
	WIDE,
	findBrokenWords,
	findCutTexts,
	findSidewaysScrollers,
	findSpilledCells,
	marginsOf,
	stretchNames,
} from './layout.ts';

useBrowser();

let served: Awaited<ReturnType<typeof servePages>>;
let window: Page | undefined;
beforeAll(async () => {
	served = await servePages();
});
afterAll(() => served.close());

// What a narrow window may scroll, inside of the page: a table in its frame, and code.
const MAY_SCROLL = /^(?:div\.table-scroll(?: table-fits-\d+)?|pre\.)$/;
// What colours and sizes decide; the long tests ask all rules twice.
const OF_LOOKS = process.env['LONG'] === 'yes' ? undefined : ['color-contrast', 'target-size'];
// From here on every table fits but the file of a customer, which has as many columns as it has.
const TABLES_FIT_FROM = 1_024;

test.each(Object.keys(PAGES))(
	'%s has no barriers, light or dark, fits wide and narrow, and breaks no word',
	async (name) => {
		// One window for all pages: a browser takes longer to open one than to load a page.
		window ??= await openWindow({ reducedMotion: 'reduce' }, 'kept');
		const page = window;
		await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
		await page.setViewportSize({ width: WIDE, height: 800 });
		await page.goto(`${served.url}/${name}`);
		expect(await findBarriers(page, OF_LOOKS), 'dark and wide').toEqual([]);
		await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
		await page.setViewportSize({ width: NARROW, height: 800 });
		// A refused form is scrolled to its fault, where the head of the page covers what stands above.
		await page.evaluate('scrollTo(0, 0)');
		expect(await findBarriers(page), 'light and narrow').toEqual([]);
		await page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })");
		for (const width of LOOKED_AT) {
			await page.setViewportSize({ width, height: 800 });
			expect(await overflowOf(page), `at ${width}`).toBe(0);
			const scrollers = await findSidewaysScrollers(page);
			expect(
				scrollers.filter((one) => !MAY_SCROLL.test(one)),
				`at ${width}`,
			).toEqual([]);
			if (width >= TABLES_FIT_FROM)
				expect(
					scrollers.filter((one) => one.startsWith('div')),
					`at ${width}`,
				).toEqual([]);
			expect(await findBrokenWords(page), `at ${width}`).toEqual([]);
			expect(await findCutTexts(page), `at ${width}`).toEqual([]);
			expect(await findSpilledCells(page), `at ${width}`).toEqual([]);
		}
		await stretchNames(page);
		for (const width of LOOKED_AT) {
			await page.setViewportSize({ width, height: 800 });
			expect(await overflowOf(page), `with long names at ${width}`).toBe(0);
		}
	},
);

test.each(['keys', 'lists', 'home'])(
	'%s has tables that leave out columns before they scroll sideways',
	async (name) => {
		const page = await openWindow();
		await page.goto(`${served.url}/${name}`);
		const scrolling = `[...document.querySelectorAll('.table-scroll:has(> .table-phone)')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)`;
		expect(await page.locator('.table-phone').count()).toBeGreaterThan(0);
		for (const width of [360, 640, 768, 1_024]) {
			await page.setViewportSize({ width, height: 800 });
			expect(await page.evaluate<readonly string[]>(scrolling), `at ${width}`).toEqual([]);
		}
	},
);

test.each(['home', 'job', 'docs', 'landing', 'security', 'status'])(
	'%s stands in the middle of a wide window',
	async (name) => {
		const page = await openWindow();
		await page.goto(`${served.url}/${name}`);
		for (const width of [1_024, 1_280, 1_440, 1_920]) {
			await page.setViewportSize({ width, height: 800 });
			const { left, right } = await marginsOf(page);
			expect(Math.abs(left - right), `at ${width}`).toBeLessThanOrEqual(1);
		}
	},
);
