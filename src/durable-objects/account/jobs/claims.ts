import { SMALL_JOB_BELOW } from '../../../core/jobs/deferral.ts';
import * as machine from '../../../core/jobs/part.ts';
import { tallyDifference } from '../../../core/jobs/part.ts';
import type { Part, StoredAttempt } from '../../../core/jobs/part.ts';
import { assert } from '../../../lib/assert.ts';
import { log } from '../../../lib/log.ts';
import { HOUR_MS } from '../../../lib/time.ts';
import type { StoredJob } from '../../../operations/jobs/port.ts';
import type { AccountContext } from '../context.ts';
import { freeAnswersLeftOf } from '../credits/books.ts';
import { payerOf } from '../credits/grants.ts';
import { chargeRows } from './charges.ts';
import { findPart, isLast, sendNext, write, writePart } from './parts.ts';
import { findStored, recordOf, requireJob } from './record.ts';

// The calls about jobs that concern more of the account than its jobs, each in one transaction.

/**
 * A consumer whose clock is further from the account's takes no part: what it wrote, its lease and when rows are due, would
 * hold the job up for as long as the clocks are apart.
 */
const CLOCKS_APART_MAX_MS = HOUR_MS;

interface PartRef {
	readonly jobId: string;
	readonly part: number;
}

interface PartClaim extends PartRef {
	readonly token: string;
	readonly now: number;
	readonly leaseMs: number;
}

/** Takes the next attempt of a part. `abandoned`: too many consumers died with it, so its open rows are given up. */
export function claimPart(account: AccountContext, request: PartClaim) {
	const { jobId, now } = request;
	const apartMs = now - account.now();
	if (Math.abs(apartMs) > CLOCKS_APART_MAX_MS) {
		log('clocks_apart', { jobId, part: request.part, apartMs }, 'warn');
		return { kind: 'held' } as const;
	}
	const found = runningPart(account, request);
	// No such job, or it has ended.
	if (found === null) return { kind: 'gone' } as const;
	const { job } = found;
	const claim = machine.claimPart(found.part, request, now);
	if (claim.kind !== 'claimed') return claim;
	const { part, abandoned } = claim;
	write(account, part);
	return {
		kind: 'claimed',
		jobKind: job.kind,
		rescuesCatchAll: job.rescuesCatchAll,
		attempt: part.attempts + 1,
		abandoned,
		count: part.count,
		/** Whether the answer is promised within half a minute. */
		isSmall: job.accepted < SMALL_JOB_BELOW,
		/** Until when rows may wait for us. */
		horizon: job.createdAt + job.timing.horizonMs,
		retryDelaysMs: job.timing.retryDelaysMs,
		/** When the part last had an answer. */
		silentSince: part.settledAt ?? job.createdAt,
		/** How many more answers may be free today. */
		freeAnswersLeft: freeAnswersLeftOf(account, now),
		payer: payerOf(account),
	} as const;
}

/** False: another consumer has the part, or its attempt is stored. */
export function renewPart(account: AccountContext, request: PartClaim): boolean {
	const found = runningPart(account, request);
	const part = found === null ? null : machine.renewPart(found.part, request, request.now);
	// The alarm is set for the part already, and renewing only postpones what it has to do.
	if (part !== null) writePart(account.sql, part);
	return part !== null;
}

/** Gives a part back until later. */
export function postponePart(
	account: AccountContext,
	request: PartRef & { readonly token: string; readonly until: number; readonly now: number },
): void {
	const found = runningPart(account, request);
	const part = found === null ? null : machine.putPartOff(found.part, request, request.now);
	if (part === null || part === found?.part) return;
	write(account, part);
	sendNext(account, request.now);
}

/**
 * Records a stored attempt: charges, refunds, and plans the next attempt. An attempt that was recorded before, or an earlier
 * one, changes nothing. `ready`: all rows are final and the job is not completed. `held`: the holder still has the part, and
 * goes on with the next attempt.
 */
export function settlePart(account: AccountContext, { jobId, part: n, ...stored }: PartRef & StoredAttempt) {
	const { sql, credits } = account;
	const job = requireJob(account, jobId);
	// Its parts may be gone.
	if (job.status !== 'processing') return { ready: false, held: false };
	const before = findPart(sql, jobId, n);
	assert(before !== null, `job ${jobId} has part ${n}`);
	const part = machine.settlePart(before, stored, job.timing, isLast(sql, before));
	if (part !== before) {
		chargeRows(credits, job, tallyDifference(before, part), stored.now);
		write(account, part);
	}
	const { processed, accepted } = recordOf(sql, job);
	const held = stored.holder !== undefined && part.token === stored.holder.token;
	if (!held) sendNext(account, stored.now);
	return { ready: processed === accepted, held };
}

/** The part of a job that answered last, with the number of its stored attempt; null: none has. */
export function newestPart({ sql }: AccountContext, { jobId }: { readonly jobId: string }) {
	const query = `SELECT n AS part, attempts AS attempt FROM parts WHERE jobId = ? AND attempts > 0
		ORDER BY settledAt DESC, n LIMIT 1`;
	return sql.first<{ part: number; attempt: number }>(query, jobId);
}

function runningPart(
	account: AccountContext,
	{ jobId, part: n }: PartRef,
): { job: StoredJob; part: Part } | null {
	const job = findStored(account, jobId);
	const part = job?.status === 'processing' ? findPart(account.sql, jobId, n) : null;
	return job === null || part === null ? null : { job, part };
}
