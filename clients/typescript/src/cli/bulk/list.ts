import { isAscii } from 'node:buffer';
import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs';
import { ServiceError } from '../../../../../src/errors.ts';
import { parseAddress } from '../../../../../src/core/address/parse-address.ts';
import { choicesOf, chooseColumn, Survey } from '../../../../../src/core/upload/inspect.ts';
import { isArchive, refuseUnreadable, withoutUpload } from '../../../../../src/core/upload/file-kind.ts';
import { addressOf, findFormat } from '../../../../../src/core/upload/format.ts';
import { RowReader } from '../../../../../src/core/upload/text.ts';
import type { FileFormat, Row } from '../../../../../src/core/upload/text.ts';
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
	return asUsage(async () => {
		const sample = readSample(file);
		refuseUnreadable(sample);
		if (isArchive(sample))
			throw new UsageError(
				'This is an Excel workbook or another zip archive. Save its sheet as CSV (UTF-8).',
			);
		const found = atOnce(findFormat(sample));
		const encoding = await encodingOf(file, sample, found.encoding);
		const format = { ...found, encoding };
		const rows = sampleRows(sample, format, statSync(file).size);
		const [first] = rows;
		if (first === undefined) throw new UsageError('The file has no rows.');
		return { file, format, ...choose(rows, column) };
	});
}

/** The rows below the header, with their numbers. */
export async function* rowsOf({ file, format, header }: List): AsyncGenerator<Row, void, undefined> {
	const reader = new RowReader(format, header !== null);
	const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
	for await (const octets of stream) yield* await asUsage(() => reader.push(octets as Uint8Array));
	yield* await asUsage(() => reader.end());
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

function readSample(file: string): Uint8Array {
	let opened: number | null = null;
	try {
		opened = openSync(file, 'r');
		const sample = new Uint8Array(SAMPLE_OCTETS);
		let filled = 0;
		for (;;) {
			const read = readSync(opened, sample, filled, sample.length - filled, null);
			filled += read;
			if (read === 0 || filled === sample.length) return sample.subarray(0, filled);
		}
	} catch (error) {
		throw new UsageError(`${file} can't be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
	} finally {
		if (opened !== null) closeSync(opened);
	}
}

/** A sample can look like ASCII, and the rest of the file not: then it is read to its end to see whether it is UTF-8. */
async function encodingOf(
	file: string,
	sample: Uint8Array,
	found: FileFormat['encoding'],
): Promise<FileFormat['encoding']> {
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

function sampleRows(sample: Uint8Array, format: FileFormat, size: number): readonly Row[] {
	const reader = new RowReader(format);
	const rows = reader.push(sample);
	return size > sample.length ? rows : [...rows, ...reader.end()];
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
async function asUsage<T>(work: () => T | Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		throw new UsageError(withoutUpload(error.message));
	}
}
