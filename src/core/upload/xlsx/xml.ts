import { SaxesParser } from 'saxes';
import type { Steps } from '../../../lib/slots.ts';
import { refusal } from '../file-kind.ts';
import { DAMAGED, unpack } from './zip.ts';
import type { ZipEntry } from './zip.ts';

/** Receives the events of an XML document. Names are without their prefix, which programs choose freely. */
export interface XmlReader {
	readonly open: (name: string, attribute: (name: string) => string | undefined) => void;
	readonly close?: (name: string) => void;
	readonly text?: (text: string) => void;
}

/** Limits the octets unpacked from one workbook in all: a reader's work is proportional to them. */
export class Allowance {
	#left: number;

	constructor(octets: number) {
		this.#left = octets;
	}

	take(octets: number): void {
		this.#left -= octets;
		if (this.#left < 0) throw refusal(TOO_LARGE);
	}
}

/** The message for a workbook that is larger inside than we read. */
export const TOO_LARGE =
	'Unpacked, this Excel workbook is larger than we read. Copy the columns you need to a new workbook, or save the sheet as CSV, and upload that file.';

// Octets between two pauses: some milliseconds of work.
const STEP_OCTETS = 128 * 1024;
// A parser keeps a tag, a text or a comment until its end, and all open tags. A cell holds 32,767 characters, and a
// sheet has some ten levels.
const TOKEN_CHARS_MAX = 1024 * 1024;
const DEPTH_MAX = 200;
// Readers keep names, paths and patterns, which are all shorter.
const ATTRIBUTE_CHARS_MAX = 4_096;

/**
 * Reads a part of a workbook as XML, in steps. `isEnough`, asked after each piece, ends the reading early. Throws
 * `ServiceError` for one that is no XML, or larger than allowed.
 */
export function* readXml(
	file: Uint8Array,
	entry: ZipEntry,
	{ allowance, reader }: { readonly allowance: Allowance; readonly reader: XmlReader },
	isEnough: () => boolean = () => false,
): Steps<void> {
	const parser = new BoundedParser(reader);
	let decoder: TextDecoder | null = null;
	let sincePause = 0;
	for (const piece of unpack(file, entry)) {
		allowance.take(piece.length);
		decoder ??= new TextDecoder(encodingOf(piece));
		for (let at = 0; at < piece.length; at += STEP_OCTETS) {
			const step = piece.subarray(at, at + STEP_OCTETS);
			parser.write(decoder.decode(step, { stream: true }));
			if (isEnough()) return;
			sincePause += step.length;
			if (sincePause < STEP_OCTETS) continue;
			sincePause = 0;
			yield;
		}
	}
	parser.write(decoder?.decode() ?? '');
	parser.end();
}

/** Parses XML. Throws `ServiceError` for a single token that is larger than any in a workbook. */
class BoundedParser {
	readonly #parser: SaxesParser;
	/** Characters written since the last piece was complete. */
	#incomplete = 0;
	#depth = 0;

	constructor({ open, close, text }: XmlReader) {
		const whole = (): void => {
			this.#incomplete = 0;
		};
		const takeText = (taken: string): void => {
			whole();
			text?.(taken);
		};
		this.#parser = parserFor({
			open: (name, attribute) => {
				whole();
				this.#depth += 1;
				if (this.#depth > DEPTH_MAX) throw refusal(DAMAGED);
				open(name, attribute);
			},
			close: (name) => {
				whole();
				this.#depth -= 1;
				close?.(name);
			},
			text: takeText,
		});
		this.#parser.on('comment', whole);
		this.#parser.on('processinginstruction', whole);
		this.#parser.on('doctype', whole);
	}

	write(text: string): void {
		if (text === '') return;
		this.#incomplete += text.length;
		this.#parser.write(text);
		if (this.#incomplete > TOKEN_CHARS_MAX) throw refusal(TOO_LARGE);
	}

	end(): void {
		this.#parser.close();
	}
}

function parserFor({ open, close, text }: Required<XmlReader>): SaxesParser {
	const parser = new SaxesParser({ position: false, xmlns: false });
	parser.on('error', () => {
		throw refusal(DAMAGED);
	});
	parser.on('opentag', ({ name, attributes }) =>
		open(localName(name), (attribute) => {
			const given = attributes as Readonly<Record<string, string>>;
			const value = given[attribute] ?? given[prefixedName(given, attribute)];
			if (value !== undefined && value.length > ATTRIBUTE_CHARS_MAX) throw refusal(DAMAGED);
			return value;
		}),
	);
	parser.on('closetag', ({ name }) => close(localName(name)));
	parser.on('text', text);
	parser.on('cdata', text);
	return parser;
}

/** The full name of an attribute that has a prefix; empty: it does not occur. */
function prefixedName(given: Readonly<Record<string, string>>, attribute: string): string {
	return Object.keys(given).find((each) => localName(each) === attribute) ?? '';
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}

/** ECMA-376-2 §6.1.5: UTF-8 or UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
