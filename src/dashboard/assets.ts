import { sha256Hex } from '../lib/digest.ts';
import { ICON, PICTURES, SANS, SCRIPT, STYLE } from './assets/texts.js';

interface Asset {
	readonly content: string | Uint8Array<ArrayBuffer>;
	readonly type: string;
}

const files = new Map<string, Asset>();

/** Our own files by their path under /assets/. Names contain a hash of the content, so they can be cached for ever. */
export const ASSETS: ReadonlyMap<string, Asset> = files;

/** Has no hash in its name: browsers ask for /favicon.ico by themselves. */
export const FAVICON = new Uint8Array(PICTURES.favicon);

const PNG = 'image/png';
const sans = put('sans', 'woff2', 'font/woff2', new Uint8Array(SANS));
// The sheet names the typeface beside it, and so has another name itself when that changes.
const look = STYLE.replace("url('sans.woff2')", `url('${sans.replace('/assets/', '')}')`);

/** The URLs of the files that pages name. */
export const ASSET_PATHS = {
	sans,
	style: put('mailsonar', 'css', 'text/css; charset=utf-8', look),
	script: put('mailsonar', 'js', 'text/javascript; charset=utf-8', SCRIPT),
	icon: put('icon', 'svg', 'image/svg+xml', ICON),
	touchIcon: put('icon', 'png', PNG, new Uint8Array(PICTURES.touchIcon)),
	/** The picture of link previews. */
	preview: put('preview', 'png', PNG, new Uint8Array(PICTURES.preview)),
};

function put(name: string, ending: string, type: string, content: Asset['content']): string {
	const file = `${name}.${sha256Hex(content).slice(0, 12)}.${ending}`;
	files.set(file, { content, type });
	return `/assets/${file}`;
}
