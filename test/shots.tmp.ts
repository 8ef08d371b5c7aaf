import sharp from 'sharp';
import { test } from 'vitest';
import { launchBrowser } from '/work/w-pages/test/support/browser/launch.ts';
import { servePages } from '/work/w-pages/test/support/dashboard/serve-pages.ts';
const names = (process.env.NAMES ?? '').split(',');
const act = process.env.ACT;
test('shots', async () => {
	const launched = await launchBrowser('installed');
	if (launched.kind === 'absent') throw new Error(launched.reason);
	const served = await servePages();
	for (const name of names) {
		const tiles: { buf: Buffer; w: number; h: number }[] = [];
		for (const [width, colorScheme] of [
			[360, 'light'],
			[768, 'dark'],
			[1280, 'light'],
			[1440, 'dark'],
		] as const) {
			const context = await launched.browser.newContext({
				viewport: { width, height: 800 },
				colorScheme,
				reducedMotion: 'reduce',
			});
			const page = await context.newPage();
			await page.goto(`${served.url}/${name}`);
			if (act) await page.evaluate(act);
			const over = await page.evaluate(
				'document.documentElement.scrollWidth - document.documentElement.clientWidth',
			);
			if (over) console.log(name, width, 'OVERFLOW', over);
			const full = await page.screenshot({ fullPage: true });
			const meta = await sharp(full).metadata();
			const h = Math.min(meta.height!, 2600);
			const cut = await sharp(full)
				.extract({ left: 0, top: 0, width: meta.width!, height: h })
				.png()
				.toBuffer();
			console.log(name, width, meta.height);
			if (width === 1280) await sharp(cut).toFile(`/tmp/shots/${name}-1280.png`);
			tiles.push({ buf: cut, w: meta.width!, h });
			await context.close();
		}
		const H = Math.max(...tiles.map((t) => t.h));
		let x = 0;
		const parts = tiles.filter((_, i) => i !== 2);
		const W = parts.reduce((s, t) => s + t.w + 20, 0);
		const composite = parts.map((t) => {
			const left = x;
			x += t.w + 20;
			return { input: t.buf, left, top: 0 };
		});
		const all = await sharp({ create: { width: W, height: H, channels: 3, background: '#888' } })
			.composite(composite)
			.png()
			.toBuffer();
		await sharp(all).resize({ width: 2000 }).toFile(`/tmp/shots/${name}-all.png`);
	}
	await launched.browser.close();
	await served.close();
});
