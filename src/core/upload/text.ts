import Papa from 'papaparse';
import type { Steps } from '../../lib/slots.ts';
import { joinBytes } from '../../lib/streams.ts';
import { quoted } from '../csv/write.ts';
import { COLUMNS_MAX, FILE_OCTETS_MAX, NOT_TEXT, refusal, ROW_CHARS_MAX } from './file-kind.ts';

/** Text encodings that we read. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const MARKS: readonly { readonly encoding: Encoding; readonly octets: readonly number[] }[] = [
	{ encoding: 'utf-8', octets: [0xef, 0xbb, 0xbf] },
	{ encoding: 'utf-16le', octets: [0xff, 0xfe] },
	{ encoding: 'utf-16be', octets: [0xfe, 0xff] },
];
/** Octets per step: some milliseconds of work. */
export const STEP_OCTETS = 128 * 1024;
// UTF-16 without a byte order mark is recognised by its zeros: every other octet of Western text.
const SAMPLE_OCTETS = 2_000;
const ZEROS_SHARE_MIN = 0.4;
const ZEROS_SHARE_MAX = 0.05;
// How many valid UTF-8 sequences outweigh a broken one: Windows-1252 text hardly ever forms one by accident.
const WHOLE_TO_BROKEN_MIN = 10;

/**
 * Finds the encoding of a file: by its byte order mark, then by the zeros of UTF-16, then UTF-8 if (almost) all of it
 * is valid. Otherwise it is Windows-1252, in which every octet is valid.
 */
export function* findEncoding(file: Uint8Array): Steps<Encoding> {
	const marked = MARKS.find(({ octets }) => octets.every((octet, index) => file[index] === octet));
	if (marked !== undefined) return marked.encoding;
	return findUtf16(file) ?? ((yield* isUtf8(file)) ? 'utf-8' : 'windows-1252');
}

/** The file in pieces, so that the decoded text is never in memory as a whole. */
export function* stepsOf(file: Uint8Array): Generator<Uint8Array> {
	for (let from = 0; from < file.length; from += STEP_OCTETS) yield file.subarray(from, from + STEP_OCTETS);
}

function findUtf16(file: Uint8Array): Encoding | null {
	const sample = file.subarray(0, SAMPLE_OCTETS);
	const zerosAt = (parity: number): number =>
		(2 * sample.filter((octet, index) => octet === 0 && index % 2 === parity).length) / sample.length;
	const even = zerosAt(0);
	const odd = zerosAt(1);
	if (odd >= ZEROS_SHARE_MIN && even <= ZEROS_SHARE_MAX) return 'utf-16le';
	return even >= ZEROS_SHARE_MIN && odd <= ZEROS_SHARE_MAX ? 'utf-16be' : null;
}

/** Whether the file is UTF-8. A few broken characters among many valid ones are allowed: files get cut or joined. */
function* isUtf8(file: Uint8Array): Steps<boolean> {
	const decoder = new TextDecoder('utf-8');
	let beyondAscii = 0;
	let broken = 0;
	const count = (text: string): void => {
		beyondAscii += text.length - text.replaceAll(/[^\0-\x7F]+/g, '').length;
		broken += text.length - text.replaceAll('\uFFFD', '').length;
	};
	for (const step of stepsOf(file)) {
		count(decoder.decode(step, { stream: true }));
		yield;
	}
	// A letter that the end cuts in two says nothing.
	return beyondAscii - broken >= WHOLE_TO_BROKEN_MIN * broken;
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * Reads the rows of a text whose lines end in LF. Unless `isLast`, the last row is not read, because it may continue.
 * `Papa.Parser` and not `Papa.parse`: only the parser says where that row begins.
 */
export function parseText(text: string, delimiter: Delimiter, isLast: boolean) {
	const parser = new Papa.Parser({ delimiter, newline: '\n' });
	const { data: rows, errors, meta } = parser.parse(text, 0, !isLast) as Papa.ParseResult<readonly string[]>;
	const odd = errors.find(({ code, row = 0 }) => code === 'InvalidQuotes' && row < rows.length);
	return {
		rows,
		/** Characters that belong to `rows`; the rest begins the next row. */
		consumed: meta.cursor,
		/** Index in `rows` of the first row with a misplaced quotation mark, or null. */
		oddQuote: odd?.row ?? null,
		/** A quotation mark is still open at the end of the last text. */
		unclosed: errors.some(({ code }) => code === 'MissingQuotes'),
	};
}

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
	/** The first row with a misplaced quotation mark, which may have merged rows. */
	oddQuoteRow: number | null = null;
	/** The header, once it was read; null: there is none. */
	header: readonly string[] | null = null;

	/** `hasHeader`: the first row is no row of data. */
	constructor(format: FileFormat, hasHeader = false) {
		this.#format = format;
		this.#hasHeader = hasHeader;
		this.#decoder = new TextDecoder(format.encoding);
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
		if (oddQuote !== null) this.oddQuoteRow ??= first + oddQuote;
		this.#read += rows.length;
		if (this.#rest.length > ROW_CHARS_MAX) throw tooLong(this.#read + 1, this.#rest);
		const kept: Row[] = [];
		// A loop, so that millions of empty lines do not make millions of objects.
		for (const [index, cells] of rows.entries()) {
			const number = first + index;
			if (isBlank(cells) || (number === 1 && this.#format.hasSeparatorLine)) continue;
			const row = requireWidth({ number, cells });
			if (this.#hasHeader && this.header === null) this.header = cells;
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

/** The format of the texts that `CsvText` writes. */
export const CSV_TEXT_FORMAT: FileFormat = {
	encoding: 'utf-8',
	delimiter: ',',
	lineEnd: 'lf',
	hasSeparatorLine: false,
};

/**
 * Writes rows as the text of a list, each cell unchanged, because only we read it again. Files for people are made
 * safe for spreadsheets elsewhere. Throws `ServiceError` for more text than a file can have.
 */
export class CsvText {
	readonly #encoder = new TextEncoder();
	readonly #pieces: Uint8Array[] = [];
	#octets = 0;

	write(cells: readonly string[]): void {
		this.#add(`${cells.map(quoted).join(',')}\n`);
	}

	/** Adds empty rows. */
	skip(rows: number): void {
		if (rows > 0) this.#add('\n'.repeat(rows));
	}

	end(): Uint8Array {
		return joinBytes(this.#pieces);
	}

	#add(line: string): void {
		const piece = this.#encoder.encode(line);
		this.#octets += piece.length;
		if (this.#octets > FILE_OCTETS_MAX)
			throw refusal('As text, this list has more than 20 MB. Keep only the columns you need, or split it.');
		this.#pieces.push(piece);
	}
}

/** The format of a file. */
export interface FileFormat {
	readonly encoding: Encoding;
	readonly delimiter: Delimiter;
	/** `lf` includes CRLF. `cr`: a lone CR, from old Macs. */
	readonly lineEnd: 'lf' | 'cr';
	/** The first line is Excel's `sep=;`, which names the delimiter and is not a row. */
	readonly hasSeparatorLine: boolean;
}
