import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { servePages } from './support/dashboard/serve-pages.ts';

// The pages as docs/screenshots shows them: with sample data and a clock that stands still, so that a picture differs
// only where a page does.

const FOLDER = 'docs/screenshots';
const FOLDER_OCTETS_MAX = 6_000_000;
const HEIGHT_MAX = 2_400;
const SHOWN = [
	'landing',
	'landing-tried',
	'sign-up',
	'sign-in-wrong',
	'overview',
	'overview-new',
	'verify-catch-all',
	'verify-typo',
	'lists',
	'lists-empty',
	'list-preview',
	'job-working',
	'job',
	'job-expired',
	'task',
	'keys',
	'key-created',
	'key',
	'credits',
	'settings',
	'docs',
] as const;

test('takes the pictures', async () => {
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	const served = await servePages();
	const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
	try {
		for (const width of [1280, 360]) {
			for (const colorScheme of ['light', 'dark'] as const) {
				const context = await browser.newContext({
					viewport: { width, height: 800 },
					colorScheme,
					reducedMotion: 'reduce',
				});
				const page = await context.newPage();
				for (const name of SHOWN) {
					await page.goto(`${served.url}/${name}`);
					const height = await page.evaluate<number>('document.documentElement.scrollHeight');
					const clip = { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) };
					const picture = await page.screenshot({ fullPage: true, clip });
					const file = path.join(FOLDER, `${name}-${width}-${colorScheme}.png`);
					await sharp(picture)
						.png({ palette: true, colours: 128, compressionLevel: 9, effort: 10 })
						.toFile(file);
				}
				await context.close();
			}
		}
	} finally {
		await browser.close();
		await served.close();
	}
	const octets = readdirSync(FOLDER).reduce((sum, name) => sum + statSync(path.join(FOLDER, name)).size, 0);
	expect(octets).toBeLessThan(FOLDER_OCTETS_MAX);
});
