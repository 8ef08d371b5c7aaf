import { z } from '@hono/zod-openapi';
import { SECTIONS } from '../core/catchall/breakdown.ts';
import type { Breakdown } from '../core/catchall/breakdown.ts';
import { CATCH_ALL_VERDICTS } from '../core/verification/result.ts';
import { count, jobStatus, listName, pageQuery, pagination, progress, time } from './job-schemas.ts';

const score = z.int().min(0).max(100);
const counts = z.object({ valid: count, invalid: count, unknown: count });

/** POST /v1/catchall, request. */
export const taskRequest = z
	.object(
		{
			jobId: z
				.string({ error: 'Missing or invalid parameter: jobId must be a string' })
				.min(1, 'Missing or invalid parameter: jobId is empty'),
			name: listName,
		},
		{ error: 'The body must be a JSON object with a jobId' },
	)
	.openapi('CatchAllRequest', { example: { jobId: 'job_1f0c', name: 'July list, catch-all' } });

export const task = z
	.object({
		taskId: z.string(),
		sourceJobId: z.string(),
		status: jobStatus,
		name: z.string().nullable(),
		totalEmails: count,
		processedEmails: count,
		progress,
		creditsRequired: count,
		creditsPerEmail: count,
		creditsUsed: count,
		creditsRefunded: count,
		verdictCounts: counts,
		waitingEmails: count.openapi({ description: 'Addresses that wait for a later attempt' }),
		nextAttemptAt: time.nullable(),
		createdAt: time,
		updatedAt: time,
		completedAt: time.nullable(),
		resultsExpiresAt: time.nullable(),
		resultsExpired: z.boolean(),
		error: z.string().nullable(),
	})
	.openapi('CatchAllTask');

/** GET /v1/catchall */
export const tasksPage = z.object({ tasks: z.array(task), pagination });

/** The filter of the task's results and of its download. */
export const verdictFilter = z.enum(['valid', 'invalid'], {
	error: 'Invalid parameter: verdict is one of valid, invalid',
});

/** GET /v1/catchall/:taskId/results, query. */
export const verdictsQuery = pageQuery.extend({ verdict: verdictFilter.optional() });

/** GET /v1/catchall/:taskId/download, query. */
export const downloadQuery = z.object({ verdict: verdictFilter.optional() });

const section = z.object({ score: z.int(), signals: z.array(z.string()) });
const [first, ...others] = SECTIONS;
const sections = z.object(
	Object.fromEntries([first, ...others].map((each) => [each, section])) as Record<
		(typeof SECTIONS)[number],
		typeof section
	>,
);

const breakdown = sections
	.extend({
		model: z.string(),
		base: z.int(),
		explanations: z.array(z.object({ signal: z.string(), effect: z.int(), text: z.string() })),
		coverage: z.number().min(0).max(1),
	})
	.openapi('Breakdown', {
		description: 'base and the scores of the six sections add up to the score; so do base and all effects',
	}) satisfies z.ZodType<Mutable<Breakdown>>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends object ? Mutable<T[K]> : T[K] };

export const verdict = z
	.object({
		email: z.string(),
		score,
		verdict: z.enum(CATCH_ALL_VERDICTS),
		is_actually_catchall: z.boolean().nullable(),
		breakdown,
	})
	.openapi('CatchAllVerdict');

export const verdictsPage = z.object({
	task: z.object({
		taskId: z.string(),
		status: jobStatus,
		totalEmails: count,
		verdictCounts: counts,
		resultsExpiresAt: time.nullable(),
	}),
	results: z.array(verdict),
	pagination,
});
