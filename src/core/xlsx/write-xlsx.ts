import { strToU8, Zip, ZipDeflate } from 'fflate';
import { escapeMarkup } from '../../lib/text.ts';

// The texts of a workbook (ECMA-376 part 1, §18).

type SheetRow = readonly (string | number | boolean | null)[];

// The most characters of a cell; Excel calls a longer one damage and offers to repair the file.
const TEXT_MAX = 32_767;
// Characters that XML 1.0 can't hold, and text that reads as the escape of one (§22.9.2.19).
const UNFIT = /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const LETTERS = 26;

/** The element of one row. `number`: from 1. The first row is the head, in bold. */
export function rowElement(cells: SheetRow, number: number): string {
	const style = number === 1 ? ' s="1"' : '';
	const elements = cells.map((cell, index) => {
		const start = `<c r="${columnName(index)}${number}"${style}`;
		if (cell === null || cell === '') return '';
		if (typeof cell === 'number') return `${start}><v>${cell}</v></c>`;
		if (typeof cell === 'boolean') return `${start} t="b"><v>${cell ? 1 : 0}</v></c>`;
		const text = escaped(cell.slice(0, TEXT_MAX).toWellFormed());
		return `${start} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
	});
	return `<row r="${number}">${elements.join('')}</row>`;
}

/** `A` of 0, `Z` of 25, `AA` of 26. */
export function columnName(index: number): string {
	const rest = Math.floor(index / LETTERS);
	return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCodePoint(65 + (index % LETTERS))}`;
}

function escaped(text: string): string {
	return escapeMarkup(
		text.replace(UNFIT, (unfit) => `_x${unfit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`),
	);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The fewest parts with which a workbook of one sheet opens in every program. */
const PARTS: readonly (readonly [path: string, xml: string])[] = [
	[
		'[Content_Types].xml',
		`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
	],
	[
		'_rels/.rels',
		`<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	],
	[
		'xl/workbook.xml',
		`<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`,
	],
	[
		'xl/_rels/workbook.xml.rels',
		`<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
	],
	[
		'xl/styles.xml',
		`<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf fontId="1" applyFont="1" xfId="0"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
	],
];
// The first row, with the names of the columns, stays in sight.
const SHEET_START = `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>`;
const CHUNK_CHARS = 64 * 1024;
// A fast level: that of most tools takes twice the time for a tenth less.
const LEVEL = 3;
// The same rows make the same file. ZIP counts from 1980.
const DATED = '1980-01-01T00:00:00';
// The rows that decide how wide the columns are, which the sheet says before its rows.
const MEASURED_ROWS = 100;
// In characters.
const WIDTH = { least: 8, most: 60, beside: 3 };

/**
 * Writes a workbook of one sheet from the rows as they arrive. Texts are text cells: none becomes a formula, and telephone
 * numbers and leading zeros stay unchanged.
 */
export async function* writeXlsx(rows: AsyncIterable<SheetRow>): AsyncGenerator<Uint8Array, void, undefined> {
	const pieces: Uint8Array[] = [];
	const zip = new Zip((error, piece) => {
		if (error !== null) throw error;
		pieces.push(piece);
	});
	const add = (path: string): ZipDeflate => {
		const part = new ZipDeflate(path, { level: LEVEL });
		part.mtime = DATED;
		zip.add(part);
		return part;
	};
	for (const [path, xml] of PARTS) add(path).push(strToU8(HEAD + xml), true);
	const sheet = add('xl/worksheets/sheet1.xml');
	let first: SheetRow[] | null = [];
	let text = HEAD + SHEET_START;
	let number = 0;
	const begin = (measured: readonly SheetRow[]): void => {
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
		yield* pieces.splice(0);
	}
	if (first !== null) begin(first);
	sheet.push(strToU8(`${text}</sheetData></worksheet>`), true);
	zip.end();
	yield* pieces;
}

/** As wide as the longest text of these rows, within limits. */
function columnsElement(rows: readonly SheetRow[]): string {
	const widths: number[] = [];
	for (const cells of rows)
		for (const [at, cell] of cells.entries())
			widths[at] = Math.max(widths[at] ?? WIDTH.least, String(cell ?? '').length);
	if (widths.length === 0) return '';
	const columns = widths.map((length, at) => {
		const width = Math.min(WIDTH.most, length + WIDTH.beside);
		return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
	});
	return `<cols>${columns.join('')}</cols>`;
}
