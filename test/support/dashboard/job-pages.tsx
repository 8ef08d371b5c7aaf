import type { Rejected } from '../../../src/core/jobs/clean-list.ts';
import { toJudgedRow } from '../../../src/core/jobs/stored-row.ts';
import { listed } from '../../../src/core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../../src/core/jobs/report/listed-row.ts';
import { paginate } from '../../../src/core/jobs/pages.ts';
import { listPage } from '../../../src/dashboard/pages/list.tsx';
import type { ListData } from '../../../src/dashboard/pages/list.tsx';
import type { RowsQuery, ShownRows } from '../../../src/dashboard/pages/list-rows.tsx';
import type { JobRecord } from '../../../src/operations/jobs/port.ts';
import { listedRow, storedRow } from '../unit/listed-rows.ts';
import { report, reportAfterCheck, taskReport } from './report-samples.ts';
import * as sample from './samples.ts';

// The page of a list in every state.

const { view } = sample;

const ROWS: readonly ListedRow[] = sample.ANSWERS.map((answer) => listedRow(...answer));

/** A row of a catch-all check. */
function judged(email: string, score: number, verdict: 'valid' | 'invalid' | 'unresolved'): ListedRow {
	const row = storedRow(0, email, `catch_all_${verdict}`, { catchAll: true, replyCode: '250 2.1.5' });
	const { breakdown } = sample;
	const rest = score - breakdown.explanations.reduce((sum, { effect }) => sum + effect, 0);
	return listed(toJudgedRow(row, { score, breakdown: { ...breakdown, base: rest } }), null);
}

export const TASK_ROWS: readonly ListedRow[] = [
	judged('grace@navy.example', 91, 'valid'),
	judged('asdf1234@navy.example', 12, 'invalid'),
	judged('info@hopper.example', 63, 'unresolved'),
];

const ALL: RowsQuery = { status: null, reason: null, q: '' };

/** A page of rows out of so many. */
function shownOf(rows: readonly ListedRow[], total = 20_000, query: Partial<RowsQuery> = {}): ShownRows {
	return { kind: 'rows', query: { ...ALL, ...query }, rows, pagination: paginate(total, 1, 50) };
}

/** Rows that were left out. */
export function leftOut(rows: readonly Rejected[]): ShownRows {
	return {
		kind: 'left_out',
		query: { ...ALL, status: 'left_out' },
		rows,
		pagination: paginate(rows.length, 1, 50),
	};
}

export const list: ListData = {
	job: sample.job,
	slowed: null,
	checks: [],
	report,
	shown: shownOf(ROWS),
	fileRows: 20_430,
	source: null,
};

/** A list without a report. */
const without: ListData = { ...list, report: null, shown: null };

/** A later check of the list's addresses that is completed. */
function checkOf(
	jobId: string,
	kind: JobRecord['kind'],
	accepted: number,
	counts: Pick<JobRecord['counts'], 'deliverable' | 'undeliverable' | 'unknown'>,
): JobRecord {
	return {
		...sample.job,
		jobId,
		kind,
		accepted,
		processed: accepted,
		counts: { ...counts, risky: 0, catchAll: 0 },
		creditsUsed: accepted - counts.unknown,
		creditsRefunded: counts.unknown,
	};
}

const again: JobRecord = {
	...checkOf('job_a9', 'verification', 125, { deliverable: 0, undeliverable: 0, unknown: 0 }),
	status: 'processing',
	processed: 31,
};

const draw = (data: Partial<ListData>) => listPage.draw(view, { ...list, ...data });

export const JOB_PAGES = {
	job: draw({}),
	'job-working': listPage.draw(view, { ...without, job: sample.workingJob }),
	'job-slowed': listPage.draw(view, {
		...without,
		job: { ...sample.workingJob, waiting: 750 },
		slowed: { domain: 'acme.example', asked: 301, unknown: 299, perMinute: 12, open: 738 },
	}),
	'job-failed': listPage.draw(view, { ...without, job: sample.failedJob }),
	'job-expired': listPage.draw(view, { ...without, job: sample.expiredJob }),
	'job-checked': draw({
		report: reportAfterCheck,
		checks: [
			checkOf('cat_5e0d', 'catchall', 1_288, { deliverable: 742, undeliverable: 278, unknown: 268 }),
			again,
		],
	}),
	'job-again': draw({ job: { ...sample.job, name: 'July newsletter, asked again' }, source: sample.job }),
	'job-search': draw({ shown: shownOf([], 0, { status: 'risky', q: '<b>"acme' }) }),
	'job-filtered': draw({ shown: shownOf(ROWS.slice(2, 4), 1_402, { status: 'risky' }) }),
	'job-fifty-rows': draw({ shown: shownOf(Array.from({ length: 50 }, (_, n) => ROWS[n % ROWS.length]!)) }),
	'job-left-out': draw({
		shown: leftOut([
			{ index: 76, value: 'ada@@lovelace', reason: 'malformed', duplicateOf: null },
			{ index: 80, value: 'Ada@lovelace.example', reason: 'duplicate', duplicateOf: 4 },
			{ index: 901, value: `${'long '.repeat(40)}<b>`, reason: 'malformed', duplicateOf: null },
		]),
	}),
	'job-renamed': listPage.draw(
		view,
		list,
		sample.wrong('rename', { name: '' }, { name: 'Give the list a name' }),
	),
	'job-delete': listPage.ask(
		view,
		'delete',
		{ title: 'Delete “July newsletter”', text: <p>You can’t undo this.</p>, name: 'July newsletter' },
		sample.wrong('delete', { confirm: 'June' }, { confirm: 'This is not the name of the list.' }),
	),
	task: draw({
		fileRows: null,
		job: sample.task,
		report: taskReport,
		shown: shownOf(TASK_ROWS, 1_288),
		source: sample.job,
	}),
	'task-working': listPage.draw(view, {
		...without,
		source: sample.job,
		job: {
			...sample.task,
			status: 'processing',
			processed: 431,
			counts: { deliverable: 300, undeliverable: 100, risky: 0, unknown: 31, catchAll: 431 },
			creditsReserved: 857,
			completedAt: null,
			resultsExpiresAt: null,
		},
	}),
};
