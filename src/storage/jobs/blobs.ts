import { blobPrefixOf } from '../../core/jobs/retention.ts';
import { ServiceError } from '../../errors.ts';
import { AssertionError, assert } from '../../lib/assert.ts';
import { joinBytes } from '../../lib/streams.ts';
import { removeWhere } from '../bucket-pages.ts';

const encoder = new TextEncoder();

/**
 * Texts about a job as a whole. `facts`: about its list, from its addresses alone, for a job that resolves catch-all
 * addresses itself; from its results, for a task. `report`: of its own rows. A task has `scores` by the
 * places of its rows in the list that it checked, and `checked`, the report of that list with them.
 */
type SummaryName = 'facts' | 'report' | 'scores' | 'checked';

/** The objects of a job in R2, under `jobs/<id>/`. An input or an attempt that exists is never overwritten. */
export type JobBlobs = ReturnType<typeof jobBlobsOf>;

/** Each call throws `ServiceError` (`upstream_unavailable`) while the bucket can't be used. */
export function jobBlobsOf(bucket: R2Bucket) {
	const put = (key: string, text: string, options?: R2PutOptions) =>
		use(async () => (await bucket.put(key, text, options)) !== null);
	const read = (key: string, range?: R2Range) =>
		use(async () => {
			const object = await bucket.get(key, range === undefined ? {} : { range });
			return object === null ? null : object.text();
		});
	/** One object for all texts, with their lengths as metadata, so that each can be read alone. */
	const putPieces = (key: string, texts: Iterable<string>) =>
		use(async () => {
			const pieces = Array.from(texts, (text) => encoder.encode(text));
			const lengths = pieces.map(({ length }) => length.toString(36)).join(' ');
			await bucket.put(key, joinBytes(pieces), { customMetadata: { lengths } });
		});
	const readPiece = async (key: string, piece: number): Promise<string | null> => {
		const head = await use(() => bucket.head(key));
		if (head === null) return null;
		const stored = head.customMetadata?.['lengths'] ?? '';
		const lengths = stored.split(' ').map((length) => Number.parseInt(length, 36));
		const length = lengths[piece];
		assert(length !== undefined && Number.isInteger(length), `piece ${piece} was written`);
		return read(key, { offset: lengths.slice(0, piece).reduce((sum, each) => sum + each, 0), length });
	};
	return {
		/** Stores the addresses, one text per part. Each text is taken when the one before is encoded. */
		putInput: (jobId: string, parts: Iterable<string>) => putPieces(keyOf(jobId, 'input'), parts),
		/** Null: the input is gone. */
		readPart: (jobId: string, part: number) => readPiece(keyOf(jobId, 'input'), part),
		/** Stores the pages of rejected elements, as `putInput` does the parts. */
		putRejected: (jobId: string, pages: Iterable<string>) => putPieces(keyOf(jobId, 'rejected'), pages),
		/** Null: none were stored, or they are gone. */
		readRejected: (jobId: string, page: number) => readPiece(keyOf(jobId, 'rejected'), page),
		/** Stores the rows of a part's attempt unless some are stored, and returns the stored ones. */
		putAttempt: async (jobId: string, part: number, attempt: number, rows: string) => {
			const key = attemptKey(jobId, part, attempt);
			if (await put(key, rows, { onlyIf: { etagDoesNotMatch: '*' } })) return rows;
			const stored = await read(key);
			assert(stored !== null, 'what could not be written anew is there');
			return stored;
		},
		readAttempt: (jobId: string, part: number, attempt: number) => read(attemptKey(jobId, part, attempt)),
		putPage: async (jobId: string, list: string, page: number, rows: string): Promise<void> => {
			await put(keyOf(jobId, `pages/${list}/${page}`), rows);
		},
		readPage: (jobId: string, list: string, page: number) => read(keyOf(jobId, `pages/${list}/${page}`)),
		/** Stores a text about the job as a whole. */
		putSummary: async (jobId: string, name: SummaryName, text: string): Promise<void> => {
			await put(keyOf(jobId, name), text);
		},
		readSummary: (jobId: string, name: SummaryName) => read(keyOf(jobId, name)),
		/** Removes everything of a job. */
		remove: (jobId: string) =>
			use(async () => {
				// Until a look finds none: a consumer may still have stored one meanwhile.
				while ((await removeWhere(bucket, keyOf(jobId, ''), () => true)) > 0);
			}),
	};
}

/** A storage outage says nothing about any address: the part is put off, and callers are asked to try again. */
async function use<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (cause) {
		if (cause instanceof AssertionError) throw cause;
		const message = 'The store of results is temporarily unavailable';
		throw new ServiceError('upstream_unavailable', message, { cause });
	}
}

function attemptKey(jobId: string, part: number, attempt: number): string {
	return keyOf(jobId, `parts/${part}.${attempt}`);
}

function keyOf(jobId: string, name: string): string {
	return `${blobPrefixOf(jobId)}${name}`;
}
