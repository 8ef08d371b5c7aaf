import sans from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';
import icon from './icon.svg';
import favicon from './pictures/icon-32.png';
import touchIcon from './pictures/icon-180.png';
import preview from './pictures/preview.png';
import look from './look.css';
import copy from './islands/copy.js';
import drop from './islands/drop.js';
import live from './islands/live.js';
import typed from './islands/typed.js';

// Rules in wrangler.toml import these files as text, the typeface and pictures as bytes; texts.d.ts declares their types.
export const SANS = sans;
export const ICON = icon;
export const PICTURES = { favicon, touchIcon, preview };
// One request for all styles, and one for all scripts, which the browser keeps: each looks for its own part of a page.
export const STYLE = look;
export const SCRIPT = [copy, drop, live, typed].join('\n');
