import icon from './icon.svg';
import css from './mailsonar.css';
import choice from './islands/choice.js';
import copy from './islands/copy.js';
import dialog from './islands/dialog.js';
import drop from './islands/drop.js';
import live from './islands/live.js';
import once from './islands/once.js';
import theme from './islands/theme.js';

// The rule in wrangler.toml hands these files over as text; texts.d.ts says so to the compiler.
export const STYLE = css;
export const ICON = icon;
export const ISLANDS = { choice, copy, dialog, drop, live, once, theme };
