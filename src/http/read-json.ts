import type { z } from 'zod';
import type { AppContext } from './context.ts';

// What we go on reading of a body that is too long anyway, without keeping it.
const DISCARDED_OCTETS_MAX = 32 * 1024 * 1024;

/** A request body that was read and checked, or what is wrong with it in one sentence. */
export type JsonBody<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: string };

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
		return { ok: false, error: 'The body must be JSON (Content-Type: application/json)' };
	}
	const text = await readText(c.req.raw.body, octetsMax);
	if (text === 'too_long') return { ok: false, error: `The body is longer than ${octetsMax} bytes` };
	if (text === 'broken') return { ok: false, error: 'The body could not be read as UTF-8 text' };
	let json: unknown;
	try {
		json = JSON.parse(text.text);
	} catch {
		return { ok: false, error: 'The body is not valid JSON' };
	}
	const parsed = schema.safeParse(json);
	if (parsed.success) return { ok: true, value: parsed.data };
	return { ok: false, error: parsed.error.issues[0]?.message ?? 'The body is not valid' };
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
