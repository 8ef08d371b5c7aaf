import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servePages } from '../support/dashboard/serve-pages.ts';
import { openWindow, useBrowser } from './browser.ts';
import { WIDTHS } from './layout.ts';

// What charts look like as numbers: their labels, and where their bars stand.

useBrowser();

let served: Awaited<ReturnType<typeof servePages>>;
beforeAll(async () => {
	served = await servePages();
});
afterAll(() => served.close());

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

test.each(['credits', 'key'])(
	'the bars of %s begin at zero and stand on one another without gaps',
	async (name) => {
		const page = await openWindow({ reducedMotion: 'reduce' });
		await page.goto(`${served.url}/${name}`);
		const zero = await page.evaluate<number>(
			"document.querySelector('.chart .zero').getBoundingClientRect().top",
		);
		const days = await page.evaluate<{ top: number; bottom: number }[][]>(
			`[...document.querySelectorAll('.chart .day')].map((day) =>
				[...day.querySelectorAll('rect:not(.hit)')].map((bar) => {
					const { top, bottom } = bar.getBoundingClientRect();
					return { top, bottom };
				}))`,
		);
		for (const bars of days.filter((day) => day.length > 0)) {
			expect(Math.abs((bars[0]?.bottom ?? 0) - zero)).toBeLessThanOrEqual(1);
			for (const [at, bar] of bars.slice(1).entries())
				expect(Math.abs(bar.bottom - (bars[at]?.top ?? 0))).toBeLessThanOrEqual(0.1);
		}
		expect(days.some((day) => day.length === 4)).toBe(true);
	},
);
