import { nextSendAt, turnAway } from '../../../core/jobs/part.ts';
import { assert } from '../../../lib/assert.ts';
import { log } from '../../../lib/log.ts';
import type {
	ClaimResult,
	OpenJobRequest,
	OpenJobResult,
	PartClaim,
	PartSettlement,
} from '../../../operations/jobs/port.ts';
import { textOf } from '../../sql.ts';
import type { AccountContext, RequestOf } from '../context.ts';
import { freeAnswersLeftOf } from '../credits/free-answers.ts';
import { payerOf } from '../credits/grants.ts';
import { isAccountShut } from '../suspension.ts';
import type { AccountJobs } from './jobs.ts';
import type { Work } from './parts-at-work.ts';
import { AccountJobsStorage } from './storage.ts';

// The calls about jobs that concern more of the account than its jobs, each in one transaction.

/**
 * A consumer whose clock is further from the account's takes no part: what it wrote, its lease and when rows are due, would
 * hold the job up for as long as the clocks are apart.
 */
const CLOCKS_APART_MAX_MS = 3_600_000;

/**
 * Reserves credits, records the job and sets the alarm in one transaction. A repeated call with the same job id gets
 * `opened` again. The caller sends the first messages; the alarm resends lost ones.
 */
export function openJob({ sql, jobs }: AccountContext, request: OpenJobRequest): OpenJobResult {
	// A request that was let in before the account was shut. Jobs that end with it free credits, which must not pay for it.
	if (isAccountShut(sql)) return { kind: 'insufficient_credits', available: 0 };
	return jobs.openJob(request);
}

export function claimPart(account: AccountContext, request: PartClaim): ClaimResult {
	const apartMs = request.now - account.now();
	if (Math.abs(apartMs) > CLOCKS_APART_MAX_MS) {
		log('clocks_apart', { jobId: request.jobId, part: request.part, apartMs }, 'warn');
		return { kind: 'held' };
	}
	const claim = account.jobs.claimPart(request);
	if (claim.kind !== 'claimed') return claim;
	if (!account.partsAtWork.begin({ ...request, isSmall: claim.isSmall })) {
		postponeTurn(account, request);
		return { kind: 'held' };
	}
	return { ...claim, freeAnswersLeft: freeAnswersLeftOf(account, request.now), payer: payerOf(account) };
}

/** False: the lease was lost, or its attempt is stored. */
export function renewPart({ jobs, partsAtWork }: AccountContext, request: PartClaim) {
	const isHeld = jobs.renewPart(request);
	if (isHeld) partsAtWork.goOn(request);
	return isHeld;
}

/**
 * Records a stored attempt: charges, refunds, and plans the next attempt, for which the alarm sends the message. The
 * tally covers all addresses of the part, including those of earlier attempts. An attempt that was recorded before, or
 * an earlier one, changes nothing. `ready`: all rows are final and the job is not completed. `held`: the holder still
 * has the part, and goes on with the next attempt.
 */
export function settlePart({ jobs, partsAtWork }: AccountContext, request: PartSettlement) {
	const settled = jobs.settlePart(request);
	if (!settled.held) partsAtWork.end(request);
	return settled;
}

/**
 * Gives a part back without using up its attempt, because our egress, resolver or bucket is out. False: put off for
 * too long (6 h), and the lease is kept: store the open rows as `unknown`. Also true when the lease was lost.
 */
export function postponePart(
	{ jobs, partsAtWork }: AccountContext,
	request: RequestOf<AccountJobs['postponePart']>,
) {
	const isPostponed = jobs.postponePart(request);
	if (isPostponed) partsAtWork.end(request);
	return isPostponed;
}

/** The part of a job that answered last, with the number of its stored attempt; null: none has. */
export function newestPart({ sql, credits }: AccountContext, { jobId }: { readonly jobId: string }) {
	return credits.exists ? new AccountJobsStorage(sql).newestPart(jobId) : null;
}

/** The names of the account's jobs; those without one are left out. */
export function jobNames(
	{ sql, credits }: AccountContext,
	{ jobIds }: { jobIds: readonly string[] },
): Readonly<Record<string, string>> {
	if (!credits.exists || jobIds.length === 0) return {};
	const rows = sql.rows(
		'SELECT job_id, name FROM jobs WHERE name IS NOT NULL AND job_id IN (SELECT value FROM json_each(?))',
		JSON.stringify(jobIds),
	);
	return Object.fromEntries(rows.map((row) => [textOf(row, 'job_id'), textOf(row, 'name')]));
}

/** Gives back the lease of a part whose turn has not come; the alarm sends the part again. */
export function postponeTurn(
	{ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>,
	{ jobId, part: n, now }: Pick<Work, 'jobId' | 'part' | 'now'>,
): void {
	const storage = new AccountJobsStorage(sql);
	const stored = storage.findPart(jobId, n);
	assert(stored !== null, 'the part was claimed');
	const part = turnAway(stored.part, now);
	storage.writePart(jobId, { ...stored, part });
	wakeBy(nextSendAt(part));
}
