import * as z from 'zod';
import type { Breakdown } from '../../core/catchall/breakdown.ts';
import { BASE, MODEL } from '../../core/catchall/table.ts';
import { CATCH_ALL_VERDICTS } from '../../core/verification/sub-status.ts';
import { assert } from '../../lib/assert.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { component, count, flagOrNull, inCredits, oneOf, requestBody, score, text, word } from './fields.ts';
import { DONE_WORK, JOB, pageOf, pageQuery, renderWork, someCallback, someName, work, WORK } from './job.ts';
import { CATCH_ALL } from './verification.ts';

const verdictCounts = z.object({
	valid: count('Addresses judged to exist'),
	invalid: count('Addresses judged not to exist'),
	unknown: count('Addresses on which the evidence does not decide, refunded'),
});

const ASKED = 'Whose catch-all addresses to verify again';
const SENT = { jobId: JOB.jobId, name: 'July list, catch-all' };

/** POST /v1/catchall, request. */
export const taskRequest = requestBody('CatchAllRequest', ASKED, SENT, 'a jobId', {
	jobId: z
		.string({ error: 'Missing or invalid parameter: jobId must be a string' })
		.min(1, 'Missing or invalid parameter: jobId is empty')
		.describe('A completed job of this account, whose results have not expired'),
	name: someName.nullish(),
	callbackUrl: someCallback.nullish(),
});

/** A task that was just taken. */
export const TASK = {
	...WORK,
	taskId: 'cat_1f0c',
	sourceJobId: JOB.jobId,
	creditsRequired: 2,
	creditsPerEmail: 1,
	verdictCounts: { valid: 0, invalid: 0, unknown: 0 },
} as const;
const COMPLETED_TASK = {
	...TASK,
	...DONE_WORK,
	verdictCounts: { valid: 1, invalid: 1, unknown: 0 },
} as const;

/** A finding of the task. */
export const VERDICT = {
	email: CATCH_ALL.email,
	score: 87,
	verdict: 'valid',
	is_actually_catchall: true,
	breakdown: {
		model: MODEL,
		base: BASE,
		domain_triage: { score: 12, signals: ['provider:google', 'dmarc:reject'] },
		domain_age: { score: 1, signals: ['age:15y'] },
		mailbox: { score: 4, signals: ['shape:first'] },
		smtp: { score: 0, signals: ['randoms:accepted'] },
		public_evidence: { score: 0, signals: [] },
		list: { score: 0, signals: [] },
		explanations: [
			{ signal: 'provider:google', effect: 11, text: 'The mail server (Google) refuses unknown recipients.' },
			{ signal: 'shape:first', effect: 4, text: 'The mailbox name contains a known name.' },
			{ signal: 'dmarc:reject', effect: 1, text: 'DMARC policy “reject”: the domain manages its mail.' },
			{ signal: 'age:15y', effect: 1, text: 'The domain was registered 15 years ago.' },
		],
		coverage: 0.8,
	},
} as const;

/** The rows of the task's file. */
export const VERDICTS_CSV = `Email,Score,Verdict\r\n${VERDICT.email},87,valid\r\njoe@catch-all.example,2,invalid\r\n`;

export const task = work
	.extend({
		taskId: text('The id of the task, for its paths'),
		sourceJobId: text('The job whose catch-all addresses these are'),
		creditsRequired: inCredits('What all addresses cost together'),
		creditsPerEmail: inCredits('What an address costs'),
		verdictCounts: verdictCounts.describe('How many addresses have which verdict, live'),
	})
	.openapi('CatchAllTask', {
		description: 'The deeper verification of catch-all addresses',
		example: COMPLETED_TASK,
	});

/** GET /v1/catchall */
export const tasksPage = pageOf('TasksPage', "A page of the account's catch-all tasks", {
	tasks: z.array(task).describe('The tasks, newest first'),
});

/** The filter of the task's results and of its download. */
export const verdictFilter = oneOf('verdict', ['valid', 'invalid']).describe(
	'Rows with this verdict alone; `unknown` rows are in neither',
);

/** GET /v1/catchall/:taskId/results, query. */
export const verdictsQuery = pageQuery.extend({ verdict: verdictFilter.optional() });

/** GET /v1/catchall/:taskId/download, query. */
export const downloadQuery = z.object({ verdict: verdictFilter.optional() });

const section = z.object({
	score: z.int().describe('By how much the section moves the score, in points, up or down'),
	signals: z
		.array(text('A label, such as `spf:ok`; an open list'))
		.describe('All that was measured, neutral findings too'),
});
const explanation = z.object({
	signal: text('The label of the finding'),
	effect: z
		.int()
		.describe(
			'By how much the finding moves the score, up or down: the same number in every score. Labels that begin with gate:, unknown: or held: have the difference where a rule set or held the score',
		),
	text: text('What was found, in plain words'),
});

const ADDS_UP =
	'How the score is made up: base and the scores of the six sections add up to it, and so do base and all effects';
const breakdown = component('Breakdown', ADDS_UP, null, {
	domain_triage: section.describe('Domain screening and the route of its mail'),
	domain_age: section.describe('How long the domain has existed'),
	mailbox: section.describe('How much the part before the @ looks like a mailbox of this domain'),
	smtp: section.describe('What the mail server says of this address beside others'),
	public_evidence: section.describe('Where the address or its name is published'),
	list: section.describe('What became of the account’s own message to the address'),
	model: text('The name and version of the scorecard'),
	base: z.int().min(0).max(100).describe('Where every score begins, in points'),
	explanations: z
		.array(explanation)
		.describe('The findings that moved the score, the strongest first, then the rule'),
	coverage: z.number().min(0).max(1).describe('The share of the evidence that could be measured, 0 to 1'),
}) satisfies z.ZodType<Mutable<Breakdown>>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends object ? Mutable<T[K]> : T[K] };

const FOUND = 'What the deeper verification found about one address';
export const verdict = component('CatchAllVerdict', FOUND, VERDICT, {
	email: text('The address, as in the results of the job'),
	score: score('How likely the mailbox exists, 0 to 100'),
	verdict: word(CATCH_ALL_VERDICTS, 'What the score amounts to'),
	is_actually_catchall: flagOrNull('Whether the domain still accepts every address; null: not known'),
	breakdown,
});

/** A task as its results tell of it. */
export const shortTask = task.pick({
	taskId: true,
	status: true,
	totalEmails: true,
	verdictCounts: true,
	resultsExpiresAt: true,
});

export const verdictsPage = pageOf('VerdictsPage', "A page of a task's results", {
	task: shortTask.openapi({ description: 'The task in short', example: shortTask.parse(COMPLETED_TASK) }),
	results: z.array(verdict).describe('The rows, in the order of the job'),
});

/** A catch-all task in the API's form. */
export function renderTask(record: JobRecord, now: number): z.infer<typeof task> {
	const { deliverable, undeliverable, unknown } = record.counts;
	assert(record.sourceJobId !== null, 'a task has a source');
	return {
		taskId: record.jobId,
		sourceJobId: record.sourceJobId,
		...renderWork(record, now),
		creditsRequired: record.accepted * record.price,
		creditsPerEmail: record.price,
		verdictCounts: { valid: deliverable, invalid: undeliverable, unknown },
	};
}
