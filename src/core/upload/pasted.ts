import type { Steps } from '../../lib/slots.ts';
import { CSV_TEXT_FORMAT, CsvText } from './text.ts';
import { NoAddresses } from './file-kind.ts';
import { inspectFile } from './inspect.ts';
import type { ListFile } from './read-list-file.ts';

/** The most characters that can be pasted: 50,000 addresses with names, and room to spare. */
export const PASTED_CHARS_MAX = 5 * 1024 * 1024;

/** An address that was found, and the name beside it. */
export interface Mailbox {
	readonly text: string;
	readonly name: string;
}

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
	return { text: octets, inspection: yield* inspectFile(octets, CSV_TEXT_FORMAT), sheets: [], sheet: 0 };
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
		return { text: octets, inspection, sheets: [], sheet: 0 };
	} catch (error) {
		if (error instanceof Error && error.name === 'ServiceError') return null;
		throw error;
	}
}

const SEPARATORS = /[,;|\t\r\n]/;

/** Addresses in a text, in its order. It also keeps texts that are not addresses, so that people see them left out. */
export function findMailboxes(text: string): readonly Mailbox[] {
	const found: Mailbox[] = [];
	for (const line of text.split(/\r\n|\r|\n/)) findInLine(line, found);
	return found;
}

function findInLine(line: string, found: Mailbox[]): void {
	let waiting: string[] = [];
	for (const piece of piecesOf(line)) {
		const [, before, inside] = /^([^<]*)<([^<>]*)>/.exec(piece) ?? [];
		if (inside !== undefined) {
			// `Doe, Jane <jane@example.com>`: a comma in the name, without quotes.
			const name = [...waiting, before ?? ''].map((each) => unquoted(each)).join(', ');
			waiting = [];
			found.push({ text: bare(inside), name: name.replace(/^, |, $/g, '').trim() });
		} else if (piece.includes('@')) {
			pushAll(waiting, found);
			waiting = [];
			const words = piece.split(/\s+/).filter((word) => word !== '');
			const addresses = words.filter((word) => word.includes('@'));
			const name = unquoted(words.filter((word) => !word.includes('@')).join(' '));
			for (const address of addresses)
				found.push({ text: bare(address), name: addresses.length === 1 ? name : '' });
		} else if (piece !== '') waiting.push(piece);
	}
	pushAll(waiting, found);
}

function pushAll(pieces: readonly string[], found: Mailbox[]): void {
	for (const piece of pieces) found.push({ text: piece, name: '' });
}

/** The parts of a line between separators that do not stand in quotation marks or angle brackets. */
function piecesOf(line: string): readonly string[] {
	// A quotation mark that nothing closes is one character like others.
	const quotes = (line.match(/"/g)?.length ?? 0) % 2 === 0;
	const pieces: string[] = [];
	let from = 0;
	let inQuotes = false;
	for (let at = 0; at < line.length; at += 1) {
		const char = line[at] ?? '';
		if (quotes && char === '"') inQuotes = !inQuotes;
		if (inQuotes || !SEPARATORS.test(char)) continue;
		pieces.push(line.slice(from, at).trim());
		from = at + 1;
	}
	pieces.push(line.slice(from).trim());
	return pieces;
}

function unquoted(text: string): string {
	return text
		.trim()
		.replace(/^"(.*)"$/, '$1')
		.trim();
}

/** Removes the characters that people and programs put around an address. */
function bare(text: string): string {
	return text
		.trim()
		.replace(/^(?:mailto:)/i, '')
		.replace(/^(?=\S+@)["'([{<]+/, '')
		.replace(/(?<!["')\]}>.:])["')\]}>.:]+$/, '');
}
