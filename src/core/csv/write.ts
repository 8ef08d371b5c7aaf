/** A number is a figure of ours; a text may be anybody's. */
export type CsvCell = string | number | boolean | null;
export type CsvRow = readonly CsvCell[];

/** Semicolons are what spreadsheets of half of Europe read and write under the name of CSV. */
export type CsvDelimiter = ',' | ';';

// A spreadsheet runs what begins so as a formula: in East Asia also in the wide forms, and behind what the program that
// hands it over strips, as spaces and invisible characters.
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
// One number, however it is grouped: a spreadsheet reads it and has nothing to work out.
const NUMBER = /^ *[+-](?:\d+(?:[.,]\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?)%? *$/;
// A telephone number (ITU-T E.164 §6.2: at most 15 digits) in groups. Dashes and slashes are left out: a spreadsheet would
// subtract and divide, and show the result in its place.
const TELEPHONE = /^ *\+(?=(?:\D*\d){7,15}\D*$)[1-9]\d*(?: ?\(\d+\) ?\d*)?(?: \d+)* *$/;
// RFC 4180 §2, rules 5 to 7; and every delimiter, so that a cell stays one when the file is read with another.
const NEEDS_QUOTES = /[",;|\t\r\n]/;
const CHUNK_CHARS = 16 * 1024;

/** One record with its line break (RFC 4180 §2). A text that a spreadsheet would run begins with an apostrophe. */
export function csvLine(row: CsvRow, delimiter: CsvDelimiter = ','): string {
	// An empty line would be no record at all.
	if (row.length === 1 && textOf(row[0] ?? null) === '') return '""\r\n';
	return `${row.map((cell) => quoted(textOf(cell))).join(delimiter)}\r\n`;
}

/** A whole file, in pieces of some 16 KB, as its rows come. */
export async function* writeCsv(
	rows: Iterable<CsvRow> | AsyncIterable<CsvRow>,
	delimiter: CsvDelimiter = ',',
): AsyncGenerator<string, void, undefined> {
	let piece = '';
	for await (const row of rows) {
		piece += csvLine(row, delimiter);
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

/** Whether a spreadsheet would work out a text and not just show it. In doubt it would. */
function isRun(text: string): boolean {
	return FORMULA.test(text) && !NUMBER.test(text) && !TELEPHONE.test(text);
}

function quoted(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
