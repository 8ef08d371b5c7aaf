import { blobPrefixOf } from '../core/jobs/blob-prefix.ts';
import type { AuditedBucket } from '../operations/audit/port.ts';
import { KEYS_MAX, objectPages } from './bucket-pages.ts';
import { KeptPlace } from './kept-place.ts';
import { UPLOADS_ROOT } from './upload-blobs.ts';

const PLACE_KEY = 'sweeps/audit';
const FIRST_NAMES = 5;

/** What the bucket holds, for audits. */
export class R2AuditedBucket implements AuditedBucket {
	readonly #bucket: R2Bucket;
	readonly #place: KeptPlace;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
		this.#place = new KeptPlace(bucket, PLACE_KEY);
	}

	async namesOf(jobId: string): Promise<readonly string[]> {
		return this.#namesUnder(blobPrefixOf(jobId));
	}

	async firstNamesOf(jobId: string): Promise<readonly string[]> {
		const prefix = blobPrefixOf(jobId);
		const { objects } = await this.#bucket.list({ prefix, limit: FIRST_NAMES });
		return objects.map(({ key }) => key.slice(prefix.length));
	}

	async oldUploads(before: number, after: string | null): ReturnType<AuditedBucket['oldUploads']> {
		const page = await this.#bucket.list({
			prefix: UPLOADS_ROOT,
			limit: KEYS_MAX,
			...(after === null ? {} : { startAfter: after }),
		});
		const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < before);
		const accountIds = old.map(({ key }) => key.slice(UPLOADS_ROOT.length).split('/')[0] ?? '');
		return { accountIds, next: page.truncated ? (page.objects.at(-1)?.key ?? null) : null };
	}

	async readPlace(): Promise<string | null> {
		return this.#place.read();
	}

	async keepPlace(place: string | null): Promise<void> {
		await this.#place.keep(place);
	}

	async #namesUnder(prefix: string): Promise<string[]> {
		const names: string[] = [];
		for await (const page of objectPages(this.#bucket, prefix))
			names.push(...page.map(({ key }) => key.slice(prefix.length)));
		return names;
	}
}
