import { z } from '@hono/zod-openapi';
import { STATUSES } from '../core/verification/sub-status.ts';
import { verification } from './schemas.ts';

export const EMAILS_MAX = 50_000;
const NAME_MAX = 255;
export const count = z.int().min(0);
export const time = z.iso.datetime();
export const listName = z
	.string({ error: 'Invalid parameter: name must be a string' })
	.max(NAME_MAX, `Invalid parameter: name has more than ${NAME_MAX} characters`)
	.nullish();
export const progress = z.object({
	total: count,
	processed: count,
	percentage: z.int().min(0).max(100),
});
export const pagination = z.object({
	total: count,
	page: count,
	limit: count,
	pages: count,
	hasNextPage: z.boolean(),
});

/** POST /v1/verify-batch, request. */
export const batchRequest = z
	.object(
		{
			emails: z
				.array(
					z.string({ error: 'Missing or invalid parameter: every element of emails must be a string' }),
					{
						error: 'Missing or invalid parameter: emails must be an array of strings',
					},
				)
				.min(1, 'Missing or invalid parameter: emails is empty')
				.max(EMAILS_MAX, `Missing or invalid parameter: emails holds more than ${EMAILS_MAX} elements`),
			name: listName,
		},
		{ error: 'The body must be a JSON object with emails' },
	)
	.openapi('BatchRequest', { example: { emails: ['info@acme.com', 'jane@acme.com'], name: 'July list' } });

export const jobStatus = z.enum(['processing', 'completed', 'failed']);

export const job = z
	.object({
		jobId: z.string(),
		status: jobStatus,
		name: z.string().nullable(),
		submittedEmails: count,
		totalEmails: count,
		acceptedEmails: count,
		rejectedEmails: count,
		processedEmails: count,
		progress,
		statusCounts: z.object({
			deliverable: count,
			undeliverable: count,
			risky: count,
			unknown: count,
			catchAll: count,
		}),
		waitingEmails: count.openapi({ description: 'Addresses that wait for a later attempt' }),
		nextAttemptAt: time.nullable(),
		creditsReserved: count,
		creditsUsed: count,
		creditsRefunded: count,
		createdAt: time,
		updatedAt: time,
		completedAt: time.nullable(),
		resultsExpiresAt: time.nullable(),
		resultsExpired: z.boolean(),
		error: z.string().nullable(),
	})
	.openapi('Job');

export const createdMeta = {
	acceptedEmails: count,
	rejectedEmails: count,
	duplicateEmails: count,
	invalidEmails: count,
};

const wholeFrom1 = (name: string, max: number) =>
	z
		.string()
		.regex(/^\d{1,9}$/, `Invalid parameter: ${name} must be a whole number from 1`)
		.transform(Number)
		.pipe(
			z
				.int()
				.min(1, `Invalid parameter: ${name} must be a whole number from 1`)
				.max(max, `Invalid parameter: ${name} is at most ${max}`),
		);

export const RESULT_FILTERS = [...STATUSES, 'catch_all'] as const;

/** The part of a query that says which page. */
export const pageQuery = z.object({
	page: wholeFrom1('page', 999_999_999).default(1),
	limit: wholeFrom1('limit', 500).default(25),
});

/** GET /v1/jobs/:jobId/results, query. */
export const resultsQuery = pageQuery.extend({
	status: z
		.enum(RESULT_FILTERS, { error: `Invalid parameter: status is one of ${RESULT_FILTERS.join(', ')}` })
		.optional(),
});

export const resultsPage = z.object({
	job: z.object({
		jobId: z.string(),
		status: jobStatus,
		name: z.string().nullable(),
		totalEmails: count,
		processedEmails: count,
		completedAt: time.nullable(),
		resultsExpiresAt: time.nullable(),
	}),
	results: z.array(verification),
	pagination,
});
