import { SaxesParser } from 'saxes';
import type { Steps } from '../../../lib/slots.ts';
import { refusal } from '../file-kind.ts';
import { STEP_OCTETS } from '../text.ts';
import { DAMAGED, unpack } from './zip.ts';
import type { ZipEntry } from './zip.ts';

/** Receives the events of an XML document. Names are without their prefix, which programs choose freely. */
export interface XmlReader {
	readonly open: (name: string, attribute: (name: string) => string | undefined) => void;
	readonly close?: (name: string) => void;
	readonly text?: (text: string) => void;
}

/** The octets that may still be unpacked of one workbook: a reader's work is proportional to them. */
export interface Allowance {
	left: number;
}

/** The message for a workbook that is larger inside than we read. */
export const TOO_LARGE =
	'Unpacked, this Excel workbook is larger than we read. Copy the columns you need to a new workbook, or save the sheet as CSV, and upload that file.';

// A parser keeps a tag, a text or a comment until its end, and all open tags. A cell holds 32,767 characters, and a
// sheet has some ten levels.
const TOKEN_CHARS_MAX = 1024 * 1024;
const DEPTH_MAX = 200;
// Readers keep names, paths and patterns, which are all shorter.
const ATTRIBUTE_CHARS_MAX = 4_096;

/** Reads a part of a workbook as XML, in steps. Throws `ServiceError` for one that is no XML, or larger than allowed. */
export function* readXml(
	file: Uint8Array,
	entry: ZipEntry,
	{ allowance, reader }: { readonly allowance: Allowance; readonly reader: XmlReader },
): Steps<void> {
	const parser = boundedParser(reader);
	// ECMA-376-2 §6.1.5 also allows UTF-16, which no spreadsheet program writes.
	const decoder = new TextDecoder();
	let sincePause = 0;
	for (const piece of unpack(file, entry)) {
		allowance.left -= piece.length;
		if (allowance.left < 0) throw refusal(TOO_LARGE);
		for (let at = 0; at < piece.length; at += STEP_OCTETS) {
			const step = piece.subarray(at, at + STEP_OCTETS);
			parser.write(decoder.decode(step, { stream: true }));
			sincePause += step.length;
			if (sincePause < STEP_OCTETS) continue;
			sincePause = 0;
			yield;
		}
	}
	parser.write(decoder.decode());
	parser.close();
}

/** A parser that throws `ServiceError` for a single token that is larger than any in a workbook, and for depth. */
function boundedParser({ open, close, text }: XmlReader): Pick<SaxesParser, 'write' | 'close'> {
	const parser = new SaxesParser({ position: false, xmlns: false });
	// Characters written since the last token was complete.
	let incomplete = 0;
	let depth = 0;
	const whole = (): void => {
		incomplete = 0;
	};
	const takeText = (taken: string): void => {
		whole();
		text?.(taken);
	};
	parser.on('error', () => {
		throw refusal(DAMAGED);
	});
	parser.on('opentag', ({ name, attributes }) => {
		whole();
		depth += 1;
		if (depth > DEPTH_MAX) throw refusal(DAMAGED);
		open(localName(name), (attribute) => {
			const given = attributes as Readonly<Record<string, string>>;
			const value = given[attribute] ?? given[prefixedName(given, attribute)];
			if (value !== undefined && value.length > ATTRIBUTE_CHARS_MAX) throw refusal(DAMAGED);
			return value;
		});
	});
	parser.on('closetag', ({ name }) => {
		whole();
		depth -= 1;
		close?.(localName(name));
	});
	parser.on('text', takeText);
	parser.on('cdata', takeText);
	parser.on('comment', whole);
	parser.on('processinginstruction', whole);
	parser.on('doctype', whole);
	return {
		write: (piece: string) => {
			incomplete += piece.length;
			if (piece !== '') parser.write(piece);
			if (incomplete > TOKEN_CHARS_MAX) throw refusal(TOO_LARGE);
			return parser;
		},
		close: () => parser.close(),
	};
}

/** The full name of an attribute that has a prefix; empty: it does not occur. */
function prefixedName(given: Readonly<Record<string, string>>, attribute: string): string {
	return Object.keys(given).find((each) => localName(each) === attribute) ?? '';
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}
