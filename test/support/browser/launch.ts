import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { installedChromiums, isExecutable } from './commands.ts';
import type { BrowserCommand } from './commands.ts';
import { npmChromium } from './npm-chromium.ts';
import type { Fonts } from './npm-chromium.ts';

/** A browser, or the reason why none could be started. */
export type Launched =
	| { readonly kind: 'launched'; readonly browser: Browser }
	| { readonly kind: 'absent'; readonly reason: string };

/**
 * Starts the browser for tests and screenshots: npm's where available, since it is the same on every machine, else an
 * installed Chrome or Chromium.
 */
export async function launchBrowser(fonts: Fonts = 'packaged'): Promise<Launched> {
	const reasons: string[] = [];
	const attempt = async (name: string, find: () => Promise<BrowserCommand>): Promise<Browser | null> => {
		try {
			return await launch(await find());
		} catch (error) {
			reasons.push(`${name}: ${firstLine(error)}`);
			return null;
		}
	};
	const own = await attempt('@sparticuz/chromium', () => npmChromium(fonts));
	if (own !== null) return { kind: 'launched', browser: own };
	for (const executablePath of installedChromiums().filter(isExecutable)) {
		const browser = await attempt(executablePath, async () => ({ executablePath, env: {} }));
		if (browser !== null) return { kind: 'launched', browser };
	}
	return { kind: 'absent', reason: `No Chrome or Chromium here that starts (${reasons.join('; ')})` };
}

async function launch({ executablePath, env }: BrowserCommand): Promise<Browser> {
	// Only our own pages are shown, often as root in a container, where the browser's sandbox cannot work.
	return chromium.launch({ executablePath, args: ['--no-sandbox'], env: { ...process.env, ...env } });
}

function firstLine(error: unknown): string {
	return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
