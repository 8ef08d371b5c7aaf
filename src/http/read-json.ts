import type { z } from 'zod';
import { readOctets, readPieces } from '../lib/read-body.ts';
import type { AppContext } from './context.ts';
import { ListBody, UnreadableBody } from './list-body.ts';

/** A request body that was read and checked, or what is wrong with it in one sentence. */
export type JsonBody<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: string };

/**
 * Reads a JSON body of at most `octetsMax`, counted while reading, and checks it against a schema. All of it is in memory
 * several times over: a body that may be long is read with `readJsonList`. Never throws.
 */
export async function readJson<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	octetsMax: number,
): Promise<JsonBody<z.output<S>>> {
	return readAs(c, schema, async () => {
		const { octets, isWhole } = await readOctets(c.req.raw.body, octetsMax);
		if (!isWhole) throw tooLong(octetsMax);
		let text: string;
		try {
			text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(octets);
		} catch {
			throw new UnreadableBody('The body could not be read as UTF-8 text');
		}
		try {
			return JSON.parse(text) as unknown;
		} catch {
			throw new UnreadableBody('The body is not valid JSON');
		}
	});
}

/** As `readJson`, for an object with one long list of texts: what is in memory is bounded, whatever comes. */
export async function readJsonList<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	{ octetsMax, list, elementsMax }: ListLimits,
): Promise<JsonBody<z.output<S>>> {
	return readAs(c, schema, async () => {
		const reader = new ListBody(list, elementsMax);
		const isWhole = await readPieces(c.req.raw.body, octetsMax, (piece) => reader.write(piece));
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
		return { ok: false, error: 'The body must be JSON (Content-Type: application/json)' };
	}
	try {
		return judge(schema, await read());
	} catch (error) {
		// A client that went away in the middle reads no answer.
		if (!(error instanceof UnreadableBody)) return { ok: false, error: 'The body broke off' };
		const judged = error.value === undefined ? null : judge(schema, error.value);
		return judged?.ok === false ? judged : { ok: false, error: error.message };
	}
}

function judge<S extends z.ZodType>(schema: S, value: unknown): JsonBody<z.output<S>> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return { ok: true, value: parsed.data };
	const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'The body is not valid' };
	const [field, place] = path;
	// Of thousands of elements one is wrong: which?
	if (typeof place !== 'number') return { ok: false, error: message };
	return { ok: false, error: `Missing or invalid parameter: ${String(field)}[${place}] is not a string` };
}

function tooLong(octetsMax: number): UnreadableBody {
	return new UnreadableBody(`The body is longer than ${octetsMax} bytes`);
}
