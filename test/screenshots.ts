import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { launchBrowser } from './support/browser/launch.ts';
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
	'add-credits',
	'purchase-paid',
	'settings',
	'docs',
] as const;

test('takes the pictures', async () => {
	// As a person would see them, with the fonts that a whole system has.
	const launched = await launchBrowser('installed');
	if (launched.kind === 'absent') throw new Error(launched.reason);
	const { browser } = launched;
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	const served = await servePages();
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
