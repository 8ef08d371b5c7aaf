import { blobPrefixOf } from '../core/jobs/retention.ts';
import type { OriginalList, Upload } from '../core/upload/upload.ts';
import { assert } from '../lib/assert.ts';
import { objectPages, removeWhere } from './bucket-pages.ts';

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
export function uploadBlobsOf(bucket: R2Bucket) {
	const octetsOf = async (key: string): Promise<AsyncIterable<Uint8Array> | null> => {
		const object = await bucket.get(key);
		return object === null ? null : (object.body as ReadableStream<Uint8Array>);
	};
	const remove = async (prefix: string, but: string | null = null): Promise<void> => {
		await removeWhere(bucket, prefix, ({ key }) => key !== but);
	};
	return {
		put: async (accountId: string, upload: Upload, text: Uint8Array) => {
			await bucket.put(fileKey(accountId, upload.uploadId), text);
			await bucket.put(factsKey(accountId, upload.uploadId), JSON.stringify(upload));
		},
		/** Null: the account has no such upload. */
		find: async (accountId: string, uploadId: string): Promise<Upload | null> => {
			if (!isId(uploadId)) return null;
			const object = await bucket.get(factsKey(accountId, uploadId));
			// Written by us; a deploy that changes its shape makes old uploads unreadable for a day.
			return object === null ? null : object.json<Upload>();
		},
		/** The newest uploads that were not started, at most so many. */
		listOf: async (accountId: string, most: number): Promise<readonly Upload[]> => {
			const facts: R2Object[] = [];
			for await (const page of objectPages(bucket, `${UPLOADS_ROOT}${accountId}/`))
				facts.push(...page.filter(isWaiting));
			const newest = facts.toSorted((a, b) => b.uploaded.getTime() - a.uploaded.getTime()).slice(0, most);
			const found = await Promise.all(newest.map(({ key }) => bucket.get(key)));
			const uploads = await Promise.all(found.map(async (object) => object?.json<Upload>() ?? null));
			return uploads.filter((upload) => upload !== null && upload.jobId === null) as Upload[];
		},
		/** Null: started or removed. */
		read: (accountId: string, uploadId: string) => octetsOf(fileKey(accountId, uploadId)),
		/** Copies the file to `jobs/<jobId>/`, where it is deleted with the job. False: the file is gone. */
		keepForJob: async (
			accountId: string,
			uploadId: string,
			{ jobId, original }: { readonly jobId: string; readonly original: OriginalList },
		): Promise<boolean> => {
			const file = await bucket.get(fileKey(accountId, uploadId));
			if (file === null) return false;
			// Streamed from bucket to bucket, so that the Worker does not hold it in memory.
			await bucket.put(originalKey(jobId), file.body);
			await bucket.put(originalFactsKey(jobId), JSON.stringify(original), {
				customMetadata: { [ROWS]: String(original.places.length) },
			});
			return true;
		},
		/** Records the job and deletes the file. */
		markStarted: async (accountId: string, upload: Upload, jobId: string): Promise<void> => {
			const facts = factsKey(accountId, upload.uploadId);
			const started = JSON.stringify({ ...upload, jobId });
			await bucket.put(facts, started, { customMetadata: { [STARTED]: 'yes' } });
			await remove(folderOf(accountId, upload.uploadId), facts);
		},
		/** Null: the job was not made from a file, or is gone. */
		findOriginal: async (jobId: string): Promise<OriginalList | null> => {
			const object = await bucket.get(originalFactsKey(jobId));
			return object === null ? null : object.json<OriginalList>();
		},
		/** How many rows of data the job's file has, without reading it. Null: no file, or it is gone. */
		rowsOfOriginal: async (jobId: string): Promise<number | null> => {
			const head = await bucket.head(originalFactsKey(jobId));
			return head === null ? null : Number(head.customMetadata?.[ROWS]);
		},
		readOriginal: (jobId: string) => octetsOf(originalKey(jobId)),
		remove: async (accountId: string, uploadId: string): Promise<void> => {
			await bucket.delete(factsKey(accountId, uploadId));
			await remove(folderOf(accountId, uploadId));
		},
		removeAllOf: (accountId: string) => remove(`${UPLOADS_ROOT}${accountId}/`),
	};
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
