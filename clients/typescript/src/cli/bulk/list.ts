import { isAscii } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../../../../src/errors.ts';
import { parseAddress } from '../../../../../src/core/address/parse-address.ts';
import { choicesOf, chooseColumn, Survey } from '../../../../../src/core/upload/inspect.ts';
import { isArchive, refuseUnreadable, withoutUpload } from '../../../../../src/core/upload/file-kind.ts';
import { addressOf, findFormat } from '../../../../../src/core/upload/format.ts';
import { RowReader } from '../../../../../src/core/upload/text.ts';
import type { Encoding, FileFormat, Row } from '../../../../../src/core/upload/text.ts';
import { atOnce } from '../../../../../src/lib/slots.ts';
import { UsageError } from '../command.ts';

/** A file, and how it is read. It is never in memory as a whole. */
export interface List {
	readonly file: string;
	readonly format: FileFormat;
	/** The cells of its first row, if that names the columns. */
	readonly header: readonly string[] | null;
	/** Index of the column of addresses, and how many columns there are. */
	readonly column: number;
	readonly width: number;
}

// Enough to tell delimiter and columns by.
const SAMPLE_OCTETS = 1024 * 1024;

/**
 * Finds out how a file is read. The column is chosen by name, or by number from 1, or else guessed. Throws `UsageError`
 * for a file that is no list.
 */
export async function openList(file: string, column: string | undefined): Promise<List> {
	const sample = await readSample(file);
	try {
		refuseUnreadable(sample);
		if (isArchive(sample))
			throw new UsageError(
				'This is an Excel workbook or another zip archive. Save its sheet as CSV (UTF-8).',
			);
		const found = atOnce(findFormat(sample));
		const encoding = await encodingOf(file, sample, found.encoding);
		const format = { ...found, encoding };
		const reader = new RowReader(format);
		const rows = [...reader.push(sample), ...(sample.length < SAMPLE_OCTETS ? reader.end() : [])];
		if (rows.length === 0) throw new UsageError('The file has no rows.');
		return { file, format, ...choose(rows, column) };
	} catch (error) {
		throw asUsage(error);
	}
}

/** The rows below the header, with their numbers. */
export async function* rowsOf({ file, format, header }: List): AsyncGenerator<Row, void, undefined> {
	const reader = new RowReader(format, header !== null);
	const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
	try {
		for await (const octets of stream) yield* reader.push(octets as Uint8Array);
		yield* reader.end();
	} catch (error) {
		throw asUsage(error);
	}
}

/** The most addresses of a job. */
export const PART_EMAILS_MAX = 50_000;
// The service takes 14 MiB; each address may be escaped as JSON.
const PART_OCTETS_MAX = 12 * 1024 * 1024;

/** By what an address is found again: case, and the script of its domain, make no difference to the service. */
export function keyOf(email: string): string {
	const address = parseAddress(email);
	// Letters are composed (NFC), as in the answers of the service.
	const typed = (address.ok ? address.address.email : email.trim()).toLowerCase();
	return address.ok ? typed.slice(0, typed.lastIndexOf('@') + 1) + address.address.domain : typed;
}

/** The text in the column of addresses. */
export function emailOf({ cells }: Row, column: number): string {
	return addressOf(cells[column] ?? '');
}

/** The different addresses of a list in pieces of one job each, in the order of their first rows. Adds their `keys`. */
export async function* partsOf(
	list: List,
	keys: Set<string>,
): AsyncGenerator<readonly string[], void, undefined> {
	let emails: string[] = [];
	let octets = 0;
	for await (const row of rowsOf(list)) {
		const email = emailOf(row, list.column);
		const key = keyOf(email);
		if (key === '' || keys.has(key)) continue;
		keys.add(key);
		const size = JSON.stringify(email).length * 3 + 1;
		if (emails.length >= PART_EMAILS_MAX || octets + size > PART_OCTETS_MAX) {
			yield emails;
			emails = [];
			octets = 0;
		}
		emails.push(email);
		octets += size;
	}
	if (emails.length > 0) yield emails;
}

async function readSample(file: string): Promise<Uint8Array> {
	return buffer(createReadStream(file, { end: SAMPLE_OCTETS - 1 })).catch((error: NodeJS.ErrnoException) => {
		throw new UsageError(`${file} can't be read: ${error.code ?? String(error)}`);
	});
}

/** A sample can look like ASCII, and the rest of the file not: then it is read to its end to see whether it is UTF-8. */
async function encodingOf(file: string, sample: Uint8Array, found: Encoding): Promise<Encoding> {
	if (found !== 'utf-8' || !isAscii(sample)) return found;
	const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
	try {
		for await (const octets of createReadStream(file)) decoder.decode(octets as Uint8Array, { stream: true });
		decoder.decode();
		return 'utf-8';
	} catch (error) {
		if (error instanceof TypeError) return 'windows-1252';
		throw error;
	}
}

function choose(rows: readonly Row[], column: string | undefined): Omit<List, 'file' | 'format'> {
	const survey = new Survey();
	survey.add(rows);
	const surveyed = survey.result();
	const top = rows[0]?.cells ?? [];
	const width = surveyed.columns.length;
	if (column !== undefined) {
		const [choice, ...others] = choicesOf(surveyed, top, column);
		if (others.length > 0)
			throw new UsageError(`Several columns are called ${column}. Choose one by its number, from 1.`);
		if (choice !== undefined) return { header: choice.hasHeader ? top : null, column: choice.column, width };
		throw new UsageError(`There is no column ${column}. The file has: ${top.join(', ')}`);
	}
	const guess = chooseColumn(surveyed.columns);
	if (guess === null) throw new UsageError('No column holds email addresses. Name it with --column.');
	return { header: surveyed.hasHeader ? top : null, column: guess, width };
}

/** The service's own reader speaks of uploads. */
function asUsage(error: unknown): unknown {
	return error instanceof ServiceError ? new UsageError(withoutUpload(error.message)) : error;
}
