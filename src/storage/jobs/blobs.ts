import { blobPrefixOf } from '../../core/jobs/retention.ts';
import type { SummaryName } from '../../core/jobs/kinds.ts';
import { ServiceError } from '../../errors.ts';
import { AssertionError, assert } from '../../lib/assert.ts';
import { joinBytes } from '../../lib/streams.ts';
import type { JobBlobs } from '../../operations/jobs/job-blobs-port.ts';
import { objectPages, removeWhere } from '../bucket-pages.ts';

const encoder = new TextEncoder();

/** The blobs of jobs in R2. Throws `ServiceError` (`upstream_unavailable`) while the bucket can't be used. */
export function jobBlobsOf(bucket: R2Bucket): JobBlobs {
	const blobs = new R2JobBlobs(bucket);
	return {
		putInput: (...about) => use(blobs.putInput(...about)),
		readPart: (...about) => use(blobs.readPart(...about)),
		putRejected: (...about) => use(blobs.putRejected(...about)),
		readRejected: (...about) => use(blobs.readRejected(...about)),
		putAttempt: (...about) => use(blobs.putAttempt(...about)),
		readAttempt: (...about) => use(blobs.readAttempt(...about)),
		lastAttempts: (...about) => use(blobs.lastAttempts(...about)),
		putPage: (...about) => use(blobs.putPage(...about)),
		readPage: (...about) => use(blobs.readPage(...about)),
		putSummary: (...about) => use(blobs.putSummary(...about)),
		readSummary: (...about) => use(blobs.readSummary(...about)),
		remove: (...about) => use(blobs.remove(...about)),
	};
}

/** A storage outage says nothing about any address: the part is put off, and callers are asked to try again. */
async function use<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (cause) {
		if (cause instanceof AssertionError) throw cause;
		const message = 'The store of results is temporarily unavailable';
		throw new ServiceError('upstream_unavailable', message, { cause });
	}
}

class R2JobBlobs implements JobBlobs {
	readonly #bucket: R2Bucket;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
	}

	async putInput(jobId: string, parts: Iterable<string>): Promise<void> {
		await this.#putPieces(keyOf(jobId, 'input'), parts);
	}

	async readPart(jobId: string, part: number): Promise<string | null> {
		return this.#readPiece(keyOf(jobId, 'input'), part);
	}

	async putRejected(jobId: string, pages: Iterable<string>): Promise<void> {
		await this.#putPieces(keyOf(jobId, 'rejected'), pages);
	}

	async readRejected(jobId: string, page: number): Promise<string | null> {
		return this.#readPiece(keyOf(jobId, 'rejected'), page);
	}

	async putAttempt(jobId: string, part: number, attempt: number, rows: string): Promise<string> {
		const key = keyOf(jobId, `parts/${part}.${attempt}`);
		const written = await this.#bucket.put(key, rows, { onlyIf: { etagDoesNotMatch: '*' } });
		if (written !== null) return rows;
		const stored = await this.#bucket.get(key);
		assert(stored !== null, 'what could not be written anew is there');
		return stored.text();
	}

	async readAttempt(jobId: string, part: number, attempt: number): Promise<string | null> {
		return this.#read(keyOf(jobId, `parts/${part}.${attempt}`));
	}

	async lastAttempts(jobId: string, parts: number): Promise<readonly number[]> {
		const last = Array.from({ length: parts }, () => 0);
		for await (const page of objectPages(this.#bucket, keyOf(jobId, 'parts/'))) {
			for (const { key } of page) {
				const [part = -1, attempt = -1] = (key.split('/').at(-1) ?? '').split('.').map(Number);
				last[part] = Math.max(attempt, last[part] ?? 0);
			}
		}
		return last;
	}

	async putPage(jobId: string, list: string, page: number, rows: string): Promise<void> {
		await this.#bucket.put(keyOf(jobId, `pages/${list}/${page}`), rows);
	}

	async readPage(jobId: string, list: string, page: number): Promise<string | null> {
		return this.#read(keyOf(jobId, `pages/${list}/${page}`));
	}

	async putSummary(jobId: string, name: SummaryName, text: string): Promise<void> {
		await this.#bucket.put(keyOf(jobId, name), text);
	}

	async readSummary(jobId: string, name: SummaryName): Promise<string | null> {
		return this.#read(keyOf(jobId, name));
	}

	async remove(jobId: string): Promise<void> {
		// Until a look finds none: a consumer may still have stored one meanwhile.
		while ((await removeWhere(this.#bucket, keyOf(jobId, ''), () => true)) > 0);
	}

	/** One object for all texts, with their ranges as metadata, so that each can be read alone. */
	async #putPieces(key: string, texts: Iterable<string>): Promise<void> {
		const pieces = Array.from(texts, (text) => encoder.encode(text));
		const lengths = pieces.map(({ length }) => length.toString(36)).join(' ');
		await this.#bucket.put(key, joinBytes(pieces), { customMetadata: { lengths } });
	}

	async #readPiece(key: string, piece: number): Promise<string | null> {
		const head = await this.#bucket.head(key);
		if (head === null) return null;
		const lengths = (head.customMetadata?.['lengths'] ?? '')
			.split(' ')
			.map((length) => Number.parseInt(length, 36));
		const length = lengths[piece];
		assert(length !== undefined && Number.isInteger(length), `piece ${piece} was written`);
		const offset = lengths.slice(0, piece).reduce((sum, each) => sum + each, 0);
		const object = await this.#bucket.get(key, { range: { offset, length } });
		return object === null ? null : object.text();
	}

	async #read(key: string): Promise<string | null> {
		const object = await this.#bucket.get(key);
		return object === null ? null : object.text();
	}
}

function keyOf(jobId: string, name: string): string {
	return `${blobPrefixOf(jobId)}${name}`;
}
