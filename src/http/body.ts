import type { z } from 'zod';
import { ERRORS } from '../core/errors/error-table.ts';
import { errorOf, ServiceError } from '../errors.ts';
import { readOctets, readPieces } from '../lib/streams.ts';
import { parseJson } from '../lib/text.ts';
import type { AppContext } from './context.ts';
import { checked } from './on-error.ts';
import { DEPTH_MAX, notJson, notText, TOO_DEEP, UnreadableBody } from './unreadable-body.ts';

/**
 * Reads a JSON body of at most `octetsMax`, counted while reading, and checks it against a schema. It is in memory
 * several times over, so long lists are read with `readJsonList`. Throws the refusal.
 */
export async function readJson<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	octetsMax: number,
): Promise<z.output<S>> {
	requireJson(c);
	return readAs(c, schema, async () => {
		const { octets, isWhole } = await readOctets(c.req.raw, octetsMax);
		if (!isWhole) throw tooLong(octetsMax);
		if (nestsTooDeep(octets)) throw new UnreadableBody('invalid_body', TOO_DEEP);
		let text: string;
		try {
			text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(octets);
		} catch {
			throw notText();
		}
		const value = parseJson(text);
		if (value === undefined) throw notJson();
		return value;
	});
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
// Braces; a bracket is a brace without this bit.
const [OPENING, CLOSING, BRACE] = [0x7b, 0x7d, 0x20];

/** Counts brackets outside of texts: each level costs `JSON.parse` thirty times the octet that opens it. */
function nestsTooDeep(json: Uint8Array): boolean {
	let [depth, isText] = [0, false];
	for (let at = 0; at < json.length && depth <= DEPTH_MAX; at += 1) {
		const octet = json[at] ?? 0;
		if (octet === QUOTE) isText = !isText;
		else if (isText) at += octet === BACKSLASH ? 1 : 0;
		else if ((octet | BRACE) === OPENING) depth += 1;
		else if ((octet | BRACE) === CLOSING) depth -= 1;
	}
	return depth > DEPTH_MAX;
}

/** The limits of a body with one long list of texts. */
export interface ListLimits {
	readonly octetsMax: number;
	/** The field that holds the list. */
	readonly field: string;
	readonly elementsMax: number;
	/** It may also come as text of these types: their descriptions and examples. */
	readonly texts: Readonly<Record<TextType, { readonly says: string; readonly example: string }>>;
}

const TEXT_TYPES = ['text/plain', 'text/csv'] as const;
type TextType = (typeof TEXT_TYPES)[number];

/**
 * As `readJson`, for an object with one long list of texts, which is read piece by piece: its memory is bounded whatever it
 * holds. The list may also come alone, as text, whose memory is that of its octets.
 */
export async function readList<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	{ octetsMax, field, elementsMax }: ListLimits,
): Promise<z.output<S>> {
	const type = TEXT_TYPES.find((each) => each === mediaTypeOf(c));
	// With their parsers they are read with the first list, not at each start.
	const readText = async (as: TextType): Promise<unknown> => {
		const { octets, isWhole } = await readOctets(c.req.raw, octetsMax);
		if (!isWhole) throw tooLong(octetsMax);
		const { readListText } = await import('./list-text.ts');
		return { [field]: readListText(octets, as, elementsMax, c.req.query('column')) };
	};
	const read = async (): Promise<unknown> => {
		const reader = new (await import('./list-body.ts')).ListBody(field, elementsMax);
		const isWhole = await readPieces(c.req.raw.body, octetsMax, (piece) => reader.write(piece));
		if (!isWhole) throw tooLong(octetsMax);
		return reader.end();
	};
	if (mediaTypeOf(c) === 'application/x-www-form-urlencoded')
		throw new ServiceError('unsupported_media_type', FORM);
	if (type === undefined) requireJson(c, `, or ${TEXT_TYPES.join(' or ')}`);
	return readAs(c, schema, type === undefined ? read : async () => readText(type));
}

const FORM =
	"The body must not be a form, as curl sends by itself: curl --data-binary @list.csv -H 'Content-Type: text/csv'. With -d its lines are joined";

function mediaTypeOf(c: AppContext): string | undefined {
	return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** @param or other types, for the message */
function requireJson(c: AppContext, or = ''): void {
	const type = mediaTypeOf(c);
	if (type === undefined || type === 'application/json' || /^application\/.+\+json$/.test(type)) return;
	throw new ServiceError('unsupported_media_type', `${ERRORS.unsupported_media_type.says}${or}`);
}

async function readAs<S extends z.ZodType>(c: AppContext, schema: S, read: () => Promise<unknown>) {
	const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? '';
	if (encoding !== '' && encoding !== 'identity') throw errorOf('unsupported_encoding');
	let sent: unknown;
	try {
		sent = await read();
	} catch (error) {
		if (error instanceof UnreadableBody && error.value !== undefined) checked(schema, error.value);
		if (error instanceof ServiceError) throw error;
		// A client that disconnected while sending does not read the answer.
		throw new ServiceError('invalid_json', 'The body broke off');
	}
	return checked(schema, sent);
}

function tooLong(octetsMax: number): UnreadableBody {
	return new UnreadableBody('body_too_large', `The body is longer than ${octetsMax} bytes`);
}
