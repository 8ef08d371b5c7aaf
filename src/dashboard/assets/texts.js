import sans from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';
import icon from './icon.svg';
import favicon from './pictures/icon-32.png';
import touchIcon from './pictures/icon-180.png';
import preview from './pictures/preview.png';
import colours from './css/colours.css';
import type from './css/type.css';
import motion from './css/motion.css';
import ground from './css/ground.css';
import frame from './css/frame.css';
import buttons from './css/buttons.css';
import fields from './css/fields.css';
import badge from './css/badge.css';
import figures from './css/figures.css';
import notice from './css/notice.css';
import toasts from './css/toast.css';
import card from './css/card.css';
import tables from './css/tables.css';
import pagination from './css/pagination.css';
import folds from './css/fold.css';
import lists from './css/lists.css';
import listFiles from './css/list-files.css';
import report from './css/report.css';
import code from './css/code.css';
import credits from './css/credits.css';
import charts from './css/charts.css';
import dialogs from './css/dialog.css';
import publicPages from './css/public.css';
import verify from './css/verify.css';
import docs from './css/docs.css';
import textPages from './css/text-page.css';
import landing from './css/landing.css';
import samples from './css/samples.css';
import account from './css/account.css';
import modes from './css/modes.css';
import choice from './islands/choice.js';
import copy from './islands/copy.js';
import dialog from './islands/dialog.js';
import drop from './islands/drop.js';
import live from './islands/live.js';
import once from './islands/once.js';
import rows from './islands/rows.js';
import theme from './islands/theme.js';
import toast from './islands/toast.js';
import typed from './islands/typed.js';

// Rules in wrangler.toml import these files as text, the typeface and pictures as bytes; texts.d.ts declares their types.
export const SANS = sans;
export const ICON = icon;
export const PICTURES = { favicon, touchIcon, preview };
export const ISLANDS = { choice, copy, dialog, drop, live, once, rows, theme, toast, typed };
// One request for all styles. Later files override earlier ones; the order is that of the imports above.
export const STYLE = [
	colours,
	type,
	motion,
	ground,
	frame,
	buttons,
	fields,
	badge,
	figures,
	notice,
	toasts,
	card,
	tables,
	pagination,
	folds,
	lists,
	listFiles,
	report,
	code,
	charts,
	credits,
	dialogs,
	publicPages,
	verify,
	docs,
	textPages,
	landing,
	samples,
	account,
	modes,
].join('\n');
