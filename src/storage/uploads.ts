import { blobPrefixOf } from '../core/jobs/retention.ts';
import type { OriginalList, Upload } from '../core/upload/upload.ts';
import { assert } from '../lib/assert.ts';
import { KEYS_MAX, objectPages, removeWhere } from './bucket-pages.ts';
import type { PageOptions } from './bucket-pages.ts';

/** The prefix of all uploads. */
const UPLOADS_ROOT = 'uploads/';
// In the metadata of the facts, so that listing those that wait need not read the others.
const STARTED = 'started';
// In the metadata of a job's original file: how many rows of data it has.
const ROWS = 'rows';

/**
 * Uploaded files in R2: under `uploads/<accountId>/<uploadId>` until they are started, then with their job. The facts are
 * written after the file and deleted before it, so facts imply a file.
 */
export class R2UploadBlobs {
	readonly #bucket: R2Bucket;
	readonly #pages: PageOptions;

	/** `keysMax`: the most keys for one `list` or `delete`. */
	constructor(bucket: R2Bucket, keysMax = KEYS_MAX) {
		this.#bucket = bucket;
		this.#pages = { keysMax, withMetadata: true };
	}

	async put(accountId: string, upload: Upload, text: Uint8Array): Promise<void> {
		await this.#bucket.put(fileKey(accountId, upload.uploadId), text);
		await this.#bucket.put(factsKey(accountId, upload.uploadId), JSON.stringify(upload));
	}

	/** Null: the account has no such upload. */
	async find(accountId: string, uploadId: string): Promise<Upload | null> {
		if (!isId(uploadId)) return null;
		const object = await this.#bucket.get(factsKey(accountId, uploadId));
		// Written by us; a deploy that changes its shape makes old uploads unreadable for a day.
		return object === null ? null : object.json<Upload>();
	}

	/** The newest uploads that were not started, at most so many. */
	async listOf(accountId: string, most: number): Promise<readonly Upload[]> {
		const facts: R2Object[] = [];
		const folder = `${UPLOADS_ROOT}${accountId}/`;
		for await (const page of objectPages(this.#bucket, folder, this.#pages))
			facts.push(...page.filter(isWaiting));
		const newest = facts.toSorted((a, b) => b.uploaded.getTime() - a.uploaded.getTime()).slice(0, most);
		const found = await Promise.all(newest.map(({ key }) => this.#bucket.get(key)));
		const uploads = await Promise.all(found.map(async (object) => object?.json<Upload>() ?? null));
		return uploads.filter((upload) => upload !== null && upload.jobId === null) as Upload[];
	}

	/** Null: started or removed. */
	async read(accountId: string, uploadId: string): Promise<AsyncIterable<Uint8Array> | null> {
		return this.#octets(fileKey(accountId, uploadId));
	}

	/** Copies the file to `jobs/<jobId>/`, where it is deleted with the job. False: the file is gone. */
	async keepForJob(
		accountId: string,
		uploadId: string,
		{ jobId, original }: { readonly jobId: string; readonly original: OriginalList },
	): Promise<boolean> {
		const file = await this.#bucket.get(fileKey(accountId, uploadId));
		if (file === null) return false;
		// Streamed from bucket to bucket, so that the Worker does not hold it in memory.
		await this.#bucket.put(originalKey(jobId), file.body);
		await this.#bucket.put(originalFactsKey(jobId), JSON.stringify(original), {
			customMetadata: { [ROWS]: String(original.places.length) },
		});
		return true;
	}

	/** Records the job and deletes the file. */
	async markStarted(accountId: string, upload: Upload, jobId: string): Promise<void> {
		const { uploadId } = upload;
		await this.#bucket.put(factsKey(accountId, uploadId), JSON.stringify({ ...upload, jobId }), {
			customMetadata: { [STARTED]: 'yes' },
		});
		const facts = factsKey(accountId, uploadId);
		await removeWhere(this.#bucket, folderOf(accountId, uploadId), ({ key }) => key !== facts, this.#pages);
	}

	/** Null: the job was not made from a file, or is gone. */
	async findOriginal(jobId: string): Promise<OriginalList | null> {
		const object = await this.#bucket.get(originalFactsKey(jobId));
		return object === null ? null : object.json<OriginalList>();
	}

	/** How many rows of data the job's file has, without reading it. Null: no file, or it is gone. */
	async rowsOfOriginal(jobId: string): Promise<number | null> {
		const head = await this.#bucket.head(originalFactsKey(jobId));
		return head === null ? null : Number(head.customMetadata?.[ROWS]);
	}

	async readOriginal(jobId: string): Promise<AsyncIterable<Uint8Array> | null> {
		return this.#octets(originalKey(jobId));
	}

	async remove(accountId: string, uploadId: string): Promise<void> {
		await this.#bucket.delete(factsKey(accountId, uploadId));
		await removeWhere(this.#bucket, folderOf(accountId, uploadId), () => true, this.#pages);
	}

	/** Removes all uploads of an account. */
	async removeAllOf(accountId: string): Promise<void> {
		await removeWhere(this.#bucket, `${UPLOADS_ROOT}${accountId}/`, () => true, this.#pages);
	}

	async #octets(key: string): Promise<AsyncIterable<Uint8Array> | null> {
		const object = await this.#bucket.get(key);
		return object === null ? null : (object.body as ReadableStream<Uint8Array>);
	}
}

/** The facts of an upload that is no job yet. */
function isWaiting({ key, customMetadata }: R2Object): boolean {
	return key.endsWith('/facts.json') && customMetadata?.[STARTED] === undefined;
}

// The id comes from a URL, and must not lead out of the account's folder.
function isId(uploadId: string): boolean {
	return /^[a-z0-9_]{1,64}$/.test(uploadId);
}

function folderOf(accountId: string, uploadId: string): string {
	assert(isId(uploadId), 'an upload was found before it is used');
	return `${UPLOADS_ROOT}${accountId}/${uploadId}/`;
}

function fileKey(accountId: string, uploadId: string): string {
	return `${folderOf(accountId, uploadId)}file`;
}

function factsKey(accountId: string, uploadId: string): string {
	return `${folderOf(accountId, uploadId)}facts.json`;
}

function originalKey(jobId: string): string {
	return `${blobPrefixOf(jobId)}original`;
}

function originalFactsKey(jobId: string): string {
	return `${blobPrefixOf(jobId)}original.json`;
}
