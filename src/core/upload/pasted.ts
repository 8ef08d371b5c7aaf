import type { Steps } from '../../lib/slots.ts';
import { CSV_TEXT_FORMAT, CsvText } from './text.ts';
import { NoAddresses } from './file-kind.ts';
import { inspectFile } from './inspect.ts';
import { findMailboxes } from './mailboxes.ts';
import type { ListFile } from './read-list-file.ts';

/** The most characters that can be pasted: 50,000 addresses with names, and room to spare. */
export const PASTED_CHARS_MAX = 5 * 1024 * 1024;

// Below this share of addresses, a column is one of words with some addresses among them.
const TABLE_SHARE_MIN = 0.5;

/**
 * Reads pasted text as a list. Cells from a spreadsheet, and text with a header, keep their columns. In any other
 * text it finds addresses between any separators, with or without names. Throws `ServiceError` for text without any.
 */
export function* readPasted(text: string): Steps<ListFile> {
	const table = yield* readAsTable(text);
	if (table !== null) return table;
	const mailboxes = findMailboxes(text);
	if (!mailboxes.some(({ text: found }) => found.includes('@')))
		throw new NoAddresses('There is no email address in this text, such as ada@example.com.');
	const hasNames = mailboxes.some(({ name }) => name !== '');
	const csv = new CsvText();
	csv.write(hasNames ? ['Email', 'Name'] : ['Email']);
	for (const { text: found, name } of mailboxes) csv.write(hasNames ? [found, name] : [found]);
	const octets = csv.end();
	return {
		text: octets,
		inspection: yield* inspectFile(octets, CSV_TEXT_FORMAT),
		sheets: [],
		perSheet: [],
		sheet: 0,
	};
}

/** Null: it is no table. */
function* readAsTable(text: string): Steps<ListFile | null> {
	// A name before an address in angle brackets (RFC 5322 §3.4) is for the other way of reading.
	if (/<[^<>\s]+@[^<>\s@]+>/.test(text)) return null;
	const octets = new TextEncoder().encode(text);
	try {
		const inspection = yield* inspectFile(octets);
		const share = inspection.columns[inspection.column]?.addressShare ?? 0;
		const isTable = inspection.hasHeader || inspection.format.delimiter === '\t';
		// Without a header, several columns of addresses are addresses in lines, not people with several addresses.
		const isOfAddresses = !inspection.hasHeader && inspection.columns.every((each) => each.addressShare > 0);
		if (!isTable || isOfAddresses || share < TABLE_SHARE_MIN) return null;
		return { text: octets, inspection, sheets: [], perSheet: [], sheet: 0 };
	} catch (error) {
		if (error instanceof Error && error.name === 'ServiceError') return null;
		throw error;
	}
}
