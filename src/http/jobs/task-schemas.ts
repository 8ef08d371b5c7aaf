import { z } from '@hono/zod-openapi';
import type { Breakdown } from '../../core/catchall/breakdown.ts';
import { SECTIONS } from '../../core/catchall/table.ts';
import type { SectionName } from '../../core/catchall/table.ts';
import { CATCH_ALL_VERDICTS } from '../../core/verification/render.ts';
import { count, creditCount, score, time } from '../fields.ts';
import { jobStatus, listName, pageQuery, pagination, progress } from './schemas.ts';

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
	.openapi('CatchAllTask', { description: 'The deeper verification of catch-all addresses' });

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
	.openapi('CatchAllVerdict', { description: 'What the deeper verification found about one address' });

export const verdictsPage = z
	.object({
		task: z
			.object({
				taskId,
				status: jobStatus,
				totalEmails: count.describe('Addresses of the task'),
				verdictCounts,
				resultsExpiresAt: time.nullable().describe('Until when results are kept, ISO 8601 in UTC'),
			})
			.describe('The task in short'),
		results: z.array(verdict).describe('The rows, in the order of the job'),
		pagination,
	})
	.openapi('VerdictsPage', { description: "A page of a task's results" });
