import { z } from '@hono/zod-openapi';
import type { Breakdown } from '../../core/catchall/breakdown.ts';
import { SECTIONS } from '../../core/catchall/table.ts';
import type { SectionName } from '../../core/catchall/table.ts';
import { CATCH_ALL_VERDICTS } from '../../core/verification/render.ts';
import { assert } from '../../lib/assert.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { jobStatus } from './envelope.ts';
import { count, creditCount, score, time, timestamp } from './fields.ts';
import { isExpired, JOB, listName, pageQuery, pagination, progress, progressOf, renderJob } from './job.ts';
import { ACCEPTED_JUDGEMENT, CATCH_ALL_DOMAIN, REFUSED_JUDGEMENT } from './task-example.ts';

const verdictCounts = z
	.object({
		valid: count.describe('Addresses judged to exist'),
		invalid: count.describe('Addresses judged not to exist'),
		unknown: count.describe('Addresses on which the evidence does not decide, refunded'),
	})
	.openapi('VerdictCounts', { description: 'How many addresses have which verdict, live' });

/** POST /v1/catchall, request. */
export const taskRequest = z
	.object(
		{
			jobId: z
				.string({ error: 'Missing or invalid parameter: jobId must be a string' })
				.min(1, 'Missing or invalid parameter: jobId is empty')
				.describe('A completed job of this account, whose results have not expired'),
			name: listName,
		},
		{ error: 'The body must be a JSON object with a jobId' },
	)
	.openapi('CatchAllRequest', {
		description: 'Whose catch-all addresses to verify again',
		example: { jobId: 'job_1f0c', name: 'July list, catch-all' },
	});

/** A task that was just taken. */
export const TASK = {
	taskId: 'cat_1f0c',
	sourceJobId: JOB.jobId,
	status: 'processing',
	name: 'July list, catch-all',
	totalEmails: 1,
	processedEmails: 0,
	progress: { total: 1, processed: 0, percentage: 0 },
	creditsRequired: 1,
	creditsPerEmail: 1,
	creditsUsed: 0,
	creditsRefunded: 0,
	verdictCounts: { valid: 0, invalid: 0, unknown: 0 },
	waitingEmails: 0,
	nextAttemptAt: null,
	createdAt: '2026-07-01T11:00:00.000Z',
	updatedAt: '2026-07-01T11:00:00.000Z',
	completedAt: null,
	resultsExpiresAt: null,
	resultsExpired: false,
	error: null,
} as const;

/** The same task with its verdict. */
export const COMPLETED_TASK = {
	...TASK,
	status: 'completed',
	processedEmails: 1,
	progress: { total: 1, processed: 1, percentage: 100 },
	creditsUsed: 1,
	verdictCounts: { valid: 1, invalid: 0, unknown: 0 },
	updatedAt: '2026-07-01T11:00:20.000Z',
	completedAt: '2026-07-01T11:00:20.000Z',
	resultsExpiresAt: '2026-07-03T11:00:20.000Z',
} as const;

/** The findings of the task. */
export const VERDICT = {
	email: `jane@${CATCH_ALL_DOMAIN}`,
	score: ACCEPTED_JUDGEMENT.score,
	verdict: ACCEPTED_JUDGEMENT.verdict,
	is_actually_catchall: ACCEPTED_JUDGEMENT.isCatchAll,
	breakdown: ACCEPTED_JUDGEMENT.breakdown,
} as const;

/** The rows of the task's file, had it a second address, which its mail server refuses. */
export const VERDICTS_CSV = [
	'Email,Score,Verdict',
	`${VERDICT.email},${VERDICT.score},${VERDICT.verdict}`,
	`joe@${CATCH_ALL_DOMAIN},${REFUSED_JUDGEMENT.score},${REFUSED_JUDGEMENT.verdict}`,
	'',
].join('\r\n');

const taskId = z.string().describe('The id of the task, for its paths');

export const task = z
	.object({
		taskId,
		sourceJobId: z.string().describe('The job whose catch-all addresses these are'),
		status: jobStatus,
		name: z.string().nullable().describe('The name that was given with the task; null: none'),
		totalEmails: count.describe('Catch-all addresses of the job'),
		processedEmails: count.describe('Addresses that have their verdict'),
		progress,
		creditsRequired: creditCount.describe('What all addresses cost together, in credits'),
		creditsPerEmail: creditCount.describe('What an address costs, in credits'),
		creditsUsed: creditCount.describe('Charged so far, in credits'),
		creditsRefunded: creditCount.describe('Given back so far, for each `unknown`, in credits'),
		verdictCounts,
		waitingEmails: count.describe('Addresses that wait for a later attempt'),
		nextAttemptAt: time
			.nullable()
			.describe('When the next of them is tried, ISO 8601 in UTC; null: none waits'),
		createdAt: time.describe('When the task was taken, ISO 8601 in UTC'),
		updatedAt: time.describe('When the task last changed, ISO 8601 in UTC'),
		completedAt: time.nullable().describe('When the task ended, ISO 8601 in UTC; null while it runs'),
		resultsExpiresAt: time
			.nullable()
			.describe('Until when results are kept, ISO 8601 in UTC; null before the task is completed'),
		resultsExpired: z.boolean().describe('Whether the results have expired and are deleted'),
		error: z.string().nullable().describe('Why the task failed, for people; null unless it did'),
	})
	.openapi('CatchAllTask', {
		description: 'The deeper verification of catch-all addresses',
		example: COMPLETED_TASK,
	});

/** GET /v1/catchall */
export const tasksPage = z
	.object({ tasks: z.array(task).describe('The tasks, newest first'), pagination })
	.openapi('TasksPage', { description: "A page of the account's catch-all tasks" });

/** The filter of the task's results and of its download. */
export const verdictFilter = z
	.enum(['valid', 'invalid'], { error: 'Invalid parameter: verdict is one of valid, invalid' })
	.describe('Rows with this verdict alone; `unknown` rows are in neither');

/** GET /v1/catchall/:taskId/results, query. */
export const verdictsQuery = pageQuery.extend({ verdict: verdictFilter.optional() });

/** GET /v1/catchall/:taskId/download, query. */
export const downloadQuery = z.object({ verdict: verdictFilter.optional() });

const section = z.object({
	score: z.int().describe('By how much the section moves the score, in points, up or down'),
	signals: z
		.array(z.string().describe('A label, such as `spf:ok`; an open list'))
		.describe('All that was measured, neutral findings too'),
});
const SECTION_TEXTS: Readonly<Record<SectionName, string>> = {
	domain_triage: 'Domain screening and the route of its mail',
	domain_age: 'How long the domain has existed',
	mailbox: 'How much the part before the @ looks like a mailbox of this domain',
	smtp: 'What the mail server says of this address beside others',
	public_evidence: 'Where the address or its name is published',
	list: 'What became of the account’s own message to the address',
};
const sections = z.object(
	Object.fromEntries(SECTIONS.map((each) => [each, section.describe(SECTION_TEXTS[each])])) as Record<
		SectionName,
		typeof section
	>,
);

const explanation = z.object({
	signal: z.string().describe('The label of the finding'),
	effect: z
		.int()
		.describe(
			'By how much the finding moves the score, up or down: the same number in every score. Labels that begin with gate:, unknown: or held: have the difference where a rule set or held the score',
		),
	text: z.string().describe('What was found, in plain words'),
});

const breakdown = sections
	.extend({
		model: z.string().describe('The name and version of the scorecard'),
		base: z.int().min(0).max(100).describe('Where every score begins, in points'),
		explanations: z
			.array(explanation)
			.describe('The findings that moved the score, the strongest first, then the rule'),
		coverage: z.number().min(0).max(1).describe('The share of the evidence that could be measured, 0 to 1'),
	})
	.openapi('Breakdown', {
		description:
			'How the score is made up: base and the scores of the six sections add up to it, and so do base and all effects',
	}) satisfies z.ZodType<Mutable<Breakdown>>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends object ? Mutable<T[K]> : T[K] };

export const verdict = z
	.object({
		email: z.string().describe('The address, as in the results of the job'),
		score: score.describe('How likely the mailbox exists, 0 to 100'),
		verdict: z.enum(CATCH_ALL_VERDICTS).describe('What the score amounts to'),
		is_actually_catchall: z
			.boolean()
			.nullable()
			.describe('Whether the domain still accepts every address; null: not known'),
		breakdown,
	})
	.openapi('CatchAllVerdict', {
		description: 'What the deeper verification found about one address',
		example: VERDICT,
	});

/** A task as its results tell of it. */
export const shortTask = task.pick({
	taskId: true,
	status: true,
	totalEmails: true,
	verdictCounts: true,
	resultsExpiresAt: true,
});

export const verdictsPage = z
	.object({
		task: shortTask.openapi({ description: 'The task in short', example: shortTask.parse(COMPLETED_TASK) }),
		results: z.array(verdict).describe('The rows, in the order of the job'),
		pagination,
	})
	.openapi('VerdictsPage', { description: "A page of a task's results" });

/** A catch-all task in the API's form. */
export function renderTask(record: JobRecord, now: number): z.infer<typeof task> {
	const { deliverable, undeliverable, unknown } = record.counts;
	assert(record.sourceJobId !== null, 'a task has a source');
	return {
		taskId: record.jobId,
		sourceJobId: record.sourceJobId,
		status: record.status,
		name: record.name,
		totalEmails: record.accepted,
		processedEmails: record.processed,
		progress: progressOf(record),
		creditsRequired: record.accepted * record.price,
		creditsPerEmail: record.price,
		creditsUsed: record.creditsUsed,
		creditsRefunded: record.creditsRefunded,
		verdictCounts: { valid: deliverable, invalid: undeliverable, unknown },
		waitingEmails: record.waiting,
		nextAttemptAt: timestamp(record.nextAttemptAt),
		createdAt: new Date(record.createdAt).toISOString(),
		updatedAt: new Date(record.updatedAt).toISOString(),
		completedAt: timestamp(record.completedAt),
		resultsExpiresAt: timestamp(record.resultsExpiresAt),
		resultsExpired: isExpired(record, now),
		error: record.error,
	};
}

/** The body of the 202 that tells of a new job or task. `previousTaskId`: the last task made from the job before. */
export function renderAccepted(
	record: JobRecord,
	{ requestId, previousTaskId }: { readonly requestId: string; readonly previousTaskId: string | null },
): string {
	const envelope = (data: object, meta: object): string =>
		JSON.stringify({ success: true, data, meta: { requestId, ...meta } });
	if (record.kind === 'catchall') return envelope(renderTask(record, record.createdAt), { previousTaskId });
	const data = renderJob(record, record.createdAt);
	const { acceptedEmails, rejectedEmails, duplicateEmails, invalidEmails } = data;
	return envelope(data, { acceptedEmails, rejectedEmails, duplicateEmails, invalidEmails });
}
