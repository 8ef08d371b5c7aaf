import { MaxFileSizeExceededError, parseMultipart } from '@remix-run/multipart-parser';
import type { MultipartPart } from '@remix-run/multipart-parser';
import { FILE_OCTETS_MAX } from '../core/upload/limits.ts';
import { TOKEN_FIELD } from '../core/identity/tokens.ts';
import { discard, readOctets } from '../lib/streams.ts';
import { PageError } from './context.ts';
import type { PageContext } from './context.ts';
import { requireFormToken } from './forms.ts';

// The rest of the body: the token, names, and multipart's delimiters.
const AROUND_OCTETS_MAX = 64 * 1024;
const BODY_OCTETS_MAX = FILE_OCTETS_MAX + AROUND_OCTETS_MAX;
// Our form has two parts.
const PARTS_MAX = 8;

/** The file or pasted text of a form that we rendered, or the reason for the person why there is none. */
export type SentList =
	| { readonly kind: 'file'; readonly name: string; readonly octets: Uint8Array }
	| { readonly kind: 'pasted'; readonly text: string }
	| { readonly kind: 'refused'; readonly error: string; readonly status: 422 | 429 };

/**
 * Reads the form fields `file` and `pasted`. The token comes first in our form, and nothing is taken before it is checked;
 * then `refuse` may give a reason to refuse the file. A refused body is still read to its end, or the browser would not
 * show our answer.
 */
export async function readUpload(c: PageContext, refuse: () => Promise<string | null>): Promise<SentList> {
	const boundary = boundaryOf(c);
	try {
		// It throws where the person cancels the upload.
		const { octets, isWhole } = await readOctets(c.req.raw, BODY_OCTETS_MAX);
		if (!isWhole) await discard(c.req.raw.body);
		const parts = parseMultipart(octets, {
			boundary,
			maxFileSize: FILE_OCTETS_MAX,
			maxTotalSize: BODY_OCTETS_MAX,
			maxParts: PARTS_MAX,
		});
		const token = parts.next().value ?? null;
		requireFormToken(c, token?.name === TOKEN_FIELD ? token.text : '');
		const refusal = await refuse();
		if (refusal !== null) return { kind: 'refused', error: refusal, status: 429 };
		return isWhole ? sentIn([...parts]) : TOO_LARGE;
	} catch (error) {
		if (error instanceof MaxFileSizeExceededError) return TOO_LARGE;
		if (error instanceof PageError) throw error;
		throw new PageError(400, 'This form could not be read', 'The upload was damaged on its way. Try again.');
	}
}

const TOO_LARGE: SentList = {
	kind: 'refused',
	error: `The file is larger than ${FILE_OCTETS_MAX / 1024 / 1024} MB. Split it and upload the parts.`,
	status: 422,
};

function sentIn(parts: readonly MultipartPart[]): SentList {
	const file = parts.find(({ name }) => name === 'file');
	if (file?.filename !== undefined && file.size > 0)
		return { kind: 'file', name: file.filename, octets: file.bytes };
	const pasted = parts.find(({ name }) => name === 'pasted');
	return pasted === undefined
		? { kind: 'refused', error: 'Choose a file with at least one address.', status: 422 }
		: { kind: 'pasted', text: pasted.text };
}

function boundaryOf(c: PageContext): string {
	const type = c.req.header('content-type') ?? '';
	const [, quoted, plain] = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
	const boundary = quoted ?? plain;
	if (boundary !== undefined) return boundary;
	throw new PageError(400, 'This form could not be read', 'It was not sent as a form with a file.');
}
