import type { Page } from 'playwright-core';

// What a page looks like as numbers. The texts run in the page, which has no types here.

/** The widths at which something changes, and one between each two of them. */
export const WIDTHS = [360, 640, 768, 900, 1024, 1280, 1920] as const;
export const NARROW = 360;
export const WIDE = 1280;

/** The widths at which a page is looked at; the long tests go through all of them. */
export const LOOKED_AT = process.env['LONG'] === 'yes' ? WIDTHS : ([NARROW, WIDE] as const);

// What only screen readers are told is cut to nothing on purpose.
const IS_SEEN = `(one) => {
	for (let around = one; around !== null; around = around.parentElement)
		if (getComputedStyle(around).clipPath !== 'none') return false;
	return true;
}`;

/** The names of what can be scrolled sideways on the page. */
export async function findSidewaysScrollers(page: Page): Promise<readonly string[]> {
	return page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
		.filter((one) => one.scrollWidth > one.clientWidth && /auto|scroll/.test(getComputedStyle(one).overflowX))
		.map((one) => one.tagName.toLowerCase() + '.' + one.className)`);
}

/** Texts that are cut off, with nothing that tells the whole of them. */
export async function findCutTexts(page: Page): Promise<readonly string[]> {
	return page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
		.filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow === 'ellipsis')
		.filter((one) => !one.title.includes(one.textContent))
		.map((one) => one.textContent)`);
}

/** Cells whose content stands over the next one. */
export async function findSpilledCells(page: Page): Promise<readonly string[]> {
	return page.evaluate<string[]>(`[...document.querySelectorAll('td, th')]
		.filter((one) => one.scrollWidth > one.clientWidth && (${IS_SEEN})(one))
		.map((one) => one.closest('table').caption.textContent + ': ' + one.textContent)`);
}

/** Words that go on in the next line. Longer ones than any language needs every day may have to. */
export async function findBrokenWords(page: Page): Promise<readonly string[]> {
	return page.evaluate<string[]>(`(() => {
		const broken = [];
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
			for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
				if (word.length > 24) continue;
				const range = document.createRange();
				range.setStart(text, index);
				range.setEnd(text, index + word.length);
				const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
				if (lines.size > 1 && (${IS_SEEN})(text.parentElement)) broken.push(word);
			}
		}
		return broken;
	})()`);
}

/** Makes everything that customers name as long as they may: one word of 300 letters. */
export async function stretchNames(page: Page): Promise<void> {
	await page.evaluate(`document.querySelectorAll('.page-head h1, .narrow h1, .cut, .who, .crumb a, dialog h2, option').forEach((one) => {
		one.textContent = 'x'.repeat(300);
	})`);
}

/** How far the content stands from the left and the right end of its place, in pixels. */
export async function marginsOf(page: Page): Promise<{ readonly left: number; readonly right: number }> {
	return page.evaluate<{ left: number; right: number }>(`(() => {
		const main = document.querySelector('main').getBoundingClientRect();
		const side = document.querySelector('.side')?.getBoundingClientRect().right ?? 0;
		return { left: main.left - side, right: document.documentElement.clientWidth - main.right };
	})()`);
}
