import { finalRows } from '../../../core/jobs/part.ts';
import { requireJobKind } from '../../../core/jobs/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds.ts';
import type { RowCounts } from '../../../core/jobs/stored-row.ts';
import { assert } from '../../../lib/assert.ts';
import type { JobRecord, StoredJob } from '../../../operations/jobs/port.ts';
import type { Sql } from '../../sql.ts';
import { findCallback } from '../tell/callbacks.ts';
import type { AccountContext } from '../context.ts';

type Books = Pick<AccountContext, 'sql'>;

export function findStored({ sql }: Books, jobId: string): StoredJob | null {
	const query = 'SELECT * FROM jobs WHERE jobId = ?';
	const row = sql.first<StoredJob & Record<Planned, unknown>>(query, jobId);
	if (row === null) return null;
	const { purgeAt: _, purged: __, foldedName: ___, ...job } = row;
	requireJobKind(job.kind);
	return job;
}

/** Columns that this object alone reads: when it deletes a job's blobs, and how it finds it. */
type Planned = 'purgeAt' | 'purged' | 'foldedName';

export function requireJob(account: Books, jobId: string): StoredJob {
	const job = findStored(account, jobId);
	assert(job !== null, `job ${jobId} was opened here`);
	return job;
}

export function findJob(account: Books, jobId: string): JobRecord | null {
	const job = findStored(account, jobId);
	return job === null ? null : recordOf(account.sql, job);
}

/** Null also for a damaged one. */
export function findReadable(account: Books, jobId: string): JobRecord | null {
	try {
		return findJob(account, jobId);
	} catch {
		return null;
	}
}

/** When the oldest running job was opened, epoch ms; null: none runs. Reads no record, so a damaged one does no harm. */
export function runsSince(sql: Sql): number | null {
	const query = "SELECT MIN(createdAt) AS at FROM jobs INDEXED BY runningJobs WHERE status = 'processing'";
	return sql.first<{ at: number | null }>(query)?.at ?? null;
}

/** A job as operations see it. Its credits follow from its parts; those of a failed job from what it kept. */
export function recordOf(sql: Sql, job: StoredJob): JobRecord {
	const { jobId, accepted, status, price, createdAt, endedAt, deletedAt, callbackUrl } = job;
	const running = status === 'processing';
	const completedAt = status === 'completed' ? endedAt : null;
	const { counts, deferred, retry, settledAt } = job.totals ?? totalsOf(sql, jobId);
	const processed = finalRows(counts);
	assert(processed + deferred === accepted, 'the parts hold every accepted address once');
	const creditsUsed = status === 'failed' ? (job.kept ?? 0) : (processed - counts.unknown) * price;
	// Only completed jobs are checked further.
	const later = (kind: JobKind, isAnswered: boolean): string | null =>
		completedAt === null ? null : lastMadeOf(sql, jobId, kind, isAnswered);
	return {
		...job,
		processed,
		counts,
		retry,
		creditsReserved: running ? deferred * price : 0,
		creditsUsed,
		creditsRefunded: processed * price - creditsUsed,
		...(running ? waitsOf(sql, job) : NO_WAITS),
		updatedAt: Math.max(createdAt, settledAt ?? 0, endedAt ?? 0),
		completedAt,
		resultsExpiresAt:
			completedAt === null ? null : Math.min(completedAt + job.timing.resultsTtlMs, deletedAt ?? Infinity),
		catchAllTaskId: later('catchall', false),
		verdictsTaskId: later('catchall', true),
		callbackDelivery: callbackUrl === null || endedAt === null ? null : findCallback(sql, jobId, endedAt),
		againJobId: later('verification', false),
	};
}

/** The counters of a job by its parts. */
export function totalsOf(sql: Sql, jobId: string): NonNullable<StoredJob['totals']> {
	// TOTAL, unlike SUM, is a number even without parts.
	const query = `SELECT TOTAL(deliverable) AS deliverable, TOTAL(undeliverable) AS undeliverable, TOTAL(risky) AS risky,
		TOTAL(unknown) AS unknown, TOTAL(catchAll) AS catchAll, TOTAL(deferred) AS deferred, TOTAL(retry) AS retry,
		MAX(settledAt) AS settledAt
		FROM parts WHERE jobId = ?`;
	const sums = sql.first<RowCounts & Omit<NonNullable<StoredJob['totals']>, 'counts'>>(query, jobId);
	assert(sums !== null, 'a sum has a row');
	const { deferred, retry, settledAt, ...counts } = sums;
	return { counts, deferred, retry, settledAt };
}

type Waits = Pick<JobRecord, 'waiting' | 'nextAttemptAt' | 'lastDueAt'>;

const NO_WAITS: Waits = { waiting: 0, nextAttemptAt: null, lastDueAt: null };

/** The addresses of parts that wait for a later attempt. */
function waitsOf(sql: Sql, { jobId, createdAt }: StoredJob): Waits {
	const query = `SELECT TOTAL(deferred) AS waiting, MIN(nextAt) AS nextAttemptAt, MAX(nextAt) AS lastDueAt FROM parts
		WHERE jobId = ? AND deferred > 0 AND token IS NULL AND sends = 0 AND (attempts > 0 OR nextAt > ?)`;
	return sql.first<Waits>(query, jobId, createdAt) ?? NO_WAITS;
}

/** The newest job of a kind that was made from a job. `isAnswered`: of those whose results are stored. */
export function lastMadeOf(sql: Sql, jobId: string, kind: JobKind, isAnswered: boolean): string | null {
	const answered = isAnswered ? "AND status = 'completed' AND accepted > 0 AND purged = 0" : '';
	const query = `SELECT jobId FROM jobs WHERE sourceJobId = ? AND kind = ? ${answered}
		ORDER BY createdAt DESC, jobId DESC LIMIT 1`;
	return sql.first<{ jobId: string }>(query, jobId, kind)?.jobId ?? null;
}
