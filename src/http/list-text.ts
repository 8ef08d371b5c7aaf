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
import { UnreadableBody, wrongElement } from './unreadable-body.ts';

// Enough to tell the encoding, the delimiter and the columns by: more than the longest row.
const SAMPLE_OCTETS = 512 * 1024;
// A message names this many columns.
const NAMED_MAX = 20;

/** The texts of the list that these octets complete; with the last ones, all that are left. */
type Reader = (octets: Uint8Array, isLast: boolean) => Iterable<string>;

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
		this.#read(true);
		return { [this.#list]: this.#elements };
	}

	#read(isLast: boolean): void {
		const octets = joinBytes(this.#held);
		this.#held = [];
		this.#heldOctets = 0;
		try {
			this.#reader ??= this.#readerFor(octets, isLast);
			for (const text of this.#reader(octets, isLast)) {
				if (this.#elements.length === this.#elementsMax)
					throw wrongElement(this.#list, this.#elementsMax, '');
				// A slice would keep its piece of the body in memory.
				this.#elements.push(shortened(ownCopy(text)));
			}
		} catch (error) {
			// The reader of files speaks to a person who uploads one.
			if (!(error instanceof ServiceError) || error.code !== 'unusable_file') throw error;
			throw new UnreadableBody('invalid_body', withoutUpload(error.message));
		}
	}

	#readerFor(sample: Uint8Array, isWhole: boolean): Reader {
		if (isArchive(sample)) throw refusal(NOT_TEXT);
		if (sample.length > 0) refuseUnreadable(sample);
		return this.#type === 'text/plain' ? linesFrom(sample) : cellsFrom(sample, isWhole, this.#column);
	}
}

/** Reads an address a line. */
function linesFrom(sample: Uint8Array): Reader {
	const decoder = new TextDecoder(atOnce(findEncoding(sample)));
	let rest = '';
	return (octets, isLast) => {
		const text = decoder.decode(octets, { stream: !isLast });
		if (text.includes('\0')) throw refusal(NOT_TEXT);
		// A CRLF that is cut in two makes a blank line, which is none.
		const lines = `${rest}${text}`.split(/\r\n|\r|\n/);
		if (lines.some(({ length }) => length > TEXT_MAX))
			throw new UnreadableBody('invalid_body', `A line is longer than ${TEXT_MAX} characters`);
		rest = isLast ? '' : (lines.pop() ?? '');
		return lines.filter((line) => line.trim() !== '');
	};
}

/** Reads the address of each row of a CSV, as the pages read it from a file. */
function cellsFrom(sample: Uint8Array, isWhole: boolean, wanted: string | undefined): Reader {
	const format = atOnce(findFormat(sample));
	const trial = new RowReader(format);
	const rows = [...trial.push(sample), ...(isWhole ? trial.end() : [])];
	refuseOddQuotes(trial);
	const survey = new Survey();
	survey.add(rows);
	const found = survey.result();
	const { column, hasHeader } = choose(found, rows[0]?.cells ?? [], wanted);
	const reader = new RowReader(format, hasHeader);
	const cellOf = ({ cells }: Row): string => {
		// We choose none of several columns that hold addresses: each row of a wrong one would be charged.
		const isOther = (cell: string, at: number): boolean => at !== column && isAddress(cell);
		const other = wanted === undefined ? cells.findIndex(isOther) : -1;
		if (other !== -1) throw unclear([Math.min(column, other), Math.max(column, other)], found.columns);
		return addressOf(cells[column] ?? '');
	};
	return function* read(octets, isLast) {
		for (const next of [() => reader.push(octets), () => (isLast ? reader.end() : [])]) {
			const complete = next();
			refuseOddQuotes(reader);
			yield* complete.map(cellOf);
		}
	};
}

/** A row with a misplaced quotation mark may hold several, which the caller would not miss. */
function refuseOddQuotes({ oddQuoteRow }: RowReader): void {
	if (oddQuoteRow === null) return;
	const text = `Row ${oddQuoteRow} has a misplaced quotation mark ("), which may join it with the rows below. Correct it.`;
	throw new UnreadableBody('invalid_body', text);
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
