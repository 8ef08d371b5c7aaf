import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SampleReport } from '../src/dashboard/pages/landing.tsx';
import { Mark } from '../src/dashboard/parts/basic.tsx';
import { launchBrowser } from './support/browser/launch.ts';

// `npm run update -- pictures`: the icons out of icon.svg, and what link previews show, drawn with the parts of the pages.

const ASSETS = path.join(import.meta.dirname, '../src/dashboard/assets');
const PICTURES = path.join(ASSETS, 'pictures');
const SANS = path.join(
	import.meta.dirname,
	'../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
);
const OCTETS_MAX = 40_000;

test('the icons', async () => {
	const icon = readFileSync(path.join(ASSETS, 'icon.svg'), 'utf8');
	await sharp(Buffer.from(icon), { density: 256 })
		.resize(32, 32)
		.png()
		.toFile(path.join(PICTURES, 'icon-32.png'));
	// Home screens round the corners themselves.
	await sharp(Buffer.from(icon.replace(' rx="5"', '')), { density: 720 })
		.resize(180, 180)
		.png({ palette: true, colours: 32, effort: 10 })
		.toFile(path.join(PICTURES, 'icon-180.png'));
});

test('the link preview', async () => {
	const launched = await launchBrowser('installed');
	if (launched.kind === 'absent') throw new Error(launched.reason);
	const { browser } = launched;
	try {
		const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, colorScheme: 'light' });
		const look = readFileSync(path.join(ASSETS, 'look.css'), 'utf8');
		const sans = `data:font/woff2;base64,${readFileSync(SANS).toString('base64')}`;
		await page.setContent(
			`<!doctype html><style>${look.replace('sans.woff2', sans)}${LAYOUT}</style>${String(await drawing())}`,
		);
		await page.evaluate('document.fonts.ready.then(() => null)');
		const file = path.join(PICTURES, 'preview.png');
		await sharp(await page.screenshot())
			.png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 })
			.toFile(file);
		expect(statSync(file).size).toBeLessThan(OCTETS_MAX);
	} finally {
		await browser.close();
	}
});

// Half as wide and drawn twice as large, so that it can be read in a preview of 300 px.
const LAYOUT = `
	body { width: 600px; height: 315px; zoom: 2; overflow: hidden; }
	.preview { display: grid; grid-template-columns: 216px 1fr; gap: 24px; align-items: center; height: 315px; padding: 0 28px; }
	.preview .brand { padding: 0; margin-bottom: 20px; }
	.preview h1 { line-height: 32px; }
	.preview .sample-head { padding: 8px 16px; }
	.preview .sample-body { padding: 16px; }
`;

function drawing() {
	return (
		<div class="preview">
			<div>
				<p class="row brand">
					<Mark />
					Mailsonar
				</p>
				<h1>Email verification that says how it knows</h1>
			</div>
			<SampleReport>{null}</SampleReport>
		</div>
	);
}
