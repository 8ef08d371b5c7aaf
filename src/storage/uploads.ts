import { blobPrefixOf } from '../core/jobs/retention.ts';
import type { Octets, OriginalList, Upload, UploadBlobs } from '../operations/uploads/port.ts';
import { assert } from '../lib/assert.ts';
import { KEYS_MAX, objectPages, removeWhere } from './bucket-pages.ts';
import type { PageOptions } from './bucket-pages.ts';

/** The prefix of all uploads. */
const UPLOADS_ROOT = 'uploads/';
// In the metadata of the facts, so that listing those that wait need not read the others.
const STARTED = 'started';
// In the metadata of a job's original file: how many rows of data it has.
const ROWS = 'rows';

/** Uploaded files in R2. The facts are written after the file and deleted before it, so facts imply a file. */
export class R2UploadBlobs implements UploadBlobs {
	readonly #bucket: R2Bucket;
	readonly #pages: PageOptions;

	/** `keysMax`: the most keys for one `list` or `delete`. */
	constructor(bucket: R2Bucket, keysMax = KEYS_MAX) {
		this.#bucket = bucket;
		this.#pages = { keysMax, withMetadata: true };
	}

	async put(accountId: string, upload: Upload, text: Uint8Array, workbook?: Uint8Array): Promise<void> {
		const { uploadId } = upload;
		await this.#bucket.put(fileKey(accountId, upload), text);
		if (workbook !== undefined) await this.#bucket.put(workbookKey(accountId, uploadId), workbook);
		// Last: until then, the sheet that was read before is.
		await this.#bucket.put(factsKey(accountId, uploadId), JSON.stringify(upload));
	}

	async find(accountId: string, uploadId: string): Promise<Upload | null> {
		if (!isId(uploadId)) return null;
		const object = await this.#bucket.get(factsKey(accountId, uploadId));
		// Written by us; a deploy that changes its shape makes old uploads unreadable for a day.
		return object === null ? null : object.json<Upload>();
	}

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

	async read(accountId: string, upload: Pick<Upload, 'uploadId' | 'sheet'>): Promise<Octets | null> {
		return this.#octets(fileKey(accountId, upload));
	}

	async readWorkbook(accountId: string, uploadId: string): Promise<Uint8Array | null> {
		const object = await this.#bucket.get(workbookKey(accountId, uploadId));
		return object === null ? null : new Uint8Array(await object.arrayBuffer());
	}

	async keepForJob(
		accountId: string,
		upload: Pick<Upload, 'uploadId' | 'sheet'>,
		{ jobId, original, text }: Parameters<UploadBlobs['keepForJob']>[2],
	): Promise<boolean> {
		const file = await this.#bucket.get(fileKey(accountId, upload));
		if (file === null) return false;
		// Streamed from bucket to bucket, so that the Worker does not hold it in memory.
		await this.#bucket.put(originalKey(jobId), text ?? file.body);
		await this.#bucket.put(originalFactsKey(jobId), JSON.stringify(original), {
			customMetadata: { [ROWS]: String(original.places.length) },
		});
		return true;
	}

	async markStarted(accountId: string, upload: Upload, jobId: string): Promise<void> {
		const { uploadId } = upload;
		await this.#bucket.put(factsKey(accountId, uploadId), JSON.stringify({ ...upload, jobId }), {
			customMetadata: { [STARTED]: 'yes' },
		});
		const facts = factsKey(accountId, uploadId);
		await removeWhere(this.#bucket, folderOf(accountId, uploadId), ({ key }) => key !== facts, this.#pages);
	}

	async findOriginal(jobId: string): Promise<OriginalList | null> {
		const object = await this.#bucket.get(originalFactsKey(jobId));
		return object === null ? null : object.json<OriginalList>();
	}

	async rowsOfOriginal(jobId: string): Promise<number | null> {
		const head = await this.#bucket.head(originalFactsKey(jobId));
		return head === null ? null : Number(head.customMetadata?.[ROWS]);
	}

	async readOriginal(jobId: string): Promise<Octets | null> {
		return this.#octets(originalKey(jobId));
	}

	async remove(accountId: string, uploadId: string): Promise<void> {
		await this.#bucket.delete(factsKey(accountId, uploadId));
		await removeWhere(this.#bucket, folderOf(accountId, uploadId), () => true, this.#pages);
	}

	async removeAllOf(accountId: string): Promise<void> {
		await removeWhere(this.#bucket, `${UPLOADS_ROOT}${accountId}/`, () => true, this.#pages);
	}

	async #octets(key: string): Promise<Octets | null> {
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

/** Each sheet has a name of its own, so that the facts always belong to the text that they name. */
function fileKey(accountId: string, { uploadId, sheet }: Pick<Upload, 'uploadId' | 'sheet'>): string {
	return `${folderOf(accountId, uploadId)}${sheet === undefined ? 'file' : `sheet-${sheet}`}`;
}

function workbookKey(accountId: string, uploadId: string): string {
	return `${folderOf(accountId, uploadId)}workbook`;
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
