import { FILE_OCTETS_MAX } from '../core/upload/limits.ts';
import { TOKEN_FIELD } from '../core/identity/form-token.ts';
import { PageError } from './page-error.ts';
import type { PageContext } from './context.ts';
import { requireFormToken } from './forms.ts';

// Beside the file: the token, names, and what multipart puts between them.
const AROUND_OCTETS_MAX = 64 * 1024;

/** A file of a form that we rendered, or why there is none, for the person. */
export type SentFile =
	| { readonly ok: true; readonly name: string; readonly octets: Uint8Array }
	| { readonly ok: false; readonly error: string };

/** Reads the form field `file`. A body that is too long is read to its end, or the browser would not hear our answer. */
export async function readUpload(c: PageContext): Promise<SentFile> {
	const type = c.req.header('content-type') ?? '';
	if (!/^multipart\/form-data\s*;/i.test(type))
		throw new PageError(400, 'This form could not be read', 'It was not sent as a form with a file.');
	const body = await readBody(c);
	if (body === null)
		return {
			ok: false,
			error: `The file is larger than ${FILE_OCTETS_MAX / 1024 / 1024} MB. Split it and upload the parts.`,
		};
	const fields = await parse(body, type);
	const token = fields.get(TOKEN_FIELD);
	requireFormToken(c, typeof token === 'string' ? token : '');
	const file = fields.get('file');
	if (file === null || typeof file === 'string' || file.size === 0) {
		return { ok: false, error: 'Choose a file first. An empty one holds no addresses.' };
	}
	return { ok: true, name: file.name, octets: new Uint8Array(await file.arrayBuffer()) };
}

async function readBody(c: PageContext): Promise<Uint8Array | null> {
	const chunks: Uint8Array[] = [];
	let octets = 0;
	for await (const chunk of c.req.raw.body ?? []) {
		octets += chunk.length;
		if (octets <= FILE_OCTETS_MAX + AROUND_OCTETS_MAX) chunks.push(chunk);
		else chunks.length = 0;
	}
	if (octets > FILE_OCTETS_MAX + AROUND_OCTETS_MAX) return null;
	const body = new Uint8Array(octets);
	let at = 0;
	for (const chunk of chunks) {
		body.set(chunk, at);
		at += chunk.length;
	}
	return body;
}

async function parse(body: Uint8Array, type: string): Promise<FormData> {
	try {
		return await new Response(body, { headers: { 'Content-Type': type } }).formData();
	} catch {
		throw new PageError(400, 'This form could not be read', 'It did not arrive as it was sent. Try again.');
	}
}
