import { PLAIN_JOB } from '../plain-job.ts';
import { VerdictRecorder } from '../../../src/core/jobs/task-verdicts.ts';
import type { CatchAllScore, StoredRow } from '../../../src/core/jobs/stored-row.ts';
import { encodeRows, toJudgedRow } from '../../../src/core/jobs/stored-row.ts';
import type { JobRecord } from '../../../src/operations/jobs/port.ts';
import { breakdown } from '../dashboard/samples.ts';
import { FakeJobBlobs } from './fake-uploads.ts';
import { laidOut } from './layout.ts';
import { storedRow } from './listed-rows.ts';

const EXPIRES_AT = 1_000;
const SUB_STATUS = {
	valid: 'catch_all_valid',
	invalid: 'catch_all_invalid',
	unknown: 'catch_all_unresolved',
} as const;

/** Finished lists in memory, with the later checks of their addresses. */
export class FinishedLists {
	readonly jobBlobs = new FakeJobBlobs();
	readonly jobs = new Map<string, JobRecord>();
	now = 0;
	readonly services = {
		clock: { now: () => this.now, sleep: () => Promise.resolve() },
		jobBlobs: this.jobBlobs,
		accounts: () => ({ findJob: (jobId: string) => Promise.resolve(this.jobs.get(jobId) ?? null) }),
	};

	/** A completed list of these rows. */
	async add(jobId: string, rows: readonly StoredRow[]): Promise<JobRecord> {
		const layout = await laidOut([encodeRows(rows)], rows.length);
		for (const [list, pages] of Object.entries(layout.lists)) {
			for (const [page, text] of pages.entries()) await this.jobBlobs.putPage(jobId, list, page, text);
		}
		const job: JobRecord = {
			...PLAIN_JOB,
			jobId,
			status: 'completed',
			accepted: rows.length,
			counts: layout.counts,
			resultsExpiresAt: EXPIRES_AT,
		};
		this.jobs.set(jobId, job);
		return job;
	}

	/** A completed catch-all check of some rows of a list, by their places there. */
	async check(jobId: string, verdicts: readonly (readonly [number, CatchAllScore])[]): Promise<JobRecord> {
		const taskId = `${jobId}_check`;
		const recorder = new VerdictRecorder();
		for (const [at, [, { score, verdict }]] of verdicts.entries())
			recorder.see(toJudgedRow(storedRow(at, 'a@x.test', SUB_STATUS[verdict]), { score, breakdown }));
		await this.jobBlobs.putSummary(taskId, 'places', JSON.stringify(verdicts.map(([place]) => place)));
		await this.jobBlobs.putSummary(taskId, 'verdicts', recorder.encode());
		return this.#change(jobId, { verdictsTaskId: taskId });
	}

	/** A completed list that asked some addresses of another one again. */
	async askAgain(jobId: string, rows: readonly (readonly [number, StoredRow])[]): Promise<JobRecord> {
		const againId = `${jobId}_again`;
		await this.add(
			againId,
			rows.map(([, row]) => row),
		);
		await this.jobBlobs.putSummary(againId, 'places', JSON.stringify(rows.map(([place]) => place)));
		return this.#change(jobId, { againJobId: againId, answersJobId: againId });
	}

	#change(jobId: string, more: Partial<JobRecord>): JobRecord {
		const job = { ...this.jobs.get(jobId)!, ...more };
		this.jobs.set(jobId, job);
		return job;
	}
}
