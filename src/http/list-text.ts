import { choicesOf, Survey } from '../core/upload/inspect.ts';
import type { Choice } from '../core/upload/inspect.ts';
import { isArchive, NOT_TEXT, refusal, refuseUnreadable, withoutUpload } from '../core/upload/file-kind.ts';
import { addressOf, findFormat, isAddress } from '../core/upload/format.ts';
import { RowReader, findEncoding, stepsOf } from '../core/upload/text.ts';
import type { Row } from '../core/upload/text.ts';
import { ServiceError } from '../errors.ts';
import { atOnce } from '../lib/slots.ts';
import { ownCopy } from '../lib/text.ts';
import { shortened, TEXT_MAX } from './list-body.ts';
import { UnreadableBody } from './unreadable-body.ts';

// Enough to tell the columns by: more than the longest row.
const SAMPLE_OCTETS = 512 * 1024;
// A message names this many columns.
const NAMED_MAX = 20;

/**
 * Reads a list from text: an address a line, or a row of CSV with one. Lines and rows that are blank are no elements. No more than one
 * element beyond `elementsMax` is read. Throws `UnreadableBody` or `ServiceError`.
 *
 * @param column of `text/csv`: its name, or its number from 1; undefined: the one that holds addresses
 */
export function readListText(
	octets: Uint8Array,
	type: 'text/plain' | 'text/csv',
	elementsMax: number,
	column?: string,
): readonly string[] {
	const elements: string[] = [];
	try {
		if (isArchive(octets)) throw refusal(NOT_TEXT);
		if (octets.length > 0) refuseUnreadable(octets);
		for (const text of type === 'text/plain' ? linesOf(octets) : cellsOf(octets, column)) {
			// A slice would keep the body in memory.
			elements.push(shortened(ownCopy(text)));
			if (elements.length > elementsMax) break;
		}
	} catch (error) {
		// The reader of files speaks to a person who uploads one.
		if (!(error instanceof ServiceError) || error.code !== 'unusable_file') throw error;
		throw new UnreadableBody('invalid_body', withoutUpload(error.message));
	}
	return elements;
}

/** Reads an address a line. */
function* linesOf(octets: Uint8Array): Generator<string> {
	const text = new TextDecoder(atOnce(findEncoding(octets))).decode(octets);
	if (text.includes('\0')) throw refusal(NOT_TEXT);
	for (const [line] of text.matchAll(/[^\r\n]+/g)) {
		if (line.length > TEXT_MAX)
			throw new UnreadableBody('invalid_body', `A line is longer than ${TEXT_MAX} characters`);
		if (line.trim() !== '') yield line;
	}
}

/** Reads the address of each row of a CSV, as the pages read it from a file. */
function* cellsOf(octets: Uint8Array, wanted: string | undefined): Generator<string> {
	const format = atOnce(findFormat(octets));
	const isWhole = octets.length <= SAMPLE_OCTETS;
	const sample = [...rowsOf(octets.subarray(0, SAMPLE_OCTETS), new RowReader(format), isWhole)].flat();
	const survey = new Survey();
	survey.add(sample);
	const found = survey.result();
	const { column, hasHeader } = choose(found, sample[0]?.cells ?? [], wanted);
	const cellOf = ({ cells }: Row): string => {
		// We choose none of several columns that hold addresses: each row of a wrong one would be charged.
		const isOther = (cell: string, at: number): boolean => at !== column && isAddress(cell);
		const other = wanted === undefined ? cells.findIndex(isOther) : -1;
		if (other !== -1) throw unclear([Math.min(column, other), Math.max(column, other)], found.columns);
		return addressOf(cells[column] ?? '');
	};
	for (const rows of rowsOf(octets, new RowReader(format, hasHeader))) yield* rows.map(cellOf);
}

/** The rows of a text in steps, so that few of them are in memory at a time; without the last one of a beginning. */
function* rowsOf(octets: Uint8Array, reader: RowReader, isWhole = true): Generator<readonly Row[]> {
	for (const step of stepsOf(octets)) {
		const rows = reader.push(step);
		refuseOddQuotes(reader);
		yield rows;
	}
	const rows = isWhole ? reader.end() : [];
	refuseOddQuotes(reader);
	yield rows;
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
