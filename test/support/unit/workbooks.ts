import { strToU8, zipSync } from 'fflate';
import type { Zippable } from 'fflate';
import { readListFile } from '../../../src/core/upload/upload.ts';
import type { ListFile } from '../../../src/core/upload/upload.ts';
import { atOnce } from '../../../src/lib/slots.ts';

/** A cell: a text, a number, or XML as it is. */
export type Cell = string | number | { readonly xml: string } | null;

export interface SheetOf {
	readonly name: string;
	readonly rows: readonly (readonly Cell[])[];
	readonly state?: 'hidden' | 'veryHidden';
}

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const letterOf = (column: number): string =>
	column < 26
		? String.fromCharCode(65 + column)
		: `${letterOf(Math.floor(column / 26) - 1)}${letterOf(column % 26)}`;

function cellXml(cell: Cell, place: string): string {
	if (cell === null) return '';
	if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
	if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
	return cell.xml.replace('<c', `<c r="${place}"`);
}

/** The XML of a sheet. */
export function sheetXml(rows: SheetOf['rows']): string {
	const body = rows.map((cells, row) => {
		const inside = cells.map((cell, column) => cellXml(cell, `${letterOf(column)}${row + 1}`));
		return `<row r="${row + 1}">${inside.join('')}</row>`;
	});
	return `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${SPREADSHEET}"><sheetData>${body.join('')}</sheetData></worksheet>`;
}

export interface Given {
	/** Patterns of numbers, which cells name by `s`, counted from 1. */
	readonly formats?: readonly string[];
	/** Texts that cells share, as XML inside of `si`. */
	readonly shared?: readonly string[];
	readonly countsFrom1904?: boolean;
	/** Parts that are added, or take the place of others. */
	readonly parts?: Readonly<Record<string, string | Uint8Array>>;
	/** 0: nothing is compressed. */
	readonly level?: 0 | 6 | 9;
}

/** An XLSX file. */
export function workbookOf(sheets: readonly SheetOf[], given: Given = {}): Uint8Array {
	const { formats = [], shared = [], countsFrom1904 = false, parts = {}, level = 6 } = given;
	const books = sheets.map(
		({ name, state }, n) =>
			`<sheet name="${escaped(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"${state === undefined ? '' : ` state="${state}"`}/>`,
	);
	const relations = sheets.map(
		(_, n) =>
			`<Relationship Id="rId${n + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`,
	);
	const own = formats.map(
		(code, n) => `<numFmt numFmtId="${164 + n}" formatCode="${escaped(code).replaceAll('"', '&quot;')}"/>`,
	);
	const cellFormats = ['<xf numFmtId="0"/>', ...formats.map((_, n) => `<xf numFmtId="${164 + n}"/>`)];
	const texts: Record<string, string | Uint8Array> = {
		'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><workbookPr${countsFrom1904 ? ' date1904="1"' : ''}/><sheets>${books.join('')}</sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}<Relationship Id="s" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="t" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
		'xl/styles.xml': `<styleSheet xmlns="${SPREADSHEET}"><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${cellFormats.join('')}</cellXfs></styleSheet>`,
		'xl/sharedStrings.xml': `<sst xmlns="${SPREADSHEET}">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
		...Object.fromEntries(sheets.map(({ rows }, n) => [`xl/worksheets/sheet${n + 1}.xml`, sheetXml(rows)])),
		...parts,
	};
	const files: Zippable = {};
	for (const [name, content] of Object.entries(texts))
		files[name] = typeof content === 'string' ? strToU8(content) : content;
	return zipSync(files, { level });
}

/** Reads a file, without a pause. */
export function listFileOf(file: Uint8Array): ListFile {
	return atOnce(readListFile(file));
}

/** The text of the sheet that is read of a workbook. */
export function textOf(file: Uint8Array): string {
	return new TextDecoder().decode(listFileOf(file).text);
}
