import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, LaunchOptions } from 'playwright-core';
import { npmChromium } from './npm-chromium.ts';
import type { Fonts } from './npm-chromium.ts';

/** A browser, or the reason why none could be started. */
export type Launched =
	| { readonly kind: 'launched'; readonly browser: Browser }
	| { readonly kind: 'absent'; readonly reason: string };

/**
 * Starts the browser for tests and screenshots: npm's where available, since it is the same on every machine, else an
 * installed Chrome, where each system keeps it, or the Chromium in PATH.
 */
export async function launchBrowser(fonts: Fonts = 'packaged'): Promise<Launched> {
	const folders = (process.env['PATH'] ?? '')
		.split(path.delimiter)
		.filter((folder) => path.isAbsolute(folder));
	const inPath = ['chromium', 'chromium-browser', 'google-chrome']
		.flatMap((name) => folders.map((folder) => path.join(folder, name)))
		.filter(existsSync);
	const ways: readonly (readonly [string, () => LaunchOptions | Promise<LaunchOptions>])[] = [
		['@sparticuz/chromium', () => npmChromium(fonts)],
		['Chrome', () => ({ channel: 'chrome' })],
		...inPath.map((executablePath) => [executablePath, () => ({ executablePath })] as const),
	];
	const reasons: string[] = [];
	for (const [name, find] of ways) {
		try {
			const { env, ...found } = await find();
			// Only our own pages are shown, often as root in a container, where the browser's sandbox cannot work.
			const options = { ...found, args: ['--no-sandbox'], env: { ...process.env, ...env } };
			return { kind: 'launched', browser: await chromium.launch(options) };
		} catch (error) {
			reasons.push(`${name}: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
		}
	}
	return { kind: 'absent', reason: `No Chrome or Chromium here that starts (${reasons.join('; ')})` };
}
