import type { z } from 'zod';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { gunzipPieces, joinBytes, NotGzip, readOctets, readPieces } from '../lib/streams.ts';
import type { AppContext } from './context.ts';
import { DEPTH_MAX, TOO_DEEP, UnreadableBody } from './jobs/unreadable-body.ts';
import { refusalOf, REPORTING } from './on-error.ts';

/** A validated request body, or its refusal. */
export type JsonBody<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: ServiceError };

/**
 * Reads a JSON body of at most `octetsMax`, counted while reading and after inflation, and checks it against a schema.
 * It is in memory several times over, so long bodies are read with `readJsonList`. Never throws.
 */
export async function readJson<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	octetsMax: number,
): Promise<JsonBody<z.output<S>>> {
	return readAs(c, schema, async () => {
		const { octets, isWhole } = await readWhole(c, octetsMax);
		if (!isWhole) throw tooLong(octetsMax);
		if (nestsTooDeep(octets)) throw new UnreadableBody('invalid_body', TOO_DEEP);
		let text: string;
		try {
			text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(octets);
		} catch {
			throw new UnreadableBody('invalid_json', 'The body could not be read as UTF-8 text');
		}
		try {
			return JSON.parse(text) as unknown;
		} catch {
			throw new UnreadableBody('invalid_json', 'The body is not valid JSON');
		}
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

/** As `readJson`, for an object with one long list of texts, in bounded memory for any input. */
export async function readJsonList<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	{ octetsMax, list, elementsMax }: ListLimits,
): Promise<JsonBody<z.output<S>>> {
	return readAs(c, schema, async () => {
		// With its parser it is read with the first list, not at each start.
		const { ListBody } = await import('./jobs/list-body.ts');
		const reader = new ListBody(list, elementsMax);
		const isWhole = await readBody(c, octetsMax, (piece) => reader.write(piece));
		if (!isWhole) throw tooLong(octetsMax);
		return reader.end();
	});
}

interface ListLimits {
	readonly octetsMax: number;
	/** The field that holds the list. */
	readonly list: string;
	readonly elementsMax: number;
}

async function readAs<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	read: () => Promise<unknown>,
): Promise<JsonBody<z.output<S>>> {
	const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
	if (
		mediaType !== undefined &&
		mediaType !== 'application/json' &&
		!/^application\/.+\+json$/.test(mediaType)
	) {
		return refused('unsupported_media_type', 'The body must be JSON (Content-Type: application/json)');
	}
	if (encodingOf(c) === null) return refused('unsupported_encoding', ENCODING_TEXT);
	try {
		return judge(schema, await read());
	} catch (error) {
		if (error instanceof NotGzip)
			return refused('invalid_gzip', 'The body was announced as gzip and is not, or it ended too early');
		// A client that disconnected while sending does not read the answer.
		if (!(error instanceof UnreadableBody)) return refused('invalid_json', 'The body broke off');
		const judged = error.value === undefined ? null : judge(schema, error.value);
		return judged?.ok === false ? judged : refused(error.code, error.message);
	}
}

const ENCODING_TEXT = 'Content-Encoding must be gzip, or left out';

/** How the body is encoded; null: not as we read it. RFC 9110 §8.4.1.3: x-gzip is gzip. */
function encodingOf(c: AppContext): 'gzip' | 'identity' | null {
	const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? '';
	if (encoding === '' || encoding === 'identity') return 'identity';
	return encoding === 'gzip' || encoding === 'x-gzip' ? 'gzip' : null;
}

/** The body, inflated, and whether it is whole with at most `octetsMax` octets. */
async function readWhole(c: AppContext, octetsMax: number): ReturnType<typeof readOctets> {
	if (encodingOf(c) !== 'gzip') return readOctets(c.req.raw, octetsMax);
	const pieces: Uint8Array[] = [];
	const isWhole = await readBody(c, octetsMax, (piece) => void pieces.push(piece));
	return { octets: joinBytes(pieces), isWhole };
}

/** Passes on the body piece by piece, inflated, at most `octetsMax` octets. False: it is longer. */
async function readBody(
	c: AppContext,
	octetsMax: number,
	take: (piece: Uint8Array) => void,
): Promise<boolean> {
	const read = encodingOf(c) === 'gzip' ? gunzipPieces : readPieces;
	return read(c.req.raw.body, octetsMax, take);
}

function refused(code: ErrorCode, text: string): { readonly ok: false; readonly error: ServiceError } {
	return { ok: false, error: new ServiceError(code, text) };
}

function judge<S extends z.ZodType>(schema: S, value: unknown): JsonBody<z.output<S>> {
	const parsed = schema.safeParse(value, REPORTING);
	return parsed.success ? { ok: true, value: parsed.data } : { ok: false, error: refusalOf(parsed.error) };
}

function tooLong(octetsMax: number): UnreadableBody {
	return new UnreadableBody('body_too_large', `The body is longer than ${octetsMax} bytes`);
}
