import { MaxFileSizeExceededError, MultipartParseError, MultipartParser } from '@remix-run/multipart-parser';
import type { MultipartPart } from '@remix-run/multipart-parser';
import { FILE_OCTETS_MAX } from '../core/upload/limits.ts';
import { TOKEN_FIELD } from '../core/identity/tokens.ts';
import { discard, readPieces } from '../lib/streams.ts';
import { PageError } from './context.ts';
import type { PageContext } from './context.ts';
import { requireFormToken } from './forms.ts';

// The rest of the body: the token, names, and multipart's delimiters.
const AROUND_OCTETS_MAX = 64 * 1024;
// Our form has two parts.
const PARTS_MAX = 8;
// A piece may be as long as the body, so it is parsed in slices.
const SLICE_OCTETS = 64 * 1024;

/** The file or pasted text of a form that we rendered, or the reason for the person why there is none. */
export type SentList =
	| { readonly kind: 'file'; readonly name: string; readonly octets: Uint8Array }
	| { readonly kind: 'pasted'; readonly text: string }
	| { readonly kind: 'refused'; readonly error: string; readonly status: 422 | 429 };

/**
 * Reads the form fields `file` and `pasted`. The token comes first in our form, and nothing is kept before it is checked; then
 * `refuse` may give a reason to refuse the file. A refused body is still read to its end, or the browser would not show
 * our answer.
 */
export async function readUpload(c: PageContext, refuse: () => Promise<string | null>): Promise<SentList> {
	const form = new UploadForm(boundaryOf(c), (token) => requireFormToken(c, token));
	let refusal: string | null = null;
	try {
		const isWhole = await readPieces(c.req.raw.body, FILE_OCTETS_MAX + AROUND_OCTETS_MAX, async (piece) => {
			const knewToken = form.hasToken;
			form.write(piece);
			if (knewToken || !form.hasToken) return;
			refusal = await refuse();
			if (refusal !== null) throw new UnwantedFile();
		});
		return isWhole ? form.end() : TOO_LARGE;
	} catch (error) {
		if (refusal !== null) return { kind: 'refused', error: refusal, status: 429 };
		if (error instanceof MaxFileSizeExceededError) return TOO_LARGE;
		if (error instanceof PageError) throw error;
		throw new PageError(400, 'This form could not be read', 'The upload was damaged on its way. Try again.');
	} finally {
		await discard(c.req.raw.body);
	}
}

const TOO_LARGE: SentList = {
	kind: 'refused',
	error: `The file is larger than ${FILE_OCTETS_MAX / 1024 / 1024} MB. Split it and upload the parts.`,
	status: 422,
};
const NO_FILE: SentList = {
	kind: 'refused',
	error: 'Choose a file with at least one address.',
	status: 422,
};

class UnwantedFile extends Error {}

/** Parses a form with a file as it arrives (RFC 7578). */
class UploadForm {
	readonly #parser: MultipartParser;
	/** Throws when the form is not ours. */
	readonly #requireToken: (token: string) => void;
	#file: MultipartPart | null = null;
	#pasted: MultipartPart | null = null;
	#octets = 0;
	hasToken = false;

	constructor(boundary: string, requireToken: (token: string) => void) {
		this.#requireToken = requireToken;
		this.#parser = new MultipartParser(boundary, {
			maxFileSize: FILE_OCTETS_MAX,
			maxTotalSize: FILE_OCTETS_MAX + AROUND_OCTETS_MAX,
			maxParts: PARTS_MAX,
		});
	}

	write(piece: Uint8Array): void {
		for (let from = 0; from < piece.length; from += SLICE_OCTETS) {
			const slice = piece.subarray(from, from + SLICE_OCTETS);
			this.#octets += slice.length;
			try {
				for (const part of this.#parser.write(slice)) this.#take(part);
			} catch (error) {
				// RFC 2046 §5.1.1: anything after the last boundary is ignored.
				if (!(error instanceof MultipartParseError && this.#isOver())) throw error;
			}
			if (!this.hasToken && this.#octets > AROUND_OCTETS_MAX) this.#requireToken('');
		}
	}

	end(): SentList {
		this.#parser.finish();
		if (!this.hasToken) this.#requireToken('');
		const file = this.#file;
		if (file?.filename !== undefined && file.size > 0)
			return { kind: 'file', name: file.filename, octets: file.bytes };
		return this.#pasted === null ? NO_FILE : { kind: 'pasted', text: this.#pasted.text };
	}

	#take(part: MultipartPart): void {
		if (this.hasToken) {
			if (part.name === 'file') this.#file ??= part;
			if (part.name === 'pasted') this.#pasted ??= part;
			return;
		}
		this.#requireToken(part.name === TOKEN_FIELD ? part.text : '');
		this.hasToken = true;
	}

	#isOver(): boolean {
		try {
			this.#parser.finish();
			return true;
		} catch {
			return false;
		}
	}
}

function boundaryOf(c: PageContext): string {
	const type = c.req.header('content-type') ?? '';
	const [, quoted, plain] = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
	const boundary = quoted ?? plain;
	if (boundary !== undefined) return boundary;
	throw new PageError(400, 'This form could not be read', 'It was not sent as a form with a file.');
}
