import { z } from '@hono/zod-openapi';
import { REJECTED_REASONS } from '../core/jobs/rejected.ts';
import { STATUSES } from '../core/verification/sub-status.ts';
import { EXPORT_FORMATS } from '../operations/jobs/export-results.ts';
import { verification } from './schemas.ts';

export const EMAILS_MAX = 50_000;
const EMAILS_TEXT = `an array of 1 to ${EMAILS_MAX} strings`;
const NAME_MAX = 255;
export const count = z.int().min(0);
export const time = z.iso.datetime();
const nameText = `Invalid parameter: name must be a string of at most ${NAME_MAX} characters`;
export const listName = z
	.string({ error: nameText })
	// Counted in code points, as people and OpenAPI do, not in UTF-16 units.
	.refine((name) => name.length <= NAME_MAX || Array.from(name).length <= NAME_MAX, nameText)
	.nullish()
	.openapi({ maxLength: NAME_MAX });
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

// Clients send flags of their own, and their types vary: what is not a boolean counts as not sent, and is never a 400.
const validationFlags = z.preprocess(
	booleansOf,
	z
		.object({
			auto_catchall_rescue: z.boolean().optional().openapi({
				description:
					'Run the deep check on catch-all addresses too, in the same job: each row is then what POST /v1/verify would say, and an `unknown` is refunded',
			}),
			autoCatchallRescue: z.boolean().optional().openapi({ description: 'The same in another spelling' }),
		})
		.optional(),
);

function booleansOf(sent: unknown): unknown {
	if (typeof sent !== 'object' || sent === null) return undefined;
	return Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value === 'boolean'));
}

/** Whether the caller asks for the deep check of catch-all rows. Where both spellings are sent, the contract's counts. */
export function wantsRescue(flags: z.output<typeof validationFlags>): boolean {
	return flags?.auto_catchall_rescue ?? flags?.autoCatchallRescue ?? false;
}

/** POST /v1/verify-batch, request. */
export const batchRequest = z
	.object(
		{
			emails: z
				.array(
					z.string({
						error: ({ path = [] }) => `Invalid parameter: emails[${String(path.at(-1))}] must be a string`,
					}),
					{ error: `Missing or invalid parameter: emails must be ${EMAILS_TEXT}` },
				)
				.min(1, `Invalid parameter: emails is empty, it must be ${EMAILS_TEXT}`)
				.max(EMAILS_MAX, `Invalid parameter: emails has too many elements, it must be ${EMAILS_TEXT}`),
			name: listName,
			validationFlags,
		},
		{ error: 'The body must be a JSON object with emails' },
	)
	.openapi('BatchRequest', {
		example: {
			emails: ['info@acme.com', 'jane@acme.com'],
			name: 'July list',
			validationFlags: { auto_catchall_rescue: true },
		},
	});

const JOB_STATUSES = ['processing', 'completed', 'failed'] as const;
export const jobStatus = z.enum(JOB_STATUSES);

export const job = z
	.object({
		jobId: z.string(),
		status: jobStatus,
		name: z.string().nullable(),
		submittedEmails: count,
		totalEmails: count,
		acceptedEmails: count,
		rejectedEmails: count.openapi({ description: 'duplicateEmails + invalidEmails' }),
		duplicateEmails: count.openapi({
			description: 'Repetitions of an address, ignoring case and the script of its domain',
		}),
		invalidEmails: count.openapi({ description: 'Malformed and blank elements' }),
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
		validationFlags: z.object({
			auto_catchall_rescue: z
				.boolean()
				.openapi({ description: 'Whether this job runs the deep check on its catch-all rows itself' }),
		}),
		createdAt: time,
		updatedAt: time,
		completedAt: time.nullable(),
		estimatedCompletionAt: time.nullable().openapi({
			description:
				'While the job runs, by its pace and by the rows that wait; null before anything is measured, and once it has ended',
		}),
		resultsExpiresAt: time.nullable(),
		resultsExpired: z.boolean(),
		catchAllTaskId: z
			.string()
			.nullable()
			.openapi({ description: 'The last catch-all task that was made from this job' }),
		error: z.string().nullable(),
	})
	.openapi('Job');

export const createdMeta = {
	acceptedEmails: count,
	rejectedEmails: count,
	duplicateEmails: count,
	invalidEmails: count,
};

/** A whole number from 1 in a query, by default `usual`. It is sent as text, but published as a number. */
function wholeFrom1(name: string, { usual, max }: { readonly usual: number; readonly max: number }) {
	const text = `Invalid parameter: ${name} must be a whole number from 1 to ${max}`;
	return z
		.string()
		.regex(/^\d{1,9}$/, text)
		.transform(Number)
		.pipe(z.int().min(1, text).max(max, text))
		.default(usual)
		.openapi({ type: 'integer', minimum: 1, maximum: max, default: usual });
}

export const RESULT_FILTERS = [...STATUSES, 'catch_all'] as const;

const resultFilter = z.enum(RESULT_FILTERS, {
	error: `Invalid parameter: status is one of ${RESULT_FILTERS.join(', ')}`,
});

/** The part of a query that selects the page. */
export const pageQuery = z.object({
	page: wholeFrom1('page', { usual: 1, max: 999_999_999 }),
	limit: wholeFrom1('limit', { usual: 25, max: 500 }),
});

/** GET /v1/jobs/:jobId/results, query. */
export const resultsQuery = pageQuery.extend({
	status: resultFilter.optional(),
});

/** GET /v1/jobs, query. */
export const jobsQuery = pageQuery.extend({
	status: z
		.enum(JOB_STATUSES, { error: `Invalid parameter: status is one of ${JOB_STATUSES.join(', ')}` })
		.optional(),
});

export const jobsPage = z.object({ jobs: z.array(job), pagination });

/** GET /v1/jobs/:jobId/download, query. */
export const exportQuery = z.object({
	format: z
		.enum(EXPORT_FORMATS, { error: `Invalid parameter: format is one of ${EXPORT_FORMATS.join(', ')}` })
		.default('csv'),
	status: resultFilter.optional(),
});

/** GET /v1/jobs/:jobId/rejected */
export const rejectedPage = z.object({
	rejected: z.array(
		z
			.object({
				index: count.openapi({ description: 'Position in `emails` as sent, from 0' }),
				value: z.string().openapi({ description: 'As sent; a text over 1,000 characters is cut' }),
				reason: z.enum(REJECTED_REASONS),
				duplicateOf: count.nullable().openapi({
					description: 'Of a duplicate, the position of the element that it repeats; else null',
				}),
			})
			.openapi('Rejected', {
				example: { index: 3, value: 'Info@Acme.com', reason: 'duplicate', duplicateOf: 0 },
			}),
	),
	pagination,
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
