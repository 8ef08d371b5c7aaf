import type { Delimiter, FileFormat } from './text.ts';
import { ownCopy } from '../../lib/text.ts';
import type { Steps } from '../../lib/slots.ts';
import { bareAddress, parseAddress } from '../address/parse-address.ts';
import { DELIMITERS, findEncoding, parseText } from './text.ts';

// In any encoding, more than the longest row that we accept.
const SAMPLE_OCTETS = 512 * 1024;
const SAMPLE_ROWS = 200;
const SEPARATOR_LINE = /^sep=([,;\t|])\n/i;

/** Detects the format from the beginning of a file (the encoding from all of it). */
export function* findFormat(file: Uint8Array): Steps<FileFormat> {
	const encoding = yield* findEncoding(file);
	const isWhole = file.length <= SAMPLE_OCTETS;
	const sample = new TextDecoder(encoding).decode(file.subarray(0, SAMPLE_OCTETS));
	const lineEnd = sample.includes('\r') && !sample.includes('\n') ? 'cr' : 'lf';
	const text = lineEnd === 'cr' ? sample.replaceAll('\r', '\n') : sample.replaceAll('\r\n', '\n');
	const named = DELIMITERS.find((delimiter) => SEPARATOR_LINE.exec(text)?.[1] === delimiter);
	const delimiter = named ?? (yield* findDelimiter(text, isWhole));
	return { encoding, delimiter, lineEnd, hasSeparatorLine: named !== undefined };
}

/** The delimiter that yields most cells with an address, and among equals the most even rows; else a comma. */
function* findDelimiter(text: string, isWhole: boolean): Steps<Delimiter> {
	let best: { delimiter: Delimiter } & ReturnType<typeof readAs> = {
		delimiter: ',',
		addresses: 0,
		evenness: 0,
	};
	for (const delimiter of DELIMITERS) {
		const { addresses, evenness } = readAs(text, delimiter, isWhole);
		const isBetter = addresses === best.addresses ? evenness > best.evenness : addresses > best.addresses;
		if (isBetter) best = { delimiter, addresses, evenness };
		yield;
	}
	return best.delimiter;
}

/**
 * How many cells are addresses, and how even the rows are: the share of those with the most frequent number of columns; 0
 * where that is one, since nothing is split then.
 */
function readAs(text: string, delimiter: Delimiter, isWhole: boolean) {
	const complete = parseText(text, delimiter, isWhole).rows;
	const { rows } = complete.length > 0 ? { rows: complete } : parseText(text, delimiter, true);
	const sample = rows.filter((cells) => cells.some((cell) => cell.trim() !== '')).slice(0, SAMPLE_ROWS);
	const widths = new Map<number, number>();
	for (const { length } of sample) widths.set(length, (widths.get(length) ?? 0) + 1);
	const [width, count] = [...widths].reduce((a, b) => (b[1] > a[1] ? b : a), [1, 0]);
	// A cell with two of them may be two cells of another delimiter.
	const addresses = sample.reduce((sum, cells) => sum + cells.filter(isBareAddress).length, 0);
	return { addresses, evenness: width === 1 ? 0 : count / sample.length };
}

// The `@` is checked first, because most cells have none.
const isBareAddress = (cell: string): boolean => cell.includes('@') && parseAddress(bareText(cell)).ok;

/** True for a cell that holds an address, or several. */
export function isAddress(cell: string): boolean {
	return cell.includes('@') && parseAddress(addressOf(cell)).ok;
}

// A formula made safe with an apostrophe, as in our own files.
const NEUTRALISED = /^'\s*[=+\-@]/;

/** The text of a cell in the column of addresses, without what people and programs put around an address. */
export function bareText(cell: string): string {
	const trimmed = cell.trim();
	return bareAddress(NEUTRALISED.test(trimmed) ? trimmed.slice(1).trim() : trimmed);
}

/**
 * The address in a cell, the first of several; else the cell's text. Copied, because a slice would keep its part of the
 * file in memory.
 */
export function addressOf(cell: string): string {
	const text = bareText(cell);
	return ownCopy(addressesIn(text)[0] ?? text);
}

/** Whether a cell holds addresses beside the one that is taken. */
export function holdsMore(cell: string): boolean {
	const [first, ...others] = addressesIn(bareText(cell)).map((text) => text.toLowerCase());
	return others.some((other) => other !== first);
}

// Behind the first `@`. Most cells have neither, and are not looked at twice.
const SEVERAL_OR_ENDED = /[\s,;|]|[.:]$/;
const WORD = /[\p{L}\p{N}]/u;
const NAMED = /^(?:[^<>@]{0,200}<[^\s<>@]{1,64}@[^\s<>@]{1,255}>\.?|[^\s<>@]{1,64}@[^\s<>@]{1,255})$/u;

/**
 * The addresses of a cell that is not one itself: `ada@x.test,` or `ada@x.test; bob@x.test`. None where it has other words,
 * as notes have.
 */
function addressesIn(text: string): readonly string[] {
	const at = text.indexOf('@');
	if (at === -1 || !SEVERAL_OR_ENDED.test(text.slice(at)) || parseAddress(text).ok) return [];
	const words = text.split(/[\s,;|]+/);
	const pieces = text
		.replaceAll(/"[^"]*"/gu, '')
		.split(/[,;|]/)
		.map((piece) => piece.trim());
	const isNote = text.includes('<')
		? pieces.some((piece) => piece !== '' && !NAMED.test(piece))
		: words.some((word) => WORD.test(word) && !word.includes('@'));
	if (isNote) return [];
	const found = findMailboxes(text).map((each) => each.text);
	return parseAddress(found[0] ?? '').ok && found.every((each) => each.includes('@')) ? found : [];
}

// The most characters of a cell on a page: the page stays small whatever the file contains.
const SHOWN_CHARS = 120;

/** A cell for display: cut if it is long. */
export function shown(cell: string): string {
	return cell.length <= SHOWN_CHARS ? cell : `${cell.slice(0, SHOWN_CHARS - 1)}…`;
}

/** An address that was found, and the name beside it. */
export interface Mailbox {
	readonly text: string;
	readonly name: string;
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
