import { PLAIN_JOB } from '../plain-job.ts';
import type { FinalRow, StoredRow } from '../../../src/core/jobs/stored-row.ts';
import { encodeRows, tallyRows, toJudgedRow } from '../../../src/core/jobs/stored-row.ts';
import { subStatusOfCatchAll } from '../../../src/core/verification/decide.ts';
import type { JobRecord } from '../../../src/operations/jobs/port.ts';
import { jobBlobsOf } from '../../../src/storage/jobs/blobs.ts';
import { completeJob } from '../../../src/operations/jobs/complete.ts';
import { breakdown } from '../dashboard/samples.ts';
import { MemoryBucket } from './memory-bucket.ts';
import { storedRow } from './listed-rows.ts';

/** Finished lists in memory, with the checks of their catch-all addresses. */
export class FinishedLists {
	readonly bucket = new MemoryBucket();
	readonly jobBlobs = jobBlobsOf(this.bucket.r2);
	readonly jobs = new Map<string, JobRecord>();
	now = 0;
	readonly services = {
		clock: { now: () => this.now, sleep: () => Promise.resolve() },
		jobBlobs: this.jobBlobs,
		accounts: () => ({
			findJob: (jobId: string) => Promise.resolve(this.jobs.get(jobId) ?? null),
			attemptsOf: () => Promise.resolve([1]),
			completeJob: ({ jobId }: { jobId: string }) => Promise.resolve(this.#end(jobId)),
		}),
	};

	/** A completed list of these rows, whose results expire at 1,000. */
	async add(jobId: string, rows: readonly StoredRow[]): Promise<JobRecord> {
		return this.#complete({ ...PLAIN_JOB, jobId }, rows);
	}

	/** A completed catch-all check of a list, which then has it: the scores of its catch-all rows. */
	async check(jobId: string, scores: readonly number[]): Promise<JobRecord> {
		const taskId = `${jobId}_check`;
		await this.#complete(
			{ ...PLAIN_JOB, kind: 'catchall', jobId: taskId, sourceJobId: jobId },
			scores.map((score, at) =>
				toJudgedRow(storedRow(at, 'a@x.test', subStatusOfCatchAll(score)), { score, breakdown }),
			),
		);
		const job = { ...this.jobs.get(jobId)!, verdictsTaskId: taskId };
		this.jobs.set(jobId, job);
		return job;
	}

	async #complete(job: JobRecord, rows: readonly FinalRow[]): Promise<JobRecord> {
		const { jobId } = job;
		await this.jobBlobs.putAttempt(jobId, 0, 1, encodeRows(rows));
		const of = { parts: 1, accepted: rows.length, processed: rows.length, counts: tallyRows(rows) };
		this.jobs.set(jobId, { ...job, ...of });
		await completeJob(this.services as never, { accountId: 'acc_1' }, { jobId });
		this.bucket.reads.length = 0;
		return this.jobs.get(jobId)!;
	}

	#end(jobId: string): void {
		this.jobs.set(jobId, { ...this.jobs.get(jobId)!, status: 'completed', resultsExpiresAt: 1_000 });
	}
}
