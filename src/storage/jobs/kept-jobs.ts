import { blobPrefixOf } from '../../core/jobs/retention.ts';
import { Slots } from '../../lib/slots.ts';
import type { KeptJob, KeptJobs } from '../../operations/jobs/job-blobs-port.ts';
import { OWNER } from './blobs.ts';
import { KeptPlace } from '../bucket-pages.ts';

const ROOT = 'jobs/';
// Not under the root, where every key belongs to a job.
const PLACE_KEY = 'sweeps/jobs';
// A Worker may hold six connections.
const READS_AT_ONCE = 6;

/** The jobs that have objects in the bucket, found by their keys. */
export class R2KeptJobs implements KeptJobs {
	readonly #bucket: R2Bucket;
	readonly #place: KeptPlace;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
		this.#place = new KeptPlace(bucket, PLACE_KEY);
	}

	async list(after: string | null, most: number): ReturnType<KeptJobs['list']> {
		const page = await this.#bucket.list({
			prefix: ROOT,
			delimiter: '/',
			limit: most,
			// After all keys of that job: ids have no character below `0`, the one after the slash.
			...(after === null ? {} : { startAfter: `${ROOT}${after}0` }),
		});
		const ids = page.delimitedPrefixes.map((prefix) => prefix.slice(ROOT.length, -1));
		const slots = new Slots(READS_AT_ONCE);
		const jobs = await Promise.all(ids.map((jobId) => slots.run(() => this.find(jobId))));
		const isEnd = !page.truncated || ids.length === 0;
		return { jobs: jobs.filter((job) => job !== null), last: ids.at(-1) ?? after, isEnd };
	}

	async readPlace(): Promise<string | null> {
		return this.#place.read();
	}

	async keepPlace(place: string | null): Promise<void> {
		await this.#place.keep(place);
	}

	async find(jobId: string): Promise<KeptJob | null> {
		const input = await this.#bucket.head(`${blobPrefixOf(jobId)}input`);
		if (input !== null) {
			const accountId = input.customMetadata?.[OWNER] ?? null;
			return { jobId, accountId, keptSince: input.uploaded.getTime() };
		}
		const { objects } = await this.#bucket.list({ prefix: blobPrefixOf(jobId) });
		if (objects.length === 0) return null;
		const keptSince = Math.max(...objects.map(({ uploaded }) => uploaded.getTime()));
		return { jobId, accountId: null, keptSince };
	}
}
