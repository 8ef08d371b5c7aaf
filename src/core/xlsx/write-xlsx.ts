import { strToU8, Zip, ZipDeflate } from 'fflate';
import { STATUSES } from '../verification/sub-status.ts';
import type { Status } from '../verification/sub-status.ts';

// The texts of a workbook (ECMA-376 part 1, §18).

export type SheetCell = string | number | boolean | null | { readonly share: number };
export type SheetRow = readonly SheetCell[];

// The most characters of a cell; Excel calls a longer one damage and offers to repair the file.
const TEXT_MAX = 32_767;
// Characters that XML 1.0 can't hold, and text that reads as the escape of one (§22.9.2.19).
const UNFIT = /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const LETTERS = 26;
// Places in `cellXfs` of the styles.
const HEAD_STYLE = ' s="1"';
const SHARE_STYLE = ' s="2"';

/** The element of one row. `number`: from 1. The first row is the head. */
export function rowElement(cells: SheetRow, number: number): string {
	const style = number === 1 ? HEAD_STYLE : '';
	const elements = cells.map((cell, index) => cellElement(cell, `${columnName(index)}${number}`, style));
	return `<row r="${number}">${elements.join('')}</row>`;
}

function cellElement(cell: SheetCell, at: string, style: string): string {
	if (cell === null || cell === '') return '';
	if (typeof cell === 'object') return `<c r="${at}"${SHARE_STYLE}><v>${cell.share}</v></c>`;
	if (typeof cell === 'number') return `<c r="${at}"${style}><v>${cell}</v></c>`;
	if (typeof cell === 'boolean') return `<c r="${at}"${style} t="b"><v>${cell ? 1 : 0}</v></c>`;
	const text = escaped(cell.slice(0, TEXT_MAX).toWellFormed());
	return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** `A` of 0, `Z` of 25, `AA` of 26. */
export function columnName(index: number): string {
	const rest = Math.floor(index / LETTERS);
	return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCodePoint(65 + (index % LETTERS))}`;
}

function escaped(text: string): string {
	return text
		.replace(UNFIT, (unfit) => `_x${unfit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;');
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const STATUS_COLOURS = {
	deliverable: { ink: 'FF17733A', ground: 'FFE6F4EB' },
	undeliverable: { ink: 'FFB42323', ground: 'FFFDECEB' },
	risky: { ink: 'FF855200', ground: 'FFFDF3DF' },
	unknown: { ink: 'FF4C586A', ground: 'FFEDF0F4' },
} as const satisfies Record<Status, { readonly ink: string; readonly ground: string }>;

/** How a cell with a status looks, one element for each (§18.8.14). */
const STATUS_FORMATS = STATUSES.map((status) => {
	const { ink, ground } = STATUS_COLOURS[status];
	return `<dxf><font><color rgb="${ink}"/></font><fill><patternFill patternType="solid"><bgColor rgb="${ground}"/></patternFill></fill></dxf>`;
}).join('');

/** The fewest parts with which a workbook of two sheets opens in every program. */
const PARTS: readonly (readonly [path: string, xml: string])[] = [
	[
		'[Content_Types].xml',
		`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
	],
	[
		'_rels/.rels',
		`<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	],
	[
		'xl/workbook.xml',
		`<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Results" sheetId="1" r:id="rId1"/><sheet name="Summary" sheetId="2" r:id="rId3"/></sheets></workbook>`,
	],
	[
		'xl/_rels/workbook.xml.rels',
		`<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
	],
	[
		'xl/styles.xml',
		`<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF3F4F7"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf fontId="1" fillId="2" applyFont="1" applyFill="1" xfId="0"/><xf numFmtId="9" applyNumberFormat="1" xfId="0"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs count="${STATUSES.length}">${STATUS_FORMATS}</dxfs></styleSheet>`,
	],
];
// The first row, with the names of the columns, stays in sight.
const SHEET_START = `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>`;
const SHEET_END = '</worksheet>';
const CHUNK_CHARS = 64 * 1024;
// A fast level: that of most tools takes twice the time for a tenth less.
const LEVEL = 3;
// The same rows make the same file. ZIP counts from 1980.
const DATED = '1980-01-01T00:00:00';
// The rows that decide how wide the columns are, which the sheet says before its rows.
const MEASURED_ROWS = 100;
// In characters.
const WIDTH = { least: 8, most: 60, beside: 3 };

export interface WorkbookPlan {
	/** The sheet beside the rows: a few rows of words and figures. */
	readonly summary: readonly SheetRow[];
	/** Which column of this head has the statuses, whose cells are coloured; -1: none. */
	readonly statusColumn: (head: SheetRow) => number;
}

/**
 * Writes a workbook: a sheet of the rows as they arrive, with a filter, and a summary. Texts are text cells: none becomes
 * a formula, and telephone numbers and leading zeros stay unchanged.
 */
export async function* writeXlsx(
	rows: AsyncIterable<SheetRow>,
	{ summary, statusColumn }: WorkbookPlan,
): AsyncGenerator<Uint8Array, void, undefined> {
	const archive = new Archive();
	for (const [path, xml] of PARTS) archive.add(path).push(strToU8(HEAD + xml), true);
	archive.add('xl/worksheets/sheet2.xml').push(strToU8(summarySheet(summary)), true);
	const sheet = archive.add('xl/worksheets/sheet1.xml');
	let first: SheetRow[] | null = [];
	let head: SheetRow = [];
	let text = HEAD + SHEET_START;
	let number = 0;
	const begin = (measured: readonly SheetRow[]): void => {
		head = measured[0] ?? [];
		text += `${columnsElement(measured)}<sheetData>${measured.map((cells, at) => rowElement(cells, at + 1)).join('')}`;
		first = null;
	};
	for await (const cells of rows) {
		number += 1;
		if (first === null) text += rowElement(cells, number);
		else if (first.push(cells) === MEASURED_ROWS) begin(first);
		if (text.length < CHUNK_CHARS) continue;
		sheet.push(strToU8(text));
		text = '';
		yield* archive.taken();
	}
	if (first !== null) begin(first);
	const end = filterElement(head.length, number) + coloursElement(statusColumn(head), number);
	sheet.push(strToU8(`${text}</sheetData>${end}${SHEET_END}`), true);
	archive.end();
	yield* archive.taken();
}

function summarySheet(rows: readonly SheetRow[]): string {
	const elements = rows.map((cells, at) => rowElement(cells, at + 1)).join('');
	return `${HEAD}${SHEET_START}${columnsElement(rows)}<sheetData>${elements}</sheetData>${SHEET_END}`;
}

/** As wide as the longest text of these rows, within limits. */
function columnsElement(rows: readonly SheetRow[]): string {
	const widths: number[] = [];
	for (const cells of rows)
		for (const [at, cell] of cells.entries())
			widths[at] = Math.max(widths[at] ?? 0, typeof cell === 'object' ? 0 : String(cell).length);
	if (widths.length === 0) return '';
	const columns = widths.map((length, at) => {
		const width = Math.min(WIDTH.most, Math.max(WIDTH.least, length) + WIDTH.beside);
		return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
	});
	return `<cols>${columns.join('')}</cols>`;
}

function filterElement(columns: number, rows: number): string {
	return columns === 0 ? '' : `<autoFilter ref="A1:${columnName(columns - 1)}${rows}"/>`;
}

function coloursElement(column: number, rows: number): string {
	if (column < 0 || rows < 2) return '';
	const name = columnName(column);
	const rules = STATUSES.map(
		(status, at) =>
			`<cfRule type="cellIs" dxfId="${at}" priority="${at + 1}" operator="equal"><formula>"${status}"</formula></cfRule>`,
	);
	return `<conditionalFormatting sqref="${name}2:${name}${rows}">${rules.join('')}</conditionalFormatting>`;
}

/** A ZIP archive whose pieces are taken away while it is made. */
class Archive {
	#pieces: Uint8Array[] = [];
	readonly #zip = new Zip((error, piece) => {
		if (error !== null) throw error;
		this.#pieces.push(piece);
	});

	add(path: string): ZipDeflate {
		const file = new ZipDeflate(path, { level: LEVEL });
		file.mtime = DATED;
		this.#zip.add(file);
		return file;
	}

	end(): void {
		this.#zip.end();
	}

	/** Returns the pieces written since the last call. */
	taken(): readonly Uint8Array[] {
		const pieces = this.#pieces;
		this.#pieces = [];
		return pieces;
	}
}
