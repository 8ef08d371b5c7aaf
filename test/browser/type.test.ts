import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { servePages } from '../support/dashboard/serve-pages.ts';
import { openWindow, useBrowser } from './browser.ts';

useBrowser();

let served: Awaited<ReturnType<typeof servePages>>;
beforeAll(async () => {
	served = await servePages();
});
afterAll(() => served.close());

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

const KBIT = 1_000 / 8;
const SLOW = { offline: false, latency: 100, downloadThroughput: 400 * KBIT, uploadThroughput: 200 * KBIT };
const FIRST_PAINT_MS_MAX = 2_000;

test.each(['landing', 'sign-up', 'overview', 'lists', 'job', 'job-500-rows', 'docs', 'security'])(
	'%s is there within two seconds at 400 kbit/s',
	async (name) => {
		const page = await openWindow();
		const protocol = await page.context().newCDPSession(page);
		await protocol.send('Network.emulateNetworkConditions', SLOW);
		await page.goto(`${served.url}/${name}`);
		expect(await firstPaintOf(page)).toBeLessThan(FIRST_PAINT_MS_MAX);
	},
);

async function firstPaintOf(page: Page): Promise<number> {
	return page.evaluate<number>(`new Promise((resolve) => {
		new PerformanceObserver((list) => {
			const paint = list.getEntriesByName('first-contentful-paint')[0];
			if (paint !== undefined) resolve(paint.startTime);
		}).observe({ type: 'paint', buffered: true });
	})`);
}
