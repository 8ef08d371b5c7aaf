import type { ListedAddress } from '../../../core/catchall/list/list-facts.ts';
import { JOB_KINDS } from '../../../core/jobs/kinds/kinds.ts';
import { listed } from '../../../core/jobs/report/listed-row.ts';
import { ReportCounter } from '../../../core/jobs/report/report.ts';
import { judgementOf } from '../../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../../core/jobs/stored-row.ts';
import { encodeScores, scoreAt } from '../../../core/jobs/task-verdicts.ts';
import type { TaskScores } from '../../../core/jobs/task-verdicts.ts';
import { statusOf } from '../../../core/verification/sub-status.ts';
import { ServiceError } from '../../../errors.ts';
import { assert } from '../../../lib/assert.ts';
import type { Services } from '../../../services.ts';
import type { AccountRef } from '../../accounts/port.ts';
import type { JobRecord } from '../port.ts';
import { streamRows } from './stored-results.ts';

type SummaryServices = Pick<Services, 'accounts' | 'clock' | 'jobBlobs'>;

/** Collects the texts about a job as a whole, when all its rows are final. A repetition stores the same. */
export interface Summary {
	/** Called with each row, in their order. */
	see(row: FinalRow): void;
	store(): Promise<void>;
}

export function summaryOf(services: SummaryServices, account: AccountRef, job: JobRecord): Summary {
	return JOB_KINDS[job.kind].isDeep ? summaryOfTask(services, account, job) : summaryOfList(services, job);
}

/** The report, and the facts that a later task needs; a list without catch-all addresses needs none. */
function summaryOfList({ jobBlobs }: SummaryServices, { jobId, counts }: JobRecord): Summary {
	const report = new ReportCounter();
	const addresses: ListedAddress[] = [];
	return {
		see: (row) => {
			report.see(listed(row, null));
			const [, email, subStatus, , catchAll] = row;
			if (counts.catchAll > 0)
				addresses.push({ email, status: statusOf(subStatus), catchAll: catchAll === true });
		},
		store: async () => {
			await jobBlobs.putSummary(jobId, 'report', JSON.stringify(report.report()));
			if (addresses.length === 0) return;
			// It brings the dictionary of names, which a start of the API does not read.
			const { planListFacts } = await import('../../../core/catchall/list/list-facts.ts');
			await jobBlobs.putSummary(jobId, 'facts', JSON.stringify(planListFacts(addresses)));
		},
	};
}

/** The scores, and the report of the list with them. */
function summaryOfTask(services: SummaryServices, account: AccountRef, task: JobRecord): Summary {
	const { jobBlobs } = services;
	const scores: number[] = [];
	return {
		see: (row) => {
			const judgement = judgementOf(row);
			assert(judgement !== null, 'every row of a task has a score');
			scores.push(judgement.score);
		},
		store: async () => {
			const places = JSON.parse((await jobBlobs.readSummary(task.jobId, 'places')) ?? '[]') as number[];
			assert(places.length === scores.length, 'every row of a task has its place in the list');
			const byPlace = new Map(places.map((place, at) => [place, scores[at] ?? 0]));
			await jobBlobs.putSummary(task.jobId, 'scores', encodeScores(byPlace));
			const report = await reportWith(services, account, task, byPlace);
			if (report !== null) await jobBlobs.putSummary(task.jobId, 'report', JSON.stringify(report));
		},
	};
}

/** The report of a task's list with its scores; null: the list's results have expired. */
async function reportWith(
	{ accounts, clock, jobBlobs }: SummaryServices,
	{ accountId }: AccountRef,
	{ sourceJobId }: JobRecord,
	scores: TaskScores,
) {
	const list = sourceJobId === null ? null : await accounts(accountId).findJob(sourceJobId);
	if (list === null || (list.resultsExpiresAt ?? 0) <= clock.now()) return null;
	const counter = new ReportCounter();
	try {
		for await (const row of streamRows({ jobBlobs }, list, 'all'))
			counter.see(listed(row, scoreAt(scores, row[0])));
	} catch (error) {
		// Deleted meanwhile: the report will not be read.
		if (error instanceof ServiceError && error.code === 'results_expired') return null;
		throw error;
	}
	return counter.report();
}
