import type { z } from 'zod';
import { ERRORS } from '../core/errors/error-table.ts';
import { errorOf, ServiceError } from '../errors.ts';
import { readOctets } from '../lib/streams.ts';
import { parseJson, shortened } from '../lib/text.ts';
import type { AppContext } from './context.ts';
import { checked } from './on-error.ts';

/** Reads a JSON body of at most `octetsMax`, counted while reading, and checks it against a schema. Throws the refusal. */
export async function readJson<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	octetsMax: number,
): Promise<z.output<S>> {
	requireJson(c);
	const octets = await octetsOf(c, octetsMax);
	return checked(schema, jsonIn(octets, shapeOf(octets).depth));
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

/** As `readJson`, for an object with one long list of texts. The list may also come alone, as text. */
export async function readList<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	{ octetsMax, field, elementsMax }: ListLimits,
): Promise<z.output<S>> {
	const type = TEXT_TYPES.find((each) => each === mediaTypeOf(c));
	if (mediaTypeOf(c) === 'application/x-www-form-urlencoded')
		throw new ServiceError('unsupported_media_type', FORM);
	if (type === undefined) requireJson(c, `, or ${TEXT_TYPES.join(' or ')}`);
	const octets = await octetsOf(c, octetsMax);
	if (type === undefined) return checked(schema, listIn(octets, field, elementsMax));
	// With its parsers it is read with the first such list, not at each start.
	const { readListText } = await import('./list-text.ts');
	return checked(schema, { [field]: readListText(octets, type, elementsMax, c.req.query('column')) });
}

/**
 * The value of a long JSON body with a list of texts, those of which that are too long for an address cut. A body with twice
 * the values of the list is none: it becomes a list that is too long.
 */
export function listIn(octets: Uint8Array, field: string, elementsMax: number): unknown {
	const { depth, values } = shapeOf(octets);
	if (values > 2 * elementsMax) return { [field]: Array.from({ length: elementsMax + 1 }, () => '') };
	const value = jsonIn(octets, depth);
	if (typeof value !== 'object' || value === null) return value;
	const { [field]: list, ...rest } = value as Readonly<Record<string, unknown>>;
	if (!Array.isArray(list)) return value;
	return { ...rest, [field]: list.map((each) => (typeof each === 'string' ? shortened(each) : each)) };
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
// Braces; a bracket is a brace without this bit.
const [OPENING, CLOSING, BRACE] = [0x7b, 0x7d, 0x20];
const DEPTH_MAX = 32;

/**
 * How deep octets are nested, counted up to the limit, and about how many values they hold: each level and each value costs
 * `JSON.parse` thirty times its octets, and a text no more than twice.
 */
function shapeOf(json: Uint8Array): { readonly depth: number; readonly values: number } {
	let [depth, deepest, values, isText] = [0, 0, 0, false];
	for (let at = 0; at < json.length && depth <= DEPTH_MAX; at += 1) {
		const octet = json[at] ?? 0;
		if (octet === QUOTE) isText = !isText;
		else if (isText) at += octet === BACKSLASH ? 1 : 0;
		else if (octet === COMMA) values += 1;
		else if ((octet | BRACE) === OPENING) {
			values += 1;
			depth += 1;
			deepest = Math.max(deepest, depth);
		} else if ((octet | BRACE) === CLOSING) depth -= 1;
	}
	return { depth: deepest, values };
}

/** The value of octets as JSON in UTF-8. Throws the refusal. */
function jsonIn(octets: Uint8Array, depth: number): unknown {
	if (depth > DEPTH_MAX)
		throw new ServiceError('invalid_body', `The body is nested more than ${DEPTH_MAX} levels deep`);
	let text: string;
	try {
		text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(octets);
	} catch {
		throw new ServiceError('invalid_json', 'The body could not be read as UTF-8 text');
	}
	const value = parseJson(text);
	if (value === undefined) throw errorOf('invalid_json');
	return value;
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

async function octetsOf(c: AppContext, octetsMax: number): Promise<Uint8Array> {
	const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? '';
	if (encoding !== '' && encoding !== 'identity') throw errorOf('unsupported_encoding');
	// A client that disconnected while sending does not read the answer.
	const read = await readOctets(c.req.raw, octetsMax).catch(() => null);
	if (read === null) throw new ServiceError('invalid_json', 'The body broke off');
	if (read.isWhole) return read.octets;
	throw new ServiceError('body_too_large', `The body is longer than ${octetsMax} bytes`);
}
