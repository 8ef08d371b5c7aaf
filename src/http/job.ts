import { z } from '@hono/zod-openapi';
import { jobStatus } from './envelope.ts';
import { count, creditCount, time } from './fields.ts';
import { DONE_AT } from './verification.ts';

// The parts that jobs and tasks have in common, and the job.

const NAME_MAX = 255;
const nameText = `Invalid parameter: name must be a string of at most ${NAME_MAX} characters`;
export const listName = z
	.string({ error: nameText })
	// Counted in code points, as people and OpenAPI do, not in UTF-16 units.
	.refine((name) => name.length <= NAME_MAX || Array.from(name).length <= NAME_MAX, nameText)
	.nullish()
	.openapi({ maxLength: NAME_MAX, description: 'A name for people, shown in the dashboard' });
export const progress = z
	.object({
		total: count.describe('Addresses'),
		processed: count.describe('Addresses that have their answer'),
		percentage: z.int().min(0).max(100).describe('Their share in percent, rounded down'),
	})
	.openapi('Progress', { description: 'How far the work has come' });
/** One page with everything on it. */
const onePage = (total: number) => ({ total, page: 1, limit: 25, pages: 1, hasNextPage: false });
export const pagination = z
	.object({
		total: count.describe('Rows of all pages, after the filter'),
		page: z.int().min(1).describe('This page, from 1'),
		limit: z.int().min(1).max(500).describe('Rows of a full page'),
		pages: count.describe('Pages there are'),
		hasNextPage: z.boolean().describe('Whether another page follows'),
	})
	.openapi('Pagination', { description: 'Which page this is, of how many', example: onePage(1) });

/** A whole number from 1 in a query, by default `usual`. It is sent as text, but published as a number. */
function wholeFrom1(
	name: string,
	{ usual, max, description }: { readonly usual: number; readonly max: number; readonly description: string },
) {
	const text = `Invalid parameter: ${name} must be a whole number from 1 to ${max}`;
	return z
		.string()
		.regex(/^\d{1,9}$/, text)
		.transform(Number)
		.pipe(z.int().min(1, text).max(max, text))
		.default(usual)
		.openapi({ type: 'integer', minimum: 1, maximum: max, default: usual, description });
}

/** The part of a query that selects the page. */
export const pageQuery = z.object({
	page: wholeFrom1('page', { usual: 1, max: 999_999_999, description: 'Which page, from 1' }),
	limit: wholeFrom1('limit', { usual: 25, max: 500, description: 'Rows on a page' }),
});

/** A list that was just taken. */
export const JOB = {
	jobId: 'job_1f0c',
	status: 'processing',
	name: 'July list',
	submittedEmails: 3,
	totalEmails: 2,
	acceptedEmails: 2,
	rejectedEmails: 1,
	duplicateEmails: 1,
	invalidEmails: 0,
	processedEmails: 0,
	progress: { total: 2, processed: 0, percentage: 0 },
	statusCounts: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 },
	waitingEmails: 0,
	nextAttemptAt: null,
	creditsReserved: 2,
	creditsUsed: 0,
	creditsRefunded: 0,
	validationFlags: { auto_catchall_rescue: false },
	createdAt: '2026-07-01T10:00:00.000Z',
	updatedAt: '2026-07-01T10:00:00.000Z',
	completedAt: null,
	estimatedCompletionAt: null,
	resultsExpiresAt: null,
	resultsExpired: false,
	catchAllTaskId: null,
	error: null,
} as const;

/** The same list with all its answers. */
export const COMPLETED_JOB = {
	...JOB,
	status: 'completed',
	processedEmails: 2,
	progress: { total: 2, processed: 2, percentage: 100 },
	statusCounts: { deliverable: 1, undeliverable: 0, risky: 1, unknown: 0, catchAll: 1 },
	creditsReserved: 0,
	creditsUsed: 2,
	updatedAt: DONE_AT,
	completedAt: DONE_AT,
	resultsExpiresAt: '2026-07-03T10:00:08.000Z',
} as const;

const listOfJob = z.string().nullable().describe('The name that was given with the list; null: none');
const jobId = z.string().describe('The id of the job, for its paths');

const statusCounts = z.object({
	deliverable: count.describe('Addresses answered as deliverable'),
	undeliverable: count.describe('Addresses answered as undeliverable'),
	risky: count.describe('Addresses answered as risky'),
	unknown: count.describe('Addresses without a definite answer, refunded'),
	catchAll: count.describe('Addresses of catch-all domains, whatever their status'),
});

const validationFlags = z.object({
	auto_catchall_rescue: z
		.boolean()
		.describe('Whether this job runs the deep check on its catch-all rows itself'),
});

export const job = z
	.object({
		jobId,
		status: jobStatus,
		name: listOfJob,
		submittedEmails: count.describe('Elements of the list as sent'),
		totalEmails: count.describe('Addresses to verify, as acceptedEmails'),
		acceptedEmails: count.describe('Addresses to verify'),
		rejectedEmails: count.describe('duplicateEmails + invalidEmails'),
		duplicateEmails: count.describe(
			'Repetitions of an address, ignoring case and the script of its domain; with `dedupe: "mailbox"` those of a mailbox',
		),
		invalidEmails: count.describe('Malformed and blank elements'),
		processedEmails: count.describe('Addresses that have their answer'),
		progress,
		statusCounts: statusCounts.describe('How many addresses have which answer, live'),
		waitingEmails: count.describe('Addresses that wait for a later attempt'),
		nextAttemptAt: time
			.nullable()
			.describe('When the next of them is tried, ISO 8601 in UTC; null: none waits'),
		creditsReserved: creditCount.describe('Still set aside, in credits'),
		creditsUsed: creditCount.describe('Charged so far, in credits'),
		creditsRefunded: creditCount.describe('Given back so far, for each `unknown`, in credits'),
		validationFlags: validationFlags.describe('What the job does beside verifying'),
		createdAt: time.describe('When the list was taken, ISO 8601 in UTC'),
		updatedAt: time.describe('When the job last changed, ISO 8601 in UTC'),
		completedAt: time.nullable().describe('When the job ended, ISO 8601 in UTC; null while it runs'),
		estimatedCompletionAt: time
			.nullable()
			.describe(
				'While the job runs, by its pace and by the rows that wait; null before anything is measured, and once it has ended',
			),
		resultsExpiresAt: time
			.nullable()
			.describe('Until when results are kept, ISO 8601 in UTC; null before the job is completed'),
		resultsExpired: z.boolean().describe('Whether the results have expired and are deleted'),
		catchAllTaskId: z
			.string()
			.nullable()
			.describe('The last catch-all task that was made from this job; null: none'),
		error: z.string().nullable().describe('Why the job failed, for people; null unless it did'),
	})
	.openapi('Job', { description: 'A list that is verified', example: COMPLETED_JOB });
