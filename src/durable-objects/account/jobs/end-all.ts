import { JOB_KINDS } from '../../../core/jobs/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds.ts';
import { NO_COUNTS } from '../../../core/jobs/stored-row.ts';
import { ANSWER_KEPT_MS, LAST_LEASE_MS } from '../../../core/jobs/retention.ts';
import { assert } from '../../../lib/assert.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { StoredJob } from '../../../operations/jobs/port.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { expire } from '../idempotency.ts';
import { jobEnded } from '../tell/news.ts';
import { giveAllBack } from './charges.ts';
import { failJob, finishJob } from './jobs.ts';
import { sendNext } from './parts.ts';
import { findReadable, recordOf, requireJob } from './record.ts';

// Jobs that end with their account, or that have to be ended because their record is damaged. Columns that may be
// damaged are not read.

/** The cost of a job's final rows: the unknown ones are free. */
export const CHARGED = '(deliverable + undeliverable + risky) * jobs.price';

const NO_TIMING = { retryDelaysMs: [], redriveAfterMs: MINUTE_MS, resultsTtlMs: 0, horizonMs: 0 };

/** Ends all running jobs of a suspended account early. The alarm writes their results. */
export function finishAll(account: AccountContext, now: number): void {
	const running = "SELECT jobId FROM jobs INDEXED BY runningJobs WHERE status = 'processing'";
	for (const { jobId } of account.sql.all<StoredJob>(running))
		if (!endDamaged(account, { jobId, now })) finishJob(account, { jobId, now });
}

/**
 * Ends every job of a closed account and plans the deletion of all blobs: those of a job that ran lately once its last lease
 * has run out, since that consumer may still write. Deletes names and remembered answers, which hold the owner's data.
 */
export function abandonAll(account: AccountContext, now: number): void {
	const { sql } = account;
	for (const { jobId, endedAt } of sql.all<StoredJob>('SELECT jobId, endedAt FROM jobs WHERE purged = 0')) {
		if (endedAt === null && !endDamaged(account, { jobId, now }))
			failJob(account, { jobId, now, error: 'The account was deleted' }, false);
		const purgeAt = Math.max(now, (endedAt ?? now) + LAST_LEASE_MS);
		sql.update('jobs', { jobId }, { purgeAt });
	}
	sql.rows('UPDATE jobs SET name = NULL, foldedName = NULL, idempotencyKey = NULL');
	sql.rows('DELETE FROM idempotency');
}

/** The reservations and charges of running jobs by their parts; without one of the jobs. */
export function runningCharges(
	sql: Sql,
	except = '',
): { readonly reserved: number; readonly charged: number } {
	const sums = sql.first<{ reserved: number; charged: number }>(
		`SELECT TOTAL(deferred * jobs.price) AS reserved, TOTAL(${CHARGED}) AS charged
			FROM jobs INDEXED BY runningJobs CROSS JOIN parts USING (jobId) WHERE status = 'processing' AND jobId <> ?`,
		except,
	);
	return sums ?? { reserved: 0, charged: 0 };
}

/**
 * Ends a running job whose record can't be read or contradicts itself: it failed, and costs nothing. Its reservation and its
 * charge follow from the balance and the account's other work, so the books stay exact. False: the job is not damaged.
 */
export function endDamaged(account: AccountContext, { jobId, now }: { jobId: string; now: number }): boolean {
	const { sql, credits, wakeBy } = account;
	const query = 'SELECT status, createdAt, idempotencyKey FROM jobs WHERE jobId = ?';
	const stored = sql.first<StoredJob>(query, jobId);
	if (stored?.status !== 'processing') return false;
	const { createdAt, idempotencyKey } = stored;
	const job = findReadable(account, jobId);
	const line = credits.findLine(createdAt, jobId);
	if (job !== null && (line?.credits ?? 0) === job.accepted * job.price) return false;
	const noun = giveAllBack(credits, runningCharges(sql, jobId), { jobId, createdAt }, now);
	const kind = (Object.keys(JOB_KINDS) as JobKind[]).find((each) => JOB_KINDS[each].noun === noun);
	assert(kind !== undefined, 'each noun is of a kind');
	// The record becomes readable: it has no addresses and no parts.
	sql.rows('DELETE FROM parts WHERE jobId = ?', jobId);
	const purgeAt = now + LAST_LEASE_MS;
	const nothing = { kind, timing: NO_TIMING, price: 1, accepted: 0, parts: 0, kept: 0 };
	const error = 'It could not be finished by a mistake of ours';
	const totals = { counts: NO_COUNTS, deferred: 0, retry: 0, settledAt: null };
	const end = { status: 'failed', endedAt: now, error, totals, purgeAt };
	sql.update('jobs', { jobId }, { ...nothing, ...end });
	if (idempotencyKey !== null) expire(sql, idempotencyKey, now + ANSWER_KEPT_MS);
	jobEnded(account, recordOf(sql, requireJob(account, jobId)), now);
	wakeBy(purgeAt);
	sendNext(account, now);
	return true;
}
