import { sha256Hex } from '../lib/digest.ts';
import { ICON, ISLANDS, PICTURES, SANS, STYLE } from './assets/texts.js';
import type { Island } from './assets/texts.js';
import type { AssetPaths } from './view.ts';

interface Asset {
	readonly content: string | Uint8Array<ArrayBuffer>;
	readonly type: string;
}

const names = Object.keys(ISLANDS) as readonly Island[];
const sans = new Uint8Array(SANS);
const touchIcon = new Uint8Array(PICTURES.touchIcon);
const preview = new Uint8Array(PICTURES.preview);
/** Has no hash in its name: browsers ask for /favicon.ico by themselves. */
export const FAVICON = new Uint8Array(PICTURES.favicon);
const sansName = nameOf('sans', sans, 'woff2');
// The sheet names the typeface beside it, and so has another name itself when that changes.
const style = STYLE.replace("url('sans.woff2')", `url('${sansName}')`);

/** Our own files by their path under /assets/. Names contain a hash of the content, so they can be cached for ever. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map<string, Asset>([
	[sansName, { content: sans, type: 'font/woff2' }],
	[nameOf('mailsonar', style, 'css'), { content: style, type: 'text/css; charset=utf-8' }],
	[nameOf('icon', ICON, 'svg'), { content: ICON, type: 'image/svg+xml' }],
	[nameOf('icon', touchIcon, 'png'), { content: touchIcon, type: 'image/png' }],
	[nameOf('preview', preview, 'png'), { content: preview, type: 'image/png' }],
	...names.map((name): [string, Asset] => [
		nameOf(name, ISLANDS[name], 'js'),
		{ content: ISLANDS[name], type: 'text/javascript; charset=utf-8' },
	]),
]);

export const ASSET_PATHS: AssetPaths = {
	sans: `/assets/${sansName}`,
	style: `/assets/${nameOf('mailsonar', style, 'css')}`,
	icon: `/assets/${nameOf('icon', ICON, 'svg')}`,
	touchIcon: `/assets/${nameOf('icon', touchIcon, 'png')}`,
	preview: `/assets/${nameOf('preview', preview, 'png')}`,
	islands: Object.fromEntries(
		names.map((name) => [name, `/assets/${nameOf(name, ISLANDS[name], 'js')}`]),
	) as Record<Island, string>,
};

function nameOf(name: string, content: string | Uint8Array, ending: string): string {
	return `${name}.${sha256Hex(content).slice(0, 12)}.${ending}`;
}
