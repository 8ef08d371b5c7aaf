import { ServiceError } from '../../errors.ts';
import type { Steps } from '../../lib/slots.ts';
import { addressesIn, inspectFile } from './inspect.ts';
import { NoAddresses, isArchive, refusal, refuseUnreadable } from './file-kind.ts';
import type { Choice, Inspection } from './inspect.ts';
import { findMailboxes } from './format.ts';
import { CSV_TEXT_FORMAT, CsvText } from './text.ts';
import type { FileFormat } from './text.ts';
import { sheetToCsv } from './xlsx/sheet.ts';
import { openWorkbook } from './xlsx/workbook.ts';

/** The text of a file that a list is read from. */
export interface ListFile {
	/** The file itself, or one sheet of a workbook as CSV. */
	readonly text: Uint8Array;
	readonly inspection: Inspection;
	/** The sheets of a workbook; none for other files. */
	readonly sheets: readonly SheetFacts[];
}

/** The facts of an uploaded file. */
export interface Upload extends Omit<ListFile, 'text'> {
	readonly uploadId: string;
	/** The name on the person's computer, cut to 255 characters. */
	readonly fileName: string;
	readonly octets: number;
	/** Epoch milliseconds. */
	readonly stagedAt: number;
	/** The job that was made from it, whereupon the file itself was removed. Null: not started. */
	readonly jobId: string | null;
}

/** A sheet of a workbook. */
export interface SheetFacts {
	readonly name: string;
	/** How many addresses it holds, as far as its first cells tell; null: it was not read, or can't be. */
	readonly addresses: number | null;
	/** It is the list. */
	readonly isChosen: boolean;
}

/**
 * The description of the file that a job was made from. Beside it lies the text of its rows: the file itself, or the
 * sheet of a workbook as CSV.
 */
export interface OriginalList extends Choice {
	readonly fileName: string;
	readonly format: FileFormat;
	/** Number of columns of the widest row. */
	readonly columns: number;
	/** A number for each row of data, for `readPlace`. */
	readonly places: readonly number[];
}

/** The way to read a file: the person's, else our guess. Throws `ServiceError` for a column that does not exist. */
export function chosenOf(inspection: Inspection, wanted: Partial<Choice>): Choice {
	const { column = inspection.column, hasHeader = inspection.hasHeader } = wanted;
	if (inspection.columns[column] !== undefined) return { column, hasHeader };
	throw refusal(`The file has ${inspection.columns.length} columns. Choose one of them.`);
}

// The most sheets that we search for addresses.
const SHEETS_TRIED = 5;

/**
 * Reads a text file, or the sheet of a workbook that holds the most addresses. Throws `ServiceError` with the fault and its
 * remedy if we can't accept it as a list.
 */
export function* readListFile(file: Uint8Array): Steps<ListFile> {
	refuseUnreadable(file);
	if (!isArchive(file)) return { text: file, inspection: yield* inspectFile(file), sheets: [] };
	const book = yield* openWorkbook(file);
	const perSheet: (number | null)[] = book.sheets.map(() => null);
	let best: { readonly at: number; readonly text: Uint8Array; readonly inspection: Inspection } | null = null;
	let refused: unknown = null;
	for (const [at, sheet] of book.sheets.slice(0, SHEETS_TRIED).entries()) {
		try {
			const text = yield* sheetToCsv(file, book, sheet);
			if (text.length === 0) throw new NoAddresses(`The sheet “${sheet.name}” is empty.`);
			const inspection = yield* inspectFile(text, CSV_TEXT_FORMAT);
			const addresses = addressesIn(inspection.columns[inspection.column]);
			perSheet[at] = addresses;
			if (best === null || addresses > (perSheet[best.at] ?? 0)) best = { at, text, inspection };
		} catch (error) {
			if (error instanceof NoAddresses) perSheet[at] = 0;
			// Beside the list, a sheet that can't be read is no reason to refuse it.
			else if (best === null || !(error instanceof ServiceError)) throw error;
			refused ??= error;
		}
	}
	if (best === null) throw refused;
	const sheets = book.sheets.map(({ name }, at) => ({
		name,
		addresses: perSheet[at] ?? null,
		isChosen: at === best.at,
	}));
	return { text: best.text, inspection: best.inspection, sheets };
}

/** The most characters that can be pasted: 50,000 addresses with names, and room to spare. */
export const PASTED_CHARS_MAX = 5 * 1024 * 1024;

// Below this share of addresses, a column is one of words with some addresses among them.
const TABLE_SHARE_MIN = 0.5;

/**
 * Reads pasted text as a list. Cells from a spreadsheet, and text with a header, are read as a file is. Any other text
 * has a row for each address between separators. Throws `ServiceError` for text without any, or too much of it.
 */
export function* readPasted(text: string): Steps<ListFile> {
	if (text.length > PASTED_CHARS_MAX)
		throw refusal('This is more than 5 MB of text. Upload it as a file instead.');
	const pasted = new TextEncoder().encode(text);
	const table = yield* readAsTable(text, pasted);
	if (table !== null) return { text: pasted, inspection: table, sheets: [] };
	const mailboxes = findMailboxes(text);
	if (!mailboxes.some(({ text: found }) => found.includes('@')))
		throw new NoAddresses('There is no email address in this text, such as ada@example.com.');
	const hasNames = mailboxes.some(({ name }) => name !== '');
	const csv = new CsvText();
	csv.write(hasNames ? ['Email', 'Name'] : ['Email']);
	for (const { text: found, name } of mailboxes) csv.write(hasNames ? [found, name] : [found]);
	const octets = csv.end();
	return { text: octets, inspection: yield* inspectFile(octets, CSV_TEXT_FORMAT), sheets: [] };
}

/** Null: it is no table. */
function* readAsTable(text: string, octets: Uint8Array): Steps<Inspection | null> {
	// A name before an address in angle brackets (RFC 5322 §3.4) is for the other way of reading.
	if (/<[^<>\s]+@[^<>\s@]+>/.test(text)) return null;
	try {
		const inspection = yield* inspectFile(octets);
		const { columns, column, format, hasHeader } = inspection;
		// Without a header, several columns of addresses are addresses in lines, not people with several addresses.
		const isOfCells = format.delimiter === '\t' && columns.some((each) => each.addressShare === 0);
		const share = columns[column]?.addressShare ?? 0;
		return (hasHeader || isOfCells) && share >= TABLE_SHARE_MIN ? inspection : null;
	} catch (error) {
		if (error instanceof ServiceError) return null;
		throw error;
	}
}
