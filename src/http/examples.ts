import type { z } from '@hono/zod-openapi';
import { SUB_STATUSES } from '../core/verification/sub-status.ts';
import {
	ACCEPTED_JUDGEMENT,
	CATCH_ALL_DOMAIN,
	CATCH_ALL_MX,
	REFUSED_JUDGEMENT,
} from './jobs/task-example.ts';
import type { job } from './jobs/schemas.ts';
import type { credits, verification } from './schemas.ts';
import type { task, verdict } from './jobs/task-schemas.ts';
import type { DeepReadonly } from './responses.ts';

// The answers that the OpenAPI document and the reference show. One story: a list of July with two addresses, one of
// them of a catch-all domain.

type Verification = DeepReadonly<z.infer<typeof verification>>;

const DONE_AT = '2026-07-01T10:00:08.000Z';

/** The least `meta` of a success. */
export const META = { requestId: 'req_1f0c' } as const;

/** An address whose mail server accepts it. */
export const DELIVERABLE = {
	email: 'info@acme.com',
	is_valid: true,
	status: 'deliverable',
	risk_level: 'medium',
	deliverability_score: 90,
	action: 'send',
	did_you_mean: null,
	canonical_email: 'info@acme.com',
	retry_after: null,
	details: {
		general: {
			domain: 'acme.com',
			reason: 'The mail server accepts this mailbox',
			validation_method: 'smtp',
		},
		attributes: {
			free_email: false,
			role_account: true,
			disposable: false,
			catch_all: false,
			has_plus_tag: false,
			mailbox_full: false,
			no_reply: false,
			privacy_relay: false,
			gibberish: false,
		},
		mail_server: {
			smtp_provider: 'google',
			mx_record: 'aspmx.l.google.com',
			implicit_mx: null,
			gateway: null,
		},
		sub_status: 'accepted_email',
	},
	verified_at: DONE_AT,
} as const satisfies Verification;

/** An address of a catch-all domain, resolved by the deeper check. */
export const CATCH_ALL: Verification = {
	...DELIVERABLE,
	email: `jane@${CATCH_ALL_DOMAIN}`,
	canonical_email: `jane@${CATCH_ALL_DOMAIN}`,
	risk_level: 'low',
	deliverability_score: ACCEPTED_JUDGEMENT.score,
	details: {
		general: {
			domain: CATCH_ALL_DOMAIN,
			reason: SUB_STATUSES[ACCEPTED_JUDGEMENT.subStatus].reason,
			validation_method: 'smtp',
		},
		attributes: { ...DELIVERABLE.details.attributes, role_account: false, catch_all: true },
		mail_server: { ...DELIVERABLE.details.mail_server, mx_record: CATCH_ALL_MX },
		sub_status: ACCEPTED_JUDGEMENT.subStatus,
	},
	catch_all_score: ACCEPTED_JUDGEMENT.score,
	catch_all_verdict: ACCEPTED_JUDGEMENT.verdict,
};

/** An address for which no mail server could be asked. */
export const UNKNOWN: Verification = {
	...DELIVERABLE,
	email: 'jane@slow.example',
	canonical_email: 'jane@slow.example',
	retry_after: 300,
	is_valid: false,
	status: 'unknown',
	deliverability_score: 50,
	action: 'retry',
	details: {
		general: {
			domain: 'slow.example',
			reason: "The recipient's mail server timed out",
			validation_method: 'smtp',
		},
		attributes: {
			...DELIVERABLE.details.attributes,
			role_account: false,
			catch_all: null,
			mailbox_full: null,
		},
		mail_server: { smtp_provider: null, mx_record: 'mx.slow.example', implicit_mx: null, gateway: null },
		sub_status: 'timeout',
	},
};

/** A row of a list: there the deeper check has not run. */
export const RISKY: Verification = {
	...DELIVERABLE,
	email: `jane@${CATCH_ALL_DOMAIN}`,
	canonical_email: `jane@${CATCH_ALL_DOMAIN}`,
	is_valid: false,
	status: 'risky',
	deliverability_score: 50,
	action: 'hold',
	details: {
		...CATCH_ALL.details,
		general: {
			...CATCH_ALL.details.general,
			reason:
				'The domain is a catch-all: it accepts every address, so acceptance says nothing about this one',
		},
		sub_status: 'catch_all',
	},
};

/** A list that was just taken. */
export const JOB: DeepReadonly<z.infer<typeof job>> = {
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
};

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
} as const satisfies typeof JOB;

/** A task that was just taken. */
export const TASK: DeepReadonly<z.infer<typeof task>> = {
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
};

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
} as const satisfies typeof TASK;

/** The findings of the task. */
export const VERDICT: DeepReadonly<z.infer<typeof verdict>> = {
	email: `jane@${CATCH_ALL_DOMAIN}`,
	score: ACCEPTED_JUDGEMENT.score,
	verdict: ACCEPTED_JUDGEMENT.verdict,
	is_actually_catchall: ACCEPTED_JUDGEMENT.isCatchAll,
	breakdown: ACCEPTED_JUDGEMENT.breakdown,
};

/** The rows of the task's file, had it a second address, which its mail server refuses. */
export const VERDICTS_CSV = [
	'Email,Score,Verdict',
	`${VERDICT.email},${VERDICT.score},${VERDICT.verdict}`,
	`joe@${CATCH_ALL_DOMAIN},${REFUSED_JUDGEMENT.score},${REFUSED_JUDGEMENT.verdict}`,
	'',
].join('\r\n');

/** One page with everything on it. */
export const onePage = (total: number) => ({ total, page: 1, limit: 25, pages: 1, hasNextPage: false });

/** A balance after the list. */
export const CREDITS: DeepReadonly<z.infer<typeof credits>> = {
	balance: 98,
	availableCredits: 98,
	reservedCredits: 0,
	totalPurchased: 100,
	totalConsumed: 2,
	totalRefunded: 0,
	transactionCount: 2,
	lastTransactionAt: DONE_AT,
};
