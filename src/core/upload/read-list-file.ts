import { ServiceError } from '../../errors.ts';
import type { Steps } from '../../lib/slots.ts';
import { addressesIn } from './columns.ts';
import { CSV_TEXT_FORMAT } from './text.ts';
import { NoAddresses, isArchive, refusal, refuseUnreadable } from './file-kind.ts';
import { inspectFile } from './inspect.ts';
import type { Inspection } from './inspect.ts';
import { sheetToCsv } from './xlsx/sheet-rows.ts';
import { openWorkbook } from './xlsx/workbook.ts';

/** The text of a file that a list is read from. */
export interface ListFile {
	/** The file itself, or one sheet of a workbook as CSV. */
	readonly text: Uint8Array;
	readonly inspection: Inspection;
	/** The names of a workbook's sheets; empty for other files. */
	readonly sheets: readonly string[];
	/** How many addresses each sheet holds, as far as its first cells tell; null: it was not read, or can't be. */
	readonly perSheet: readonly (number | null)[];
	/** Index of the sheet in `text`. */
	readonly sheet: number;
}

/** The most sheets that we search for addresses. */
export const SHEETS_TRIED = 5;

/**
 * Reads a text file or a workbook. `sheet`: the one to read; left out: the one with the most addresses. Throws
 * `ServiceError` with the fault and its remedy if we can't accept it as a list.
 */
export function* readListFile(file: Uint8Array, sheet?: number): Steps<ListFile> {
	refuseUnreadable(file);
	if (!isArchive(file))
		return { text: file, inspection: yield* inspectFile(file), sheets: [], perSheet: [], sheet: 0 };
	const book = yield* openWorkbook(file);
	const sheets = book.sheets.map(({ name }) => name);
	const perSheet: (number | null)[] = sheets.map(() => null);
	const tried = sheet === undefined ? [...sheets.keys()].slice(0, SHEETS_TRIED) : [sheet];
	let best: Pick<ListFile, 'text' | 'inspection' | 'sheet'> | null = null;
	let most = 0;
	let refused: unknown = null;
	for (const index of tried) {
		const chosen = book.sheets[index];
		if (chosen === undefined) throw refusal(`The workbook has ${sheets.length} sheets. Choose one of them.`);
		try {
			const text = yield* sheetToCsv(file, book, chosen);
			if (text.length === 0) throw new NoAddresses(`The sheet “${chosen.name}” is empty.`);
			const inspection = yield* inspectFile(text, CSV_TEXT_FORMAT);
			const facts = inspection.columns[inspection.column];
			const addresses = facts === undefined ? 0 : addressesIn(facts);
			perSheet[index] = addresses;
			if (best !== null && addresses <= most) continue;
			best = { text, inspection, sheet: index };
			most = addresses;
		} catch (error) {
			if (error instanceof NoAddresses) perSheet[index] = 0;
			// Another sheet than the list, which may be no list: only who chooses it hears why it can't be read.
			else if (best === null || !(error instanceof ServiceError)) throw error;
			refused ??= error;
		}
	}
	if (best === null) throw refused;
	return { ...best, sheets, perSheet };
}
