import { randomInt } from 'node:crypto';
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { WAIT_MS } from '../support/patience.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import type { Launched } from '../support/browser/launch.ts';

// The files of a worker share a browser, which ends with its process: a start takes seconds.
let launching: Promise<Launched> | undefined;
let launched: Launched;
const contexts: BrowserContext[] = [];
const complaints: string[] = [];

/**
 * Gives a test file the browser, and fails each test whose pages complained on the console. Where there is no
 * browser, every test is skipped and says why.
 */
export function useBrowser(): void {
	beforeAll(async () => {
		launched = await (launching ??= launchBrowser());
	});
	beforeEach(({ skip }) => {
		if (launched.kind === 'absent') skip(launched.reason);
	});
	afterEach(async () => {
		for (const context of contexts.splice(0)) await context.close();
		expect(complaints.splice(0), 'what the console said').toEqual([]);
	});
}

function theBrowser(): Browser {
	if (launched.kind === 'absent') throw new Error(launched.reason);
	return launched.browser;
}

/** A new person with a window of their own, and no cookies. It closes with its test, or is kept until the file's end. */
export async function openWindow(
	options: BrowserContextOptions = {},
	until: 'test' | 'kept' = 'test',
): Promise<Page> {
	const context = await theBrowser().newContext({
		baseURL: inject('service').url,
		// Everybody has an address of their own: strangers are throttled by it.
		extraHTTPHeaders: { 'cf-connecting-ip': `198.18.${randomInt(256)}.${randomInt(256)}` },
		...options,
	});
	context.setDefaultTimeout(WAIT_MS);
	if (until === 'test') contexts.push(context);
	const page = await context.newPage();
	page.on('console', (message) => {
		// A refused form is told to the person; the browser also notes its status.
		const isStatus = /Failed to load resource: the server responded with a status of 4\d\d/.test(
			message.text(),
		);
		if (message.type() === 'error' && !isStatus) complaints.push(message.text());
	});
	page.on('pageerror', (error) => complaints.push(String(error)));
	return page;
}

interface Violation {
	readonly id: string;
	readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe-core finds wrong with the page by WCAG 2.2 A and AA and its own best practices. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
	// Through the protocol, which the page's policy does not hold back.
	if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
	// Axe writes up violations alone: most of a page is in order.
	const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
	const violations = await page.evaluate<readonly Violation[]>(
		`axe.run(${options}).then((told) => told.violations)`,
	);
	return violations.map(
		({ id, nodes }) =>
			`${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
	);
}

/** By how many pixels a page is wider than its window. */
export async function overflowOf(page: Page): Promise<number> {
	return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
