/** A number is a figure of ours; a text may be anybody's. */
export type CsvCell = string | number | boolean | null;
export type CsvRow = readonly CsvCell[];

/** Semicolons are what spreadsheets of half of Europe read and write under the name of CSV. */
export type CsvDelimiter = ',' | ';';

// A spreadsheet runs what begins so as a formula: in East Asia also in the wide forms, and behind what the program that
// hands it over strips, as spaces and invisible characters.
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
// RFC 4180 §2, rules 5 to 7; and every delimiter, so that a cell stays one when the file is read with another.
const NEEDS_QUOTES = /[",;|\t\r\n]/;
const CHUNK_CHARS = 16 * 1024;

/** One record with its line break (RFC 4180 §2). No cell of it is run as a formula. */
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
	if (typeof cell === 'string') return FORMULA.test(cell) ? `'${cell}` : cell;
	return cell === null ? '' : String(cell);
}

function quoted(text: string): string {
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
