import { PLAIN_JOB } from '../plain-job.ts';
import type { CatchAllScore, FinalRow, StoredRow } from '../../../src/core/jobs/stored-row.ts';
import { encodeRows, toJudgedRow } from '../../../src/core/jobs/stored-row.ts';
import type { JobRecord } from '../../../src/operations/jobs/port.ts';
import { jobBlobsOf } from '../../../src/storage/jobs/blobs.ts';
import { summaryOf } from '../../../src/operations/jobs/steps/summaries.ts';
import { breakdown } from '../dashboard/samples.ts';
import { MemoryBucket } from './memory-bucket.ts';
import { laidOut } from './layout.ts';
import { storedRow } from './listed-rows.ts';

const SUB_STATUS = {
	valid: 'catch_all_valid',
	invalid: 'catch_all_invalid',
	unknown: 'catch_all_unresolved',
} as const;

/** Finished lists in memory, with the checks of their catch-all addresses. */
export class FinishedLists {
	readonly bucket = new MemoryBucket();
	readonly jobBlobs = jobBlobsOf(this.bucket.r2);
	readonly jobs = new Map<string, JobRecord>();
	now = 0;
	readonly services = {
		clock: { now: () => this.now, sleep: () => Promise.resolve() },
		jobBlobs: this.jobBlobs,
		accounts: () => ({ findJob: (jobId: string) => Promise.resolve(this.jobs.get(jobId) ?? null) }),
	};

	/** A completed list of these rows, whose results expire at 1,000. */
	async add(jobId: string, rows: readonly StoredRow[]): Promise<JobRecord> {
		const layout = await laidOut([encodeRows(rows)], rows.length);
		for (const [list, pages] of Object.entries(layout.lists)) {
			for (const [page, text] of pages.entries()) await this.jobBlobs.putPage(jobId, list, page, text);
		}
		const { counts } = layout;
		const about = { status: 'completed', accepted: rows.length, counts, resultsExpiresAt: 1_000 } as const;
		return this.#complete({ ...PLAIN_JOB, ...about, jobId }, rows);
	}

	/** A completed catch-all check of some rows of a list, by their places there. */
	async check(jobId: string, verdicts: readonly (readonly [number, CatchAllScore])[]): Promise<JobRecord> {
		const taskId = `${jobId}_check`;
		await this.jobBlobs.putSummary(taskId, 'places', JSON.stringify(verdicts.map(([place]) => place)));
		const task: JobRecord = { ...PLAIN_JOB, kind: 'catchall', jobId: taskId, sourceJobId: jobId };
		await this.#complete(
			task,
			verdicts.map(([, { score, verdict }], at) =>
				toJudgedRow(storedRow(at, 'a@x.test', SUB_STATUS[verdict]), { score, breakdown }),
			),
		);
		const job = { ...this.jobs.get(jobId)!, verdictsTaskId: taskId };
		this.jobs.set(jobId, job);
		return job;
	}

	async #complete(job: JobRecord, rows: readonly FinalRow[]): Promise<JobRecord> {
		const summary = summaryOf(this.services as never, { accountId: 'acc_1' }, job);
		for (const row of rows) summary.see(row);
		await summary.store();
		this.jobs.set(job.jobId, job);
		return job;
	}
}
