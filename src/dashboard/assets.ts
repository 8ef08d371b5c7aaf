import { sha256Hex } from '../lib/digest.ts';
import { ICON, ISLANDS, STYLE } from './assets/texts.js';
import type { Island } from './assets/texts.js';
import type { AssetPaths } from './view.ts';

interface Asset {
	readonly text: string;
	readonly type: string;
}

const names = Object.keys(ISLANDS) as readonly Island[];

/** Our own files by their path under /assets/. Names contain a hash of the content, so they can be cached for ever. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map([
	[nameOf('mailsonar', STYLE, 'css'), { text: STYLE, type: 'text/css; charset=utf-8' }],
	[nameOf('icon', ICON, 'svg'), { text: ICON, type: 'image/svg+xml' }],
	...names.map((name): [string, Asset] => [
		nameOf(name, ISLANDS[name], 'js'),
		{ text: ISLANDS[name], type: 'text/javascript; charset=utf-8' },
	]),
]);

export const ASSET_PATHS: AssetPaths = {
	style: `/assets/${nameOf('mailsonar', STYLE, 'css')}`,
	icon: `/assets/${nameOf('icon', ICON, 'svg')}`,
	islands: Object.fromEntries(
		names.map((name) => [name, `/assets/${nameOf(name, ISLANDS[name], 'js')}`]),
	) as Record<Island, string>,
};

function nameOf(name: string, text: string, ending: string): string {
	return `${name}.${sha256Hex(text).slice(0, 12)}.${ending}`;
}
