import type { FileFormat } from './text.ts';
import { NOT_TEXT, refusal, COLUMNS_MAX, ROW_CHARS_MAX } from './file-kind.ts';
import { parseText } from './text.ts';

export interface Row {
	/** Row number in the file, from 1, counting header and empty rows, as in a spreadsheet. */
	readonly number: number;
	readonly cells: readonly string[];
}

/**
 * Turns a file's octets into rows, without empty ones and the header. Keeps no more of the file than the row that is not complete yet.
 * Throws `ServiceError`, naming the row, where the file can't be a list.
 */
export class RowReader {
	readonly #format: FileFormat;
	readonly #hasHeader: boolean;
	readonly #decoder: TextDecoder;
	/** The row that is not complete yet; with it a CR that may be the first half of a CRLF. */
	#rest = '';
	#read = 0;
	#oddQuoteRow: number | null = null;
	#header: readonly string[] | null = null;

	/** `hasHeader`: the first row is no row of data. */
	constructor(format: FileFormat, hasHeader = false) {
		this.#format = format;
		this.#hasHeader = hasHeader;
		this.#decoder = new TextDecoder(format.encoding);
	}

	/** The header, once it was read; null: there is none. */
	get header(): readonly string[] | null {
		return this.#header;
	}

	/** The first row with a misplaced quotation mark, which may have merged rows. */
	get oddQuoteRow(): number | null {
		return this.#oddQuoteRow;
	}

	/** The rows that these octets complete. */
	push(octets: Uint8Array): readonly Row[] {
		return this.#take(this.#decoder.decode(octets, { stream: true }), false);
	}

	/** The last row, if no line break ended it. */
	end(): readonly Row[] {
		return this.#take(this.#decoder.decode(), true);
	}

	#take(text: string, isLast: boolean): readonly Row[] {
		if (text.includes('\0')) throw refusal(NOT_TEXT);
		const { lineEnd, delimiter } = this.#format;
		const input = (this.#rest + text).replaceAll(lineEnd === 'cr' ? '\r' : '\r\n', '\n');
		const { rows, consumed, oddQuote, unclosed } = parseText(input, delimiter, isLast);
		if (unclosed) throw unclosedQuote(this.#read + rows.length);
		this.#rest = isLast ? '' : input.slice(consumed);
		const first = this.#read + 1;
		if (oddQuote !== null) this.#oddQuoteRow ??= first + oddQuote;
		this.#read += rows.length;
		if (this.#rest.length > ROW_CHARS_MAX) throw tooLong(this.#read + 1, this.#rest);
		const kept: Row[] = [];
		// A loop, so that millions of empty lines do not make millions of objects.
		for (const [index, cells] of rows.entries()) {
			const number = first + index;
			if (isBlank(cells) || (number === 1 && this.#format.hasSeparatorLine)) continue;
			const row = requireWidth({ number, cells });
			if (this.#hasHeader && this.#header === null) this.#header = cells;
			else kept.push(row);
		}
		return kept;
	}
}

function isBlank(cells: readonly string[]): boolean {
	return cells.every((cell) => cell === '' || cell.trim() === '');
}

function requireWidth(row: Row): Row {
	if (row.cells.length <= COLUMNS_MAX) return row;
	throw refusal(
		`Row ${row.number} has ${row.cells.length} columns; a list can have ${COLUMNS_MAX}. Keep only the columns you need.`,
	);
}

function tooLong(number: number, text: string): Error {
	if (text.includes('"')) return unclosedQuote(number);
	return refusal(
		`Row ${number} is longer than 200,000 characters. Put each address on a line of its own and upload the file again.`,
	);
}

function unclosedQuote(number: number): Error {
	return refusal(
		`Row ${number} opens a quotation mark (") that is never closed. Close or remove it and upload the file again.`,
	);
}
