import { choicesOf, Survey } from '../core/upload/inspect.ts';
import type { Choice } from '../core/upload/inspect.ts';
import { isArchive, NOT_TEXT, refusal, refuseUnreadable, withoutUpload } from '../core/upload/file-kind.ts';
import { addressOf, findFormat, isAddress } from '../core/upload/format.ts';
import { RowReader, STEP_OCTETS, findEncoding, stepsOf } from '../core/upload/text.ts';
import type { Row } from '../core/upload/text.ts';
import { ServiceError } from '../errors.ts';
import { atOnce } from '../lib/slots.ts';
import { joinBytes } from '../lib/streams.ts';
import { ownCopy } from '../lib/text.ts';
import { shortened, TEXT_MAX } from './list-body.ts';
import { UnreadableBody } from './unreadable-body.ts';

// Enough to tell the encoding, the delimiter and the columns by: more than the longest row.
const SAMPLE_OCTETS = 512 * 1024;
// A message names this many columns.
const NAMED_MAX = 20;
const LINE_FEED = 0x0a;

/** Turns octets into texts of the list. */
interface Reader {
	push(octets: Uint8Array): readonly string[];
	end(): readonly string[];
}

/**
 * Reads a list from text piece by piece, in bounded memory for any input: an address a line, or a row of CSV with one. Lines
 * and rows that are blank are no elements. The result is the object that a JSON body would hold.
 */
export class ListText {
	readonly #type: string;
	readonly #column: string | undefined;
	readonly #list: string;
	readonly #elementsMax: number;
	/** Octets for the reader: it reads a row that is open again with each piece, so it gets few and large ones. */
	#held: Uint8Array[] = [];
	#heldOctets = 0;
	#reader: Reader | null = null;
	readonly #elements: string[] = [];

	/** @param column of `text/csv`: its name, or its number from 1; undefined: the one that holds addresses */
	constructor(type: 'text/plain' | 'text/csv', list: string, elementsMax: number, column?: string) {
		this.#type = type;
		this.#column = column;
		this.#list = list;
		this.#elementsMax = elementsMax;
	}

	/** Throws `UnreadableBody` or `ServiceError` as soon as the text is no list whatever follows. */
	write(piece: Uint8Array): void {
		for (const octets of stepsOf(piece)) {
			this.#held.push(octets);
			this.#heldOctets += octets.length;
			if (this.#heldOctets >= (this.#reader === null ? SAMPLE_OCTETS : STEP_OCTETS)) this.#read(false);
		}
	}

	end(): unknown {
		const reader = this.#read(true);
		this.#add(() => reader.end());
		return { [this.#list]: this.#elements };
	}

	#read(isWhole: boolean): Reader {
		const octets = joinBytes(this.#held);
		this.#held = [];
		this.#heldOctets = 0;
		const reader = (this.#reader ??= explained(() => {
			if (isArchive(octets)) throw refusal(NOT_TEXT);
			if (octets.length > 0) refuseUnreadable(octets);
			return this.#type === 'text/plain'
				? new LineReader(octets)
				: new CellReader(octets, isWhole, this.#column);
		}));
		this.#add(() => reader.push(octets));
		return reader;
	}

	#add(read: () => readonly string[]): void {
		for (const text of explained(read)) {
			if (this.#elements.length === this.#elementsMax) throw this.#tooMany();
			// A slice would keep its piece of the body in memory.
			this.#elements.push(shortened(ownCopy(text)));
		}
	}

	#tooMany(): UnreadableBody {
		const more = Array.from({ length: this.#elementsMax + 1 }, () => '');
		return new UnreadableBody('invalid_body', 'The list is too long', { [this.#list]: more });
	}
}

/** An address a line. */
class LineReader implements Reader {
	readonly #decoder: TextDecoder;
	#rest = '';

	constructor(sample: Uint8Array) {
		this.#decoder = new TextDecoder(atOnce(findEncoding(wholeLines(sample))));
	}

	push(octets: Uint8Array): readonly string[] {
		return this.#take(this.#decoder.decode(octets, { stream: true }), false);
	}

	end(): readonly string[] {
		return this.#take(this.#decoder.decode(), true);
	}

	#take(text: string, isLast: boolean): readonly string[] {
		if (text.includes('\0')) throw refusal(NOT_TEXT);
		// A CRLF that is cut in two makes a blank line, which is none.
		const lines = `${this.#rest}${text}`.split(/\r\n|\r|\n/);
		if (lines.some(({ length }) => length > TEXT_MAX))
			throw new UnreadableBody('invalid_body', `A line is longer than ${TEXT_MAX} characters`);
		this.#rest = isLast ? '' : (lines.pop() ?? '');
		return lines.filter((line) => line.trim() !== '');
	}
}

/** The address of each row of a CSV, as the pages read it from a file. */
class CellReader implements Reader {
	readonly #rows: RowReader;
	readonly #column: number;
	readonly #columns: Columns;
	readonly #isChosen: boolean;

	constructor(sample: Uint8Array, isWhole: boolean, wanted: string | undefined) {
		const format = atOnce(findFormat(isWhole ? sample : wholeLines(sample)));
		const trial = new RowReader(format);
		const rows = [...trial.push(sample), ...(isWhole ? trial.end() : [])];
		refuseOddQuotes(trial);
		const survey = new Survey();
		survey.add(rows);
		const surveyed = survey.result();
		const { column, hasHeader } = choose(surveyed, rows[0]?.cells ?? [], wanted);
		this.#column = column;
		this.#columns = surveyed.columns;
		this.#isChosen = wanted !== undefined;
		this.#rows = new RowReader(format, hasHeader);
	}

	push(octets: Uint8Array): readonly string[] {
		return this.#cells(this.#rows.push(octets));
	}

	end(): readonly string[] {
		return this.#cells(this.#rows.end());
	}

	#cells(rows: readonly Row[]): readonly string[] {
		refuseOddQuotes(this.#rows);
		return rows.map(({ cells }) => {
			if (!this.#isChosen) this.#refuseOthers(cells);
			return addressOf(cells[this.#column] ?? '');
		});
	}

	/** We choose none of several columns that hold addresses: each row of a wrong one would be charged. */
	#refuseOthers(cells: readonly string[]): void {
		const other = cells.findIndex((cell, at) => at !== this.#column && isAddress(cell));
		if (other !== -1)
			throw unclear([Math.min(this.#column, other), Math.max(this.#column, other)], this.#columns);
	}
}

/** A row with a misplaced quotation mark may hold several, which the caller would not miss. */
function refuseOddQuotes({ oddQuoteRow }: RowReader): void {
	if (oddQuoteRow === null) return;
	const text = `Row ${oddQuoteRow} has a misplaced quotation mark ("), which may join it with the rows below. Correct it.`;
	throw new UnreadableBody('invalid_body', text);
}

/** A sample without the row, and perhaps the character, that it cuts in two. */
function wholeLines(sample: Uint8Array): Uint8Array {
	const end = sample.lastIndexOf(LINE_FEED) + 1;
	return end === 0 ? sample : sample.subarray(0, end);
}

/** The column to read. */
function choose(found: ReturnType<Survey['result']>, first: readonly string[], wanted?: string): Choice {
	const { columns, hasHeader } = found;
	const all = [...columns.keys()];
	const holding = all.filter((at) => (columns[at]?.addressShare ?? 0) > 0);
	const meant = wanted === undefined ? [] : choicesOf(found, first, wanted);
	const which = wanted === undefined ? holding : meant.map(({ column }) => column);
	if (which.length > 1) throw unclear(which, columns);
	if (wanted === undefined) return { column: which[0] ?? 0, hasHeader };
	if (meant[0] !== undefined) return meant[0];
	const text = `Invalid parameter: column: there is no such column. The list has ${namesOf(all, columns)}`;
	throw new ServiceError('invalid_parameter', text, { details: { param: 'column' } });
}

type Columns = ReturnType<Survey['result']>['columns'];

function unclear(which: readonly number[], columns: Columns): ServiceError {
	const text = `Missing parameter: column: several columns may be meant: ${namesOf(which, columns)}. Choose one by its number, such as ?column=${(which[0] ?? 0) + 1}`;
	return new ServiceError('missing_parameter', text, { details: { param: 'column' } });
}

function namesOf(which: readonly number[], columns: Columns): string {
	const more = which.length > NAMED_MAX ? `, and ${which.length - NAMED_MAX} more` : '';
	const named = which
		.slice(0, NAMED_MAX)
		.map((at) => `${at + 1} (${columns[at]?.name ?? `Column ${at + 1}`})`);
	return `${named.join(', ')}${more}`;
}

/** The reader of files speaks to a person who uploads one. */
function explained<T>(read: () => T): T {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof ServiceError) || error.code !== 'unusable_file') throw error;
		throw new UnreadableBody('invalid_body', withoutUpload(error.message));
	}
}
