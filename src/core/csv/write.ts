/** Numbers are always our own figures; strings may come from outside, and are made safe for spreadsheets. */
export type CsvCell = string | number | boolean | null;
export type CsvRow = readonly CsvCell[];

/** In much of Europe, spreadsheets read and write CSV with semicolons. */
export type CsvDelimiter = ',' | ';';

// A spreadsheet runs a cell with such a beginning as a formula. In East Asia full-width signs count too. Spaces and
// invisible characters may stand before the sign, because the importing program may strip them.
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
// A single number, with any grouping, is no formula: there is nothing to compute.
const NUMBER = /^ *[+-](?:\d+(?:[.,]\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?)%? *$/;
// A telephone number (ITU-T E.164 §6.2: at most 15 digits) in groups. No dashes or slashes: a spreadsheet would
// subtract or divide and show the result instead.
const TELEPHONE = /^ *\+(?=(?:\D*\d){7,15}\D*$)[1-9]\d*(?: ?\(\d+\) ?\d*)?(?: \d+)* *$/;
// RFC 4180 §2, rules 5 to 7; and every delimiter, so that a file read with the wrong one keeps its cells whole.
const NEEDS_QUOTES = /[",;|\t\r\n]/;
const CHUNK_CHARS = 16 * 1024;

/** One record with its line break (RFC 4180 §2). A text that a spreadsheet would run begins with an apostrophe. */
export function csvLine(row: CsvRow, delimiter: CsvDelimiter = ','): string {
	// An empty line is not a record.
	if (row.length === 1 && textOf(row[0] ?? null) === '') return '""\r\n';
	return `${row.map((cell) => quoted(textOf(cell))).join(delimiter)}\r\n`;
}

/** Writes a whole file as the rows arrive. */
export function writeCsv(rows: Iterable<CsvRow> | AsyncIterable<CsvRow>, delimiter: CsvDelimiter = ',') {
	return inPieces(rows, (row) => csvLine(row, delimiter));
}

/** The lines of rows as they arrive, in pieces of about 16 KB. */
export async function* inPieces<R>(
	rows: Iterable<R> | AsyncIterable<R>,
	lineOf: (row: R) => string,
): AsyncGenerator<string, void, undefined> {
	let piece = '';
	for await (const row of rows) {
		piece += lineOf(row);
		if (piece.length < CHUNK_CHARS) continue;
		yield piece;
		piece = '';
	}
	if (piece !== '') yield piece;
}

function textOf(cell: CsvCell): string {
	if (typeof cell === 'string') return isRun(cell) ? `'${cell}` : cell;
	return cell === null ? '' : String(cell);
}

/** Whether a spreadsheet might run a text as a formula; if in doubt, true. */
function isRun(text: string): boolean {
	return FORMULA.test(text) && !NUMBER.test(text) && !TELEPHONE.test(text);
}

/** A cell's text, in quotation marks where a reader needs them. */
export function quoted(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
