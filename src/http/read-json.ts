import type { z } from 'zod';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { AppContext } from './context.ts';
import { refusalOf } from './refusal.ts';

// What we go on reading of a body that is too long anyway, without keeping it.
const DISCARDED_OCTETS_MAX = 32 * 1024 * 1024;

/** A request body that was read and checked, or the refusal of it. */
export type JsonBody<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: ServiceError };

/** Reads a JSON body of at most `octetsMax`, counted while reading, and checks it against a schema. Never throws. */
export async function readJson<S extends z.ZodType>(
	c: AppContext,
	schema: S,
	octetsMax: number,
): Promise<JsonBody<z.output<S>>> {
	const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
	if (
		mediaType !== undefined &&
		mediaType !== 'application/json' &&
		!/^application\/.+\+json$/.test(mediaType)
	) {
		return refused('unsupported_media_type', 'The body must be JSON (Content-Type: application/json)');
	}
	const text = await readText(c.req.raw.body, octetsMax);
	if (text === 'too_long') return refused('body_too_large', `The body is longer than ${octetsMax} bytes`);
	if (text === 'broken') return refused('invalid_json', 'The body could not be read as UTF-8 text');
	let json: unknown;
	try {
		json = JSON.parse(text.text);
	} catch {
		return refused('invalid_json', 'The body is not valid JSON');
	}
	const parsed = schema.safeParse(json);
	if (parsed.success) return { ok: true, value: parsed.data };
	return { ok: false, error: refusalOf(parsed.error, json) };
}

function refused(code: ErrorCode, text: string): { readonly ok: false; readonly error: ServiceError } {
	return { ok: false, error: new ServiceError(code, text) };
}

async function readText(
	body: ReadableStream<Uint8Array> | null,
	octetsMax: number,
): Promise<{ text: string } | 'too_long' | 'broken'> {
	const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
	let text = '';
	let octets = 0;
	try {
		for await (const chunk of body ?? []) {
			octets += chunk.length;
			// Read to the end all the same: a client that is still writing when we answer sees a broken connection.
			if (octets > DISCARDED_OCTETS_MAX) return 'too_long';
			if (octets <= octetsMax) text += decoder.decode(chunk, { stream: true });
		}
		if (octets > octetsMax) return 'too_long';
		return { text: text + decoder.decode() };
	} catch {
		// Invalid UTF-8, or a client that went away in the middle.
		return 'broken';
	}
}
