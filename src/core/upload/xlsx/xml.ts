import { SaxesParser } from 'saxes';
import type { Steps } from '../../../lib/steps.ts';
import { refusal } from '../file-kind.ts';
import { DAMAGED, unpack } from './zip.ts';
import type { ZipEntry } from './zip.ts';

/** What a reader is told of an XML document. Names are without their prefix, which programs choose freely. */
export interface XmlReader {
	readonly open: (name: string, attribute: (name: string) => string | undefined) => void;
	readonly close?: (name: string) => void;
	readonly text?: (text: string) => void;
}

/** Octets that may be unpacked of one workbook in all: what a reader does is proportional to them. */
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
	const parser = parserFor(reader);
	let decoder: TextDecoder | null = null;
	let sincePause = 0;
	for (const piece of unpack(file, entry)) {
		allowance.take(piece.length);
		decoder ??= new TextDecoder(encodingOf(piece));
		for (let at = 0; at < piece.length; at += STEP_OCTETS) {
			const step = piece.subarray(at, at + STEP_OCTETS);
			write(parser, decoder.decode(step, { stream: true }));
			if (isEnough()) return;
			sincePause += step.length;
			if (sincePause < STEP_OCTETS) continue;
			sincePause = 0;
			yield;
		}
	}
	write(parser, decoder?.decode() ?? '');
	write(parser, null);
}

function parserFor({ open, close, text }: XmlReader): SaxesParser {
	const parser = new SaxesParser({ position: false, xmlns: false });
	parser.on('error', () => {
		throw refusal(DAMAGED);
	});
	parser.on('opentag', ({ name, attributes }) =>
		open(localName(name), (attribute) => {
			const given = attributes as Readonly<Record<string, string>>;
			const own = given[attribute];
			if (own !== undefined) return own;
			const prefixed = Object.keys(given).find((each) => localName(each) === attribute);
			return prefixed === undefined ? undefined : given[prefixed];
		}),
	);
	if (close !== undefined) parser.on('closetag', ({ name }) => close(localName(name)));
	if (text !== undefined) {
		parser.on('text', text);
		parser.on('cdata', text);
	}
	return parser;
}

function write(parser: SaxesParser, text: string | null): void {
	if (text === null) parser.close();
	else if (text !== '') parser.write(text);
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}

/** ECMA-376-2 §6.1.5: UTF-8 or UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
