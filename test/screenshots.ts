import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { test } from 'vitest';
import { launchBrowser } from './support/browser/launch.ts';
import { servePages } from './support/dashboard/serve-pages.ts';

// The pictures that the documents show, of pages with sample data and a clock that stands still: so a picture differs only
// where a page does.

const FOLDER = 'docs/screenshots';
const WIDTH = 1280;
const SHOWN = [
	{ picture: 'report', page: 'job', height: 1430 },
	{ picture: 'verify', page: 'verify-catch-all', height: 1675 },
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
		for (const colorScheme of ['light', 'dark'] as const) {
			const context = await browser.newContext({
				viewport: { width: WIDTH, height: 800 },
				colorScheme,
				reducedMotion: 'reduce',
			});
			const page = await context.newPage();
			for (const { picture, page: name, height } of SHOWN) {
				await page.goto(`${served.url}/${name}`);
				const clip = { x: 0, y: 0, width: WIDTH, height };
				await sharp(await page.screenshot({ fullPage: true, clip }))
					.png({ palette: true, colours: 128, compressionLevel: 9, effort: 10 })
					.toFile(path.join(FOLDER, `${picture}-${colorScheme}.png`));
			}
			await context.close();
		}
	} finally {
		await browser.close();
		await served.close();
	}
});
