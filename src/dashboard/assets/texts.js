import icon from './icon.svg';
import colours from './css/colours.css';
import ground from './css/ground.css';
import frame from './css/frame.css';
import buttons from './css/buttons.css';
import fields from './css/fields.css';
import parts from './css/parts.css';
import tables from './css/tables.css';
import lists from './css/lists.css';
import report from './css/report.css';
import code from './css/code.css';
import charts from './css/charts.css';
import dialogs from './css/dialog.css';
import publicPages from './css/public.css';
import docs from './css/docs.css';
import modes from './css/modes.css';
import choice from './islands/choice.js';
import copy from './islands/copy.js';
import dialog from './islands/dialog.js';
import drop from './islands/drop.js';
import live from './islands/live.js';
import once from './islands/once.js';
import search from './islands/search.js';
import theme from './islands/theme.js';

// A rule in wrangler.toml imports these files as text; texts.d.ts declares their types.
export const ICON = icon;
export const ISLANDS = { choice, copy, dialog, drop, live, once, search, theme };
// One request for all styles. Later files override earlier ones; the order is that of the imports above.
export const STYLE = [
	colours,
	ground,
	frame,
	buttons,
	fields,
	parts,
	tables,
	lists,
	report,
	code,
	charts,
	dialogs,
	publicPages,
	docs,
	modes,
].join('\n');
