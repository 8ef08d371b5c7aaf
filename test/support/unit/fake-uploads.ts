import type { JobBlobs } from '../../../src/operations/jobs/job-blobs-port.ts';
import type { OriginalList, Upload } from '../../../src/core/upload/upload.ts';
import type { Services } from '../../../src/services.ts';

interface Stored {
	upload: Upload;
	file: Uint8Array | null;
}

type UploadBlobs = Services['uploadBlobs'];
type Octets = AsyncIterable<Uint8Array>;

const STEP = 1_000;

async function* inSteps(file: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
	for (let at = 0; at < file.length; at += STEP) yield file.subarray(at, at + STEP);
}

/** Uploads in memory. Their facts are serialised as JSON, as in the bucket. */
export class FakeUploadBlobs implements UploadBlobs {
	readonly uploads = new Map<string, Stored>();
	readonly originals = new Map<string, { original: string; file: Uint8Array }>();

	async put(accountId: string, upload: Upload, file: Uint8Array): Promise<void> {
		this.uploads.set(`${accountId}/${upload.uploadId}`, { upload, file });
	}

	async listOf(accountId: string, most: number): Promise<readonly Upload[]> {
		const own = [...this.uploads].filter(([key]) => key.startsWith(`${accountId}/`));
		const waiting = own.map(([, { upload }]) => upload).filter(({ jobId }) => jobId === null);
		return waiting.toReversed().slice(0, most);
	}

	async find(accountId: string, uploadId: string): Promise<Upload | null> {
		const upload = this.uploads.get(`${accountId}/${uploadId}`)?.upload;
		return upload === undefined ? null : (JSON.parse(JSON.stringify(upload)) as Upload);
	}

	async read(accountId: string, uploadId: string): Promise<Octets | null> {
		const file = this.uploads.get(`${accountId}/${uploadId}`)?.file ?? null;
		return file === null ? null : inSteps(file);
	}

	async keepForJob(
		accountId: string,
		uploadId: string,
		{ jobId, original }: Parameters<UploadBlobs['keepForJob']>[2],
	): Promise<boolean> {
		const file = this.uploads.get(`${accountId}/${uploadId}`)?.file ?? null;
		if (file === null) return false;
		this.originals.set(jobId, { original: JSON.stringify(original), file });
		return true;
	}

	async markStarted(accountId: string, upload: Upload, jobId: string): Promise<void> {
		this.uploads.set(`${accountId}/${upload.uploadId}`, { upload: { ...upload, jobId }, file: null });
	}

	async findOriginal(jobId: string): Promise<OriginalList | null> {
		const kept = this.originals.get(jobId);
		return kept === undefined ? null : (JSON.parse(kept.original) as OriginalList);
	}

	async rowsOfOriginal(jobId: string): Promise<number | null> {
		return (await this.findOriginal(jobId))?.places.length ?? null;
	}

	async readOriginal(jobId: string): Promise<Octets | null> {
		const kept = this.originals.get(jobId);
		return kept === undefined ? null : inSteps(kept.file);
	}

	async remove(accountId: string, uploadId: string): Promise<void> {
		this.uploads.delete(`${accountId}/${uploadId}`);
	}

	async removeAllOf(accountId: string): Promise<void> {
		for (const key of this.uploads.keys()) if (key.startsWith(`${accountId}/`)) this.uploads.delete(key);
	}
}

/** A job's blobs in memory, with only the methods that these tests need. */
export class FakeJobBlobs implements JobBlobs {
	readonly texts = new Map<string, string>();
	/** The pages that were read, in order. */
	readonly pagesRead: string[] = [];

	async putInput(jobId: string, parts: Iterable<string>): Promise<void> {
		this.texts.set(`${jobId}/input`, [...parts].join('\n'));
	}

	async readPart(jobId: string, part: number): Promise<string | null> {
		return this.texts.get(`${jobId}/input`)?.split('\n')[part] ?? null;
	}

	async putRejected(jobId: string, pages: Iterable<string>): Promise<void> {
		for (const [page, text] of [...pages].entries()) this.texts.set(`${jobId}/rejected/${page}`, text);
	}

	async readRejected(jobId: string, page: number): Promise<string | null> {
		return this.texts.get(`${jobId}/rejected/${page}`) ?? null;
	}

	async putAttempt(jobId: string, part: number, attempt: number, rows: string): Promise<string> {
		const key = `${jobId}/${part}.${attempt}`;
		if (!this.texts.has(key)) this.texts.set(key, rows);
		return this.texts.get(key) ?? '';
	}

	async readAttempt(jobId: string, part: number, attempt: number): Promise<string | null> {
		return this.texts.get(`${jobId}/${part}.${attempt}`) ?? null;
	}

	async lastAttempts(): Promise<readonly number[]> {
		throw new Error('no test needs it');
	}

	async putSummary(jobId: string, name: string, text: string): Promise<void> {
		this.texts.set(`${jobId}/${name}`, text);
	}

	async readSummary(jobId: string, name: string): Promise<string | null> {
		return this.texts.get(`${jobId}/${name}`) ?? null;
	}

	async putPage(jobId: string, list: string, page: number, rows: string): Promise<void> {
		this.texts.set(`${jobId}/${list}/${page}`, rows);
	}

	async readPage(jobId: string, list: string, page: number): Promise<string | null> {
		this.pagesRead.push(`${list}/${page}`);
		return this.texts.get(`${jobId}/${list}/${page}`) ?? null;
	}

	async remove(jobId: string): Promise<void> {
		for (const key of this.texts.keys()) if (key.startsWith(`${jobId}/`)) this.texts.delete(key);
	}
}
