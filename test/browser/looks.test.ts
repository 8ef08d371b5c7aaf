import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { PAGES } from '../support/dashboard/pages.tsx';
import { servePages } from '../support/dashboard/serve-pages.ts';
import { findBarriers, openWindow, overflowOf, useBrowser } from './browser.ts';

useBrowser();

// What a page looks like as numbers. The texts run in the page, which has no types here.

/** The widths at which something changes, and one between each two of them. */
const WIDTHS = [360, 640, 768, 900, 1024, 1280, 1920] as const;
const NARROW = 360;
const WIDE = 1280;

const IS_LONG = process.env['LONG'] === 'yes';
/** The widths at which a page is looked at; the long tests go through all of them. */
const LOOKED_AT = IS_LONG ? WIDTHS : ([NARROW, WIDE] as const);

/** States of a page that are built otherwise than the first one. */
const BUILT_OTHERWISE = new Set(
	(
		'sign-in-code docs-reference docs-call docs-moving job-working job-fifty-rows job-left-out job-delete ' +
		'webhook-long webhook-secret home-new verify-catch-all verify-long key draft-several'
	).split(' '),
);
const pageOf = (name: string): string => name.split('-')[0] ?? '';
/** The first state of each page, and those; the long tests go through all. */
const LOOKED_INTO = Object.keys(PAGES).filter(
	(name, at, all) =>
		IS_LONG || BUILT_OTHERWISE.has(name) || all.findIndex((one) => pageOf(one) === pageOf(name)) === at,
);

// From 1,024 px on every table fits but the file of a customer, which has as many columns as it has. A narrower window may
// scroll, inside of the page, a table in its frame; each may scroll code. What only screen readers are told is cut to
// nothing on purpose. Longer words than any language needs every day may have to go on in the next line.
const FAULTS = `(() => {
	const isSeen = (one) => one === null || (getComputedStyle(one).clipPath === 'none' && isSeen(one.parentElement));
	const frames = innerWidth < 1024 ? ['DIV table-scroll', 'DIV table-scroll table-fits'] : [];
	const faults = [];
	for (const one of document.querySelectorAll('body *')) {
		if (one.scrollWidth <= one.clientWidth) continue;
		const { overflowX, textOverflow } = getComputedStyle(one);
		const name = one.tagName + ' ' + one.className;
		if (/auto|scroll/.test(overflowX) && !['PRE ', ...frames].includes(name)) faults.push(name + ' scrolls');
		if (textOverflow === 'ellipsis' && !one.title.includes(one.textContent)) faults.push('cut: ' + one.textContent);
		if (one.matches('td, th:not(:has(details[open]))') && isSeen(one))
			faults.push('over the next cell of ' + one.closest('table').caption.textContent + ': ' + one.textContent);
	}
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
		for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
			if (word.length > 24) continue;
			const range = document.createRange();
			range.setStart(text, index);
			range.setEnd(text, index + word.length);
			const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
			if (lines.size > 1 && isSeen(text.parentElement)) faults.push('broken: ' + word);
		}
	}
	return faults;
})()`;

/** Makes everything that customers name as long as they may: one word of 300 letters. */
async function stretchNames(page: Page): Promise<void> {
	await page.evaluate(`document.querySelectorAll('.page-head h1, .narrow h1, .cut, .who, .crumb a, dialog h2, option').forEach((one) => {
		one.textContent = 'x'.repeat(300);
	})`);
}

/** How far the content stands from the left and the right end of its place, in pixels. */
async function marginsOf(page: Page): Promise<{ readonly left: number; readonly right: number }> {
	return page.evaluate<{ left: number; right: number }>(`(() => {
		const main = document.querySelector('main').getBoundingClientRect();
		const side = document.querySelector('.side')?.getBoundingClientRect().right ?? 0;
		return { left: main.left - side, right: document.documentElement.clientWidth - main.right };
	})()`);
}

let served: Awaited<ReturnType<typeof servePages>>;
let window: Page | undefined;
beforeAll(async () => {
	served = await servePages();
});
afterAll(() => served.close());

test.each(LOOKED_INTO)('%s has no barriers, fits wide and narrow, and breaks no word', async (name) => {
	// One window for all pages: a browser takes longer to open one than to load a page.
	window ??= await openWindow({ reducedMotion: 'reduce' }, 'kept');
	const page = window;
	await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
	await page.setViewportSize({ width: NARROW, height: 800 });
	await page.goto(`${served.url}/${name}`);
	// A refused form is scrolled to its fault, where the head of the page covers what stands above.
	await page.evaluate('scrollTo(0, 0)');
	// contrast.test.ts computes the contrasts of the other scheme too.
	expect(await findBarriers(page), 'dark and narrow').toEqual([]);
	await page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })");
	for (const width of LOOKED_AT) {
		await page.setViewportSize({ width, height: 800 });
		expect(await overflowOf(page), `at ${width}`).toBe(0);
		expect(await page.evaluate<string[]>(FAULTS), `at ${width}`).toEqual([]);
	}
	await stretchNames(page);
	for (const width of LOOKED_AT) {
		await page.setViewportSize({ width, height: 800 });
		expect(await overflowOf(page), `with long names at ${width}`).toBe(0);
	}
});

test.each(['api', 'lists', 'home', 'job', 'job-left-out'])(
	'%s has tables that leave out columns, or show cards, before they scroll sideways',
	async (name) => {
		const page = await openWindow();
		await page.goto(`${served.url}/${name}`);
		const [tables, frames] = [':is(.table-phone, .table-cards)', '.table-scroll'];
		const scrolling = `[...document.querySelectorAll('${frames}:has(> ${tables})')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)`;
		expect(await page.locator(tables).count()).toBeGreaterThan(0);
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

// What charts look like as numbers: their labels, and where their bars stand.

interface Box {
	readonly text: string;
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

async function boxesOf(page: Page, selector: string): Promise<readonly Box[]> {
	return page.evaluate<Box[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
		.map((one) => [one.textContent, one.getBoundingClientRect()])
		.filter(([, { width, height }]) => width > 0 && height > 0)
		.map(([text, { left, right, top, bottom }]) => ({ text, left, right, top, bottom }))`);
}

/** Labels that stand on one another, or closer than a word's space. */
function collisionsOf(boxes: readonly Box[]): readonly string[] {
	return boxes.flatMap((a, at) =>
		boxes
			.slice(at + 1)
			.filter((b) => a.left < b.right + 3 && b.left < a.right + 3 && a.top < b.bottom && b.top < a.bottom)
			.map((b) => `${a.text} and ${b.text}`),
	);
}

test.each(['credits', 'key', 'task'])(
	'the labels of the charts of %s never collide, and stay on the page',
	async (name) => {
		const page = await openWindow({ reducedMotion: 'reduce' });
		await page.goto(`${served.url}/${name}`);
		for (const width of WIDTHS) {
			await page.setViewportSize({ width, height: 800 });
			const labels = await boxesOf(page, '.chart text');
			expect(labels.length, `at ${width}`).toBeGreaterThan(3);
			expect(collisionsOf(labels), `at ${width}`).toEqual([]);
			expect(
				labels.filter(({ left, right }) => left < 0 || right > width),
				`at ${width}`,
			).toEqual([]);
		}
	},
);

test('the typeface is ours, asked for at once, and kept for ever', async () => {
	const page = await openWindow();
	const sent = page.waitForResponse((response) => response.url().endsWith('.woff2'));
	await page.goto('/');
	const response = await sent;
	expect(new URL(response.url()).origin).toBe(new URL(inject('service').url).origin);
	expect(await response.headerValue('content-type')).toBe('font/woff2');
	expect(await response.headerValue('cache-control')).toBe('public, max-age=31536000, immutable');
	expect((await response.body()).length).toBeLessThan(32_000);
	await page.evaluate('document.fonts.ready');
	const faces = await page.evaluate<string[]>(
		`[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`,
	);
	expect(faces).toContain('Geist');
	// What the preload asks for is what the style sheet names: nothing is loaded twice, and nothing in vain.
	const loaded = await page.evaluate<string[]>(
		`performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('woff2'))`,
	);
	expect(loaded).toEqual([response.url()]);
});
