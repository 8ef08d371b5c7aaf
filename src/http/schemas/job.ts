import * as z from 'zod';
import { REJECTED_REASONS } from '../../core/jobs/clean-list.ts';
import { expectedEnd } from '../../core/jobs/estimate.ts';
import type { Action } from '../../core/verification/sub-status.ts';
import { STATUSES } from '../../core/verification/sub-status.ts';
import { percentOf } from '../../lib/share.ts';
import { EXPORT_FORMATS } from '../../operations/jobs/export-results.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { delivery, renderDelivery } from './delivery.ts';
import { jobStatus } from './envelope.ts';
import {
	component,
	count,
	flag,
	inCredits,
	moment,
	momentOrNull,
	oneOf,
	score,
	text,
	textOrNull,
	time,
	timestamp,
	trueOrFalse,
	whole,
	word,
} from './fields.ts';
import { DELIVERABLE, DONE_AT, verification } from './verification.ts';

// The parts that jobs and tasks have in common, and the job.

const NAME_MAX = 255;
const nameText = `Invalid parameter: name must be a string of at most ${NAME_MAX} characters`;
export const someName = z
	.string({ error: nameText })
	// Counted in code points, as people and OpenAPI do, not in UTF-16 units.
	.refine((name) => name.length <= NAME_MAX || Array.from(name).length <= NAME_MAX, nameText)
	.openapi({ maxLength: NAME_MAX, description: 'A name for people, shown in the dashboard' });
const CALLBACK_MAX = 2_000;
const callbackText = `Invalid parameter: callbackUrl must be a string of at most ${CALLBACK_MAX} characters`;
export const someCallback = z.string({ error: callbackText }).max(CALLBACK_MAX, callbackText).openapi({
	description:
		'A URL that is told when this work ends, with the signed body of the event: https, port 443 or 8443, at public addresses',
});

const FIRST_PAGE = { total: 1, page: 1, limit: 25, pages: 1, hasNextPage: false };
export const pagination = component('Pagination', 'Which page this is, of how many', FIRST_PAGE, {
	total: count('Rows of all pages, after the filter'),
	page: z.int().min(1).describe('This page, from 1'),
	limit: z.int().min(1).max(500).describe('Rows of a full page'),
	pages: count('Pages there are'),
	hasNextPage: flag('Whether another page follows'),
});

/** Rows, and which of all they are. */
export function pageOf<S extends z.ZodRawShape>(name: string, description: string, rows: S) {
	return component(name, description, null, { ...rows, pagination });
}

/** A whole number from 1 in a query, which is sent as text; by default `usual`. */
function wholeFrom1(name: string, usual: number, max: number) {
	const error = `Invalid parameter: ${name} must be a whole number from 1 to ${max}`;
	return z
		.string()
		.regex(/^\d{1,9}$/, error)
		.transform(Number)
		.pipe(z.int().min(1, error).max(max, error))
		.default(usual);
}

export const PAGE_MAX = 999_999_999;
/** The rows on a page: the usual number, and the most. */
export const [LIMIT, LIMIT_MAX] = [25, 500];

/** The part of a query that selects the page. */
export const pageQuery = z.object({
	page: wholeFrom1('page', 1, PAGE_MAX),
	limit: wholeFrom1('limit', LIMIT, LIMIT_MAX),
});

// Work on a list: what a job and a catch-all task have in common.

/** Work on two addresses that was just taken. */
export const WORK = {
	status: 'processing',
	name: 'July list',
	totalEmails: 2,
	processedEmails: 0,
	progress: { total: 2, processed: 0, percentage: 0 },
	waitingEmails: 0,
	nextAttemptAt: null,
	creditsUsed: 0,
	creditsRefunded: 0,
	createdAt: '2026-07-01T10:00:00.000Z',
	updatedAt: '2026-07-01T10:00:00.000Z',
	completedAt: null,
	resultsExpiresAt: null,
	resultsExpired: false,
	error: null,
	callbackUrl: null,
	callbackDelivery: null,
} as const;
/** The same with all its answers. */
export const DONE_WORK = {
	...WORK,
	status: 'completed',
	processedEmails: 2,
	progress: { total: 2, processed: 2, percentage: 100 },
	creditsUsed: 2,
	updatedAt: DONE_AT,
	completedAt: DONE_AT,
	resultsExpiresAt: '2026-07-03T10:00:08.000Z',
} as const;

const progress = z.object({
	total: count('Addresses'),
	processed: count('Addresses that have their answer'),
	percentage: score('Their share in percent, rounded down'),
});

export const work = component('Work', 'Work on a list of addresses', null, {
	status: jobStatus,
	name: textOrNull('The name that was given with it; null: none'),
	totalEmails: count('Addresses to verify'),
	processedEmails: count('Addresses that have their answer'),
	progress: progress.describe('How far the work has come'),
	waitingEmails: count('Addresses that wait for a later attempt'),
	nextAttemptAt: momentOrNull('When the next of them is tried', 'null: none waits'),
	creditsUsed: inCredits('Charged so far'),
	creditsRefunded: inCredits('Given back so far, for each `unknown`'),
	createdAt: moment('When it was taken'),
	updatedAt: moment('When it last changed'),
	completedAt: momentOrNull('When it ended', 'null while it runs'),
	resultsExpiresAt: momentOrNull('Until when results are kept', 'null before it is completed'),
	resultsExpired: flag('Whether the results have expired and are deleted'),
	error: textOrNull('Why it failed, for people; null unless it did'),
	callbackUrl: textOrNull('The URL that is told when it ends; null: none'),
	callbackDelivery: delivery
		.nullable()
		.describe('How the callback stands, for 30 days; null: there is none, or nothing to send yet'),
});

const statusCounts = z.object({
	deliverable: count('Addresses answered as deliverable'),
	undeliverable: count('Addresses answered as undeliverable'),
	risky: count('Addresses answered as risky'),
	unknown: count('Addresses without a definite answer, refunded'),
	catchAll: count('Addresses of catch-all domains, whatever their status'),
});

const actionCounts = z.object({
	send: count('Addresses to send to'),
	hold: count('Addresses to decide about'),
	retry: count('Addresses to verify again later'),
	drop: count('Addresses not to send to'),
}) satisfies z.ZodType<Record<Action, number>>;

const validationFlags = z.object({
	auto_catchall_rescue: flag('Whether this job runs the deep check on its catch-all rows itself'),
});

/** A job that was just taken. */
export const JOB = {
	...WORK,
	jobId: 'job_1f0c',
	submittedEmails: 3,
	acceptedEmails: 2,
	rejectedEmails: 1,
	duplicateEmails: 1,
	invalidEmails: 0,
	statusCounts: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 },
	actionCounts: { send: 0, hold: 0, retry: 0, drop: 0 },
	creditsReserved: 2,
	validationFlags: { auto_catchall_rescue: false },
	estimatedCompletionAt: null,
	catchAllTaskId: null,
} as const;
const COMPLETED_JOB = {
	...JOB,
	...DONE_WORK,
	statusCounts: { deliverable: 1, undeliverable: 0, risky: 1, unknown: 0, catchAll: 1 },
	actionCounts: { send: 1, hold: 1, retry: 0, drop: 0 },
	creditsReserved: 0,
} as const;

export const job = work
	.extend({
		jobId: text('The id of the job, for its paths'),
		submittedEmails: count('Elements of the list as sent'),
		acceptedEmails: count('Addresses to verify, as totalEmails'),
		rejectedEmails: count('duplicateEmails + invalidEmails'),
		duplicateEmails: count(
			'Repetitions of an address, ignoring case and the script of its domain; with `dedupe: "mailbox"` those of a mailbox',
		),
		invalidEmails: count('Malformed and blank elements'),
		statusCounts: statusCounts.describe('How many addresses have which answer, live'),
		actionCounts: actionCounts.describe('How many addresses have which `action`, live'),
		creditsReserved: inCredits('Still set aside'),
		validationFlags: validationFlags.describe('What the job does beside verifying'),
		estimatedCompletionAt: time
			.nullable()
			.describe(
				'While the job runs, by its pace and by the rows that wait; null before anything is measured, and once it has ended',
			),
		catchAllTaskId: textOrNull('The last catch-all task that was made from this job; null: none'),
	})
	.openapi('Job', { description: 'A list that is verified', example: COMPLETED_JOB });

/** The filter of the job's results and of its download. */
export const resultFilter = oneOf('status', [...STATUSES, 'catch_all']).describe(
	'Rows with this status alone; `catch_all`: those of catch-all domains, whatever their status',
);

/** GET /v1/jobs/:jobId/results, query. */
export const resultsQuery = pageQuery.extend({
	status: resultFilter.optional(),
	explain: trueOrFalse
		.optional()
		.describe(
			'`true`: each row holds the evidence that a list keeps: code and status of the reply, and the rule',
		),
});

/** GET /v1/jobs, query. */
export const jobsQuery = pageQuery.extend({
	status: oneOf('status', jobStatus.options).optional().describe('Jobs that stand so alone'),
});

export const jobsPage = pageOf('JobsPage', "A page of the account's jobs", {
	jobs: z.array(job).describe('The jobs, newest first'),
});

/** GET /v1/jobs/:jobId/download, query. */
export const exportQuery = z.object({
	format: oneOf('format', EXPORT_FORMATS)
		.default('csv')
		.describe('`csv`: a column for each field; `jsonl`: a line of JSON for each address'),
	status: resultFilter.optional(),
});

const REPEATED = { index: 2, value: 'Info@Acme.com', reason: 'duplicate', duplicateOf: 0 } as const;
const rejected = component('Rejected', 'An element of the list that is not verified', REPEATED, {
	index: count('Position in `emails` as sent, from 0'),
	value: text('As sent; a text over 1,000 characters is cut'),
	reason: word(REJECTED_REASONS, 'Why it was taken out'),
	duplicateOf: whole
		.nullable()
		.describe('Of a duplicate, the position of the element that it repeats; else null'),
});

/** GET /v1/jobs/:jobId/rejected */
export const rejectedPage = pageOf('RejectedPage', 'A page of what was taken out of a list', {
	rejected: z.array(rejected).describe('The elements, in the order of the list'),
});

/** A row of the list of the examples. */
export const ROW = { index: 0, ...DELIVERABLE } as const;
const row = verification
	.extend({ index: count('Position among the accepted addresses of the job, from 0') })
	.openapi('Row', { description: 'The verification of one address of a job', example: ROW });

/** A job as its results tell of it. */
export const shortJob = job.pick({
	jobId: true,
	status: true,
	name: true,
	totalEmails: true,
	processedEmails: true,
	completedAt: true,
	resultsExpiresAt: true,
});

export const resultsPage = pageOf('ResultsPage', "A page of a job's results", {
	job: shortJob.openapi({ description: 'The job in short', example: shortJob.parse(COMPLETED_JOB) }),
	results: z.array(row).describe('The rows, in the order in which the addresses were sent'),
});

/** A job or a task in the API's form, as far as they are alike. */
export function renderWork(record: JobRecord, now: number): z.infer<typeof work> {
	const { accepted, processed, resultsExpiresAt } = record;
	const percentage = accepted === 0 ? 100 : percentOf(processed, accepted);
	return {
		status: record.status,
		name: record.name,
		totalEmails: accepted,
		processedEmails: processed,
		progress: { total: accepted, processed, percentage },
		waitingEmails: record.waiting,
		nextAttemptAt: timestamp(record.nextAttemptAt),
		creditsUsed: record.creditsUsed,
		creditsRefunded: record.creditsRefunded,
		createdAt: timestamp(record.createdAt),
		updatedAt: timestamp(record.updatedAt),
		completedAt: timestamp(record.completedAt),
		resultsExpiresAt: timestamp(resultsExpiresAt),
		// Spec §3, rule 2.
		resultsExpired: resultsExpiresAt !== null && now >= resultsExpiresAt,
		error: record.error,
		callbackUrl: record.callbackUrl,
		callbackDelivery: record.callbackDelivery === null ? null : renderDelivery(record.callbackDelivery),
	};
}

/** A job in the API's form. */
export function renderJob(record: JobRecord, now: number): z.infer<typeof job> {
	const end = expectedEnd(record, now);
	const { counts, retry } = record;
	const hold = counts.risky + counts.unknown - retry;
	return {
		jobId: record.jobId,
		...renderWork(record, now),
		submittedEmails: record.submitted,
		acceptedEmails: record.accepted,
		rejectedEmails: record.duplicates + record.invalid,
		duplicateEmails: record.duplicates,
		invalidEmails: record.invalid,
		statusCounts: { ...counts },
		actionCounts: { send: counts.deliverable, hold, retry, drop: counts.undeliverable },
		creditsReserved: record.creditsReserved,
		validationFlags: { auto_catchall_rescue: record.rescuesCatchAll },
		// Never in the past: what takes longer than estimated is done at any moment.
		estimatedCompletionAt: timestamp(end === null ? null : Math.max(end, now)),
		catchAllTaskId: record.catchAllTaskId,
	};
}
