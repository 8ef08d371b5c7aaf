import { PLAIN_JOB } from '../plain-job.ts';
import type { DayUsage } from '../../../src/core/credits/usage.ts';
import type { Breakdown } from '../../../src/core/catchall/breakdown.ts';
import type { View } from '../../../src/dashboard/view.ts';
import { VERDICT } from '../../../src/http/schemas/task.ts';
import { decidedBy, renderResult } from '../../../src/core/verification/render.ts';
import type { Outcome, VerificationResult } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import type { BalanceView } from '../../../src/core/credits/balance.ts';
import type { JobRecord } from '../../../src/operations/jobs/port.ts';
import { addressOf } from '../unit/mail-servers.ts';

// Sample data for pages. Nothing here is random, so two runs render the same.

export const NOW = Date.parse('2026-11-21T10:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const view: View = {
	path: '/dashboard',
	theme: 'system',
	now: NOW,
	viewer: { email: 'ada@lovelace.example', name: 'Ada Lovelace', suspended: false },
	csrf: 'csrf-token',
	site: { base: 'https://mailsonar.example', hasOperator: true, terms: '/terms', hasContact: true },
};

/** The same, seen by somebody who is not signed in. */
export const stranger: View = { ...view, viewer: null };

/** The balance of an account that was given so many credits. */
export function balanceOf(granted: number, used = 0, reserved = 0, refunded = 0): BalanceView {
	return {
		balance: granted - used,
		availableCredits: granted - used - reserved,
		reservedCredits: reserved,
		totalPurchased: granted,
		totalConsumed: used,
		totalRefunded: refunded,
		transactionCount: granted === 0 ? 0 : 240,
		lastTransactionAt: granted === 0 ? null : NOW - 5 * MINUTE,
	};
}

export const balance = balanceOf(50_000, 1_842, 12_341, 158);

/** A form that came back: what was typed, and what is wrong with it. */
export const wrong = (
	form: string,
	typed: Readonly<Record<string, string>>,
	errors: Readonly<Record<string, string>>,
) => ({ form, typed, errors });

/** The last thirty days; the last one is today. */
export const days: readonly DayUsage[] = Array.from({ length: 30 }, (_, index) => {
	const back = index + 60;
	const size = (back * 37) % 11 === 0 ? 0 : Math.round(40 + 30 * Math.sin(index / 2.5) + ((back * 53) % 23));
	const outcomes = {
		deliverable: Math.round(size * 0.71),
		undeliverable: Math.round(size * 0.14),
		risky: Math.round(size * 0.09),
		unknown: Math.round(size * 0.06),
	};
	const credits = outcomes.deliverable + outcomes.undeliverable + outcomes.risky;
	const day = new Date(NOW - (29 - index) * DAY).toISOString().slice(0, 10);
	return { day, outcomes, credits, requests: size };
});

export const job: JobRecord = {
	...PLAIN_JOB,
	jobId: 'job_8c1f0f5ad4c14a2b9a3e77c1',
	status: 'completed',
	name: 'July newsletter',
	submitted: 20_412,
	accepted: 20_000,
	duplicates: 371,
	invalid: 41,
	parts: 80,
	processed: 20_000,
	counts: { deliverable: 16_212, undeliverable: 2_190, risky: 1_402, unknown: 196, catchAll: 1_288 },
	creditsUsed: 19_804,
	creditsRefunded: 196,
	createdAt: NOW - 7 * HOUR,
	updatedAt: NOW - 6 * HOUR,
	completedAt: NOW - 6 * HOUR - 12 * MINUTE,
	resultsExpiresAt: NOW + 41 * HOUR,
};

export const workingJob: JobRecord = {
	...job,
	jobId: 'job_19aa',
	status: 'processing',
	name: 'Trade fair, Hanover: everybody who left a card at the booth or asked for the brochure by mail',
	processed: 7_659,
	counts: { deliverable: 6_130, undeliverable: 911, risky: 540, unknown: 78, catchAll: 500 },
	creditsReserved: 12_341,
	creditsUsed: 7_581,
	creditsRefunded: 78,
	waiting: 37,
	nextAttemptAt: NOW + 4 * MINUTE,
	createdAt: NOW - 11 * MINUTE,
	updatedAt: NOW - 10_000,
	completedAt: null,
	lastDueAt: NOW + 4 * MINUTE,
	resultsExpiresAt: null,
};

export const failedJob: JobRecord = {
	...job,
	jobId: 'job_f1',
	status: 'failed',
	name: null,
	processed: 250,
	counts: { deliverable: 200, undeliverable: 50, risky: 0, unknown: 0, catchAll: 0 },
	creditsUsed: 0,
	creditsRefunded: 250,
	resultsExpiresAt: NOW + HOUR,
	error: 'The list was lost on our side.',
};

export const expiredJob: JobRecord = {
	...job,
	jobId: 'job_e1',
	name: 'June newsletter',
	createdAt: NOW - 3 * DAY - HOUR,
	completedAt: NOW - 3 * DAY,
	resultsExpiresAt: NOW - DAY,
};

export const jobs: readonly JobRecord[] = [workingJob, job, expiredJob, failedJob];

/** A result as the service would make it. */
export function result(
	email: string,
	subStatus: SubStatus,
	{ suggestedDomain = null, ...more }: Partial<Outcome> & { readonly suggestedDomain?: string | null } = {},
): VerificationResult {
	const google = { catchAll: false, mxRecord: 'aspmx.l.google.com', smtpProvider: 'google' };
	const facts = {
		freeEmail: email.endsWith('@gmail.com'),
		roleAccount: email.startsWith('info@'),
		disposable: subStatus === 'disposable',
		noReply: false,
		suggestedDomain,
	};
	return renderResult(addressOf(email), facts, { ...decidedBy('smtp', subStatus), ...google, ...more }, NOW);
}

/** An answer of each kind, as an address alone and as the row of a list has it. */
export const ANSWERS: readonly (readonly [string, SubStatus, Parameters<typeof result>[2]?])[] = [
	['ada@lovelace.example', 'accepted_email', { smtpProvider: 'google', mxRecord: 'aspmx.l.google.com' }],
	['nobody@acme.example', 'rejected_email', { replyCode: '550 5.1.1', mxRecord: 'mx1.acme.example' }],
	['grace@navy.example', 'catch_all', { catchAll: true, mxRecord: 'mail.navy.example' }],
	['jane@gmial.com', 'possible_typo', { suggestedDomain: 'gmail.com', mxRecord: 'mx.gmial.com' }],
	['alan@bletchley.example', 'greylisted', { replyCode: '450 4.2.0', mxRecord: 'mx.bletchley.example' }],
	[`${'a-very-long-mailbox-name.'.repeat(2)}x@${'long.'.repeat(20)}example`, 'accepted_email'],
];

export const results: readonly VerificationResult[] = ANSWERS.map((answer) => result(...answer));

/** Of an address that a list was compared with: more than alone (VERDICT), both ways. */
export const breakdown: Breakdown = {
	...VERDICT.breakdown,
	mailbox: { score: 9, signals: ['shape:first', 'domain_pattern:fits'] },
	smtp: { score: -4, signals: ['latency:same'] },
	explanations: [
		...VERDICT.breakdown.explanations,
		{ signal: 'domain_pattern:fits', effect: 5, text: 'The name is built like the others of this domain.' },
		{ signal: 'latency:same', effect: -4, text: 'The server answered for invented mailboxes just the same.' },
	],
};

/** A catch-all check of the list. */
export const task: JobRecord = {
	...job,
	jobId: 'cat_5e0d',
	kind: 'catchall',
	sourceJobId: job.jobId,
	name: null,
	submitted: 1_288,
	accepted: 1_288,
	duplicates: 0,
	invalid: 0,
	processed: 1_288,
	counts: { deliverable: 742, undeliverable: 278, risky: 0, unknown: 268, catchAll: 1_288 },
	creditsUsed: 1_020,
	creditsRefunded: 268,
	createdAt: NOW - HOUR,
	completedAt: NOW - 50 * MINUTE,
	resultsExpiresAt: NOW + 47 * HOUR,
};
