import { MaxFileSizeExceededError, MultipartParseError, MultipartParser } from '@remix-run/multipart-parser';
import type { MultipartPart } from '@remix-run/multipart-parser';
import { FILE_OCTETS_MAX } from '../core/upload/limits.ts';
import { TOKEN_FIELD } from '../core/identity/tokens.ts';
import { discard, readPieces } from '../lib/streams.ts';
import { PageError } from './page-error.ts';
import type { PageContext } from './context.ts';
import { requireFormToken } from './forms.ts';

/** A person's choices about an uploaded file so far. The page has not asked for missing ones yet. */
export interface UploadChoice {
	readonly columns?: readonly number[];
	readonly hasHeader?: boolean;
	/** The name of the list. */
	readonly name?: string;
	readonly rescuesCatchAll?: boolean;
	readonly mailWhenDone?: boolean;
	readonly byMailbox?: boolean;
}

/** The way to read a file that a preview showed, as its form sends it back: `0,2 header mailbox sheet 1`. */
export function choiceShown(choice: {
	readonly columns: readonly number[];
	readonly hasHeader: boolean;
	readonly byMailbox: boolean;
	readonly sheet: number | undefined;
}): string {
	const { columns, hasHeader, byMailbox, sheet = 0 } = choice;
	const words = [hasHeader ? 'header' : 'rows', ...(byMailbox ? ['mailbox'] : []), 'sheet', sheet];
	return `${columns.toSorted((a, b) => a - b).join(',')} ${words.join(' ')}`;
}

export const NAME_MAX = 255;
const INDEX = /^\d{1,4}$/;
// A box that was not ticked is sent by no browser: what is said of it needs a word for either.
const YES_OR_NO = { yes: true, no: false } as const;

/**
 * Reads the query of a preview, and ignores unknown fields.
 *
 * @param values the values of a parameter
 */
export function readUploadChoice(values: (name: string) => readonly string[] | undefined): UploadChoice {
	const columns = [...(values('column') ?? []), ...(values('also') ?? [])].filter((text) => INDEX.test(text));
	const [name] = values('name') ?? [];
	const flag = (parameter: string): boolean | undefined => {
		const [word = ''] = values(parameter) ?? [];
		return word === 'yes' || word === 'no' ? YES_OR_NO[word] : undefined;
	};
	const [hasHeader, rescuesCatchAll, mailWhenDone] = [flag('header'), flag('rescue'), flag('mail')];
	const byMailbox = flag('mailbox');
	return {
		...(columns.length > 0 ? { columns: columns.map(Number) } : {}),
		...(hasHeader === undefined ? {} : { hasHeader }),
		...(name === undefined ? {} : { name: name.trim().slice(0, NAME_MAX) }),
		...(rescuesCatchAll === undefined ? {} : { rescuesCatchAll }),
		...(mailWhenDone === undefined ? {} : { mailWhenDone }),
		...(byMailbox === undefined ? {} : { byMailbox }),
	};
}

/** The address of a preview that shows a choice. */
export function uploadHref(path: string, choice: UploadChoice): string {
	const { columns = [], name, ...flags } = choice;
	const words = new URLSearchParams();
	for (const [index, column] of columns.entries())
		words.append(index === 0 ? 'column' : 'also', String(column));
	if (name !== undefined) words.set('name', name);
	const parameters = {
		hasHeader: 'header',
		rescuesCatchAll: 'rescue',
		mailWhenDone: 'mail',
		byMailbox: 'mailbox',
	} as const;
	for (const [key, parameter] of Object.entries(parameters)) {
		const flag = flags[key as keyof typeof parameters];
		if (flag !== undefined) words.set(parameter, flag ? 'yes' : 'no');
	}
	const text = words.toString();
	return text === '' ? path : `${path}?${text}`;
}

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
