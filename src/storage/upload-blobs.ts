import { blobPrefixOf } from '../core/jobs/blob-prefix.ts';
import type { Octets, OriginalList, Upload, UploadBlobs } from '../operations/uploads/port.ts';
import { assert } from '../lib/assert.ts';

/** The prefix of all uploads. */
export const UPLOADS_ROOT = 'uploads/';

/** Uploaded files in R2. The facts are written after the file and deleted before it, so facts imply a file. */
export class R2UploadBlobs implements UploadBlobs {
	readonly #bucket: R2Bucket;
	readonly #keysMax: number;

	/** `keysMax`: the most keys for one `list` or `delete`. */
	constructor(bucket: R2Bucket, keysMax = 1_000) {
		this.#bucket = bucket;
		this.#keysMax = keysMax;
	}

	async put(accountId: string, upload: Upload, file: Uint8Array): Promise<void> {
		const { uploadId } = upload;
		await this.#bucket.put(fileKey(accountId, uploadId), file);
		await this.#bucket.put(factsKey(accountId, uploadId), JSON.stringify(upload));
	}

	async find(accountId: string, uploadId: string): Promise<Upload | null> {
		if (!isId(uploadId)) return null;
		const object = await this.#bucket.get(factsKey(accountId, uploadId));
		// Written by us; a deploy that changes its shape makes old uploads unreadable for a day.
		return object === null ? null : object.json<Upload>();
	}

	async read(accountId: string, uploadId: string): Promise<Octets | null> {
		return this.#octets(fileKey(accountId, uploadId));
	}

	async keepForJob(
		accountId: string,
		uploadId: string,
		jobId: string,
		original: OriginalList,
	): Promise<boolean> {
		const file = await this.#bucket.get(fileKey(accountId, uploadId));
		if (file === null) return false;
		// Streamed from bucket to bucket, so that the Worker does not hold it in memory.
		await this.#bucket.put(originalKey(jobId), file.body);
		await this.#bucket.put(originalFactsKey(jobId), JSON.stringify(original));
		return true;
	}

	async markStarted(accountId: string, upload: Upload, jobId: string): Promise<void> {
		await this.#bucket.put(factsKey(accountId, upload.uploadId), JSON.stringify({ ...upload, jobId }));
		await this.#bucket.delete(fileKey(accountId, upload.uploadId));
	}

	async findOriginal(jobId: string): Promise<OriginalList | null> {
		const object = await this.#bucket.get(originalFactsKey(jobId));
		return object === null ? null : object.json<OriginalList>();
	}

	async hasOriginal(jobId: string): Promise<boolean> {
		return (await this.#bucket.head(originalFactsKey(jobId))) !== null;
	}

	async readOriginal(jobId: string): Promise<Octets | null> {
		return this.#octets(originalKey(jobId));
	}

	async remove(accountId: string, uploadId: string): Promise<void> {
		await this.#bucket.delete([factsKey(accountId, uploadId), fileKey(accountId, uploadId)]);
	}

	async removeAllOf(accountId: string): Promise<void> {
		await this.#removeWhere(`${UPLOADS_ROOT}${accountId}/`, () => true);
	}

	async removeOlderThan(at: number): Promise<number> {
		return this.#removeWhere(UPLOADS_ROOT, ({ uploaded }) => uploaded.getTime() < at);
	}

	async #octets(key: string): Promise<Octets | null> {
		const object = await this.#bucket.get(key);
		return object === null ? null : (object.body as ReadableStream<Uint8Array>);
	}

	async #removeWhere(prefix: string, isDue: (object: R2Object) => boolean): Promise<number> {
		let removed = 0;
		let cursor: string | undefined;
		do {
			const page = await this.#bucket.list({
				prefix,
				limit: this.#keysMax,
				...(cursor === undefined ? {} : { cursor }),
			});
			const keys = page.objects.filter(isDue).map(({ key }) => key);
			if (keys.length > 0) await this.#bucket.delete(keys);
			removed += keys.length;
			cursor = page.truncated ? page.cursor : undefined;
		} while (cursor !== undefined);
		return removed;
	}
}

// The id comes from a URL, and must not lead out of the account's folder.
function isId(uploadId: string): boolean {
	return /^[a-z0-9_]{1,64}$/.test(uploadId);
}

function fileKey(accountId: string, uploadId: string): string {
	assert(isId(uploadId), 'an upload was found before it is used');
	return `${UPLOADS_ROOT}${accountId}/${uploadId}/file`;
}

function factsKey(accountId: string, uploadId: string): string {
	assert(isId(uploadId), 'an upload was found before it is used');
	return `${UPLOADS_ROOT}${accountId}/${uploadId}/facts.json`;
}

function originalKey(jobId: string): string {
	return `${blobPrefixOf(jobId)}original`;
}

function originalFactsKey(jobId: string): string {
	return `${blobPrefixOf(jobId)}original.json`;
}
