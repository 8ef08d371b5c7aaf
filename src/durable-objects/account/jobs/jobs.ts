import { available, reserve } from '../../../core/credits/balance.ts';
import { JOB_KINDS } from '../../../core/jobs/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds.ts';
import { NOTHING } from '../../../core/jobs/stored-row.ts';
import { ANSWER_KEPT_MS, LAST_LEASE_MS } from '../../../core/jobs/retention.ts';
import { assert } from '../../../lib/assert.ts';
import { folded } from '../../../lib/text.ts';
import type {
	JobRecord,
	JobStatus,
	OpenJobRequest,
	OpenJobResult,
	StoredJob,
} from '../../../operations/jobs/port.ts';
import type { AccountContext } from '../context.ts';
import { isShut } from '../credits/books.ts';
import { expire, findRemembered, keyOf } from '../idempotency.ts';
import { keepCallbackSecret } from '../tell/callbacks.ts';
import { jobEnded } from '../tell/news.ts';
import { LISTING } from '../tell/outbox.ts';
import { chargeRows, endCharges } from './charges.ts';
import { endParts, openParts, retryParts, sendNext, viewParts } from './parts.ts';
import { findJob, findReadable, findStored, lastMadeOf, recordOf, requireJob, totalsOf } from './record.ts';

// The jobs of an account. Each call runs in one transaction, and repeating it changes nothing. A job's charged, refunded and
// reserved credits are the sums over its parts, so no step can count an address twice.

/**
 * Reserves credits, records the job and sets the alarm. A repeated call with the same job id gets `opened` again. The
 * caller sends the first messages; the alarm resends lost ones.
 */
export function openJob(account: AccountContext, request: OpenJobRequest): OpenJobResult {
	const { sql, credits, renderAccepted } = account;
	const { parts, idempotency, requestId, now, callback = null, ...job } = request;
	const { jobId, kind, keyId, name, price, sourceJobId } = job;
	// A request that was let in before the account was shut. Jobs that end with it free credits, which must not pay for it.
	if (isShut(credits.require())) return { kind: 'insufficient_credits', available: 0 };
	if (callback !== null) keepCallbackSecret(sql, callback.secret);
	const state = credits.require();
	// Checked before the key: on "replay", the Worker of a repeated call would delete its own job's input.
	const existing = findStored(account, jobId);
	if (existing !== null) return openedBefore(account, existing, requestId);
	const known = idempotency === null ? null : findAnswer(account, { kind, idempotency, now });
	if (known !== null) return known;
	const accepted = parts.reduce((sum, count) => sum + count, 0);
	assert(accepted > 0 || JOB_KINDS[kind].isDeep, 'a job has addresses');
	if (accepted > 0) {
		const reserved = reserve(state, accepted * price);
		if (reserved === null) return { kind: 'insufficient_credits', available: available(state) };
		const line = { at: now, id: jobId, kind: JOB_KINDS[kind].noun, keyId, credits: accepted * price };
		credits.insertLine(line);
		credits.write(reserved);
	}
	const idempotencyKey = idempotency === null ? null : keyOf(kind, idempotency.key);
	const counts = { accepted, parts: parts.length };
	const names = { idempotencyKey, foldedName: name === null ? null : folded(name) };
	const previousTaskId = sourceJobId === null ? null : lastMadeOf(sql, sourceJobId, 'catchall', false);
	const callbackUrl = callback?.url ?? null;
	sql.insert('jobs', { ...job, callbackUrl, ...counts, ...names, status: 'processing', createdAt: now });
	// The Worker lists it at once, unless the database is out or the Worker dies.
	const listing = { target: LISTING, id: jobId, kind: 'job', at: now, body: '' } as const;
	account.outbox.add(listing, now + job.timing.redriveAfterMs);
	const inserted = requireJob(account, jobId);
	const sent = openParts(account, inserted, parts);
	// A job without addresses is completed at once.
	const opened =
		accepted > 0
			? recordOf(sql, inserted)
			: end(account, inserted, { status: 'completed', now, error: null });
	const response = requestId === null ? '' : renderAccepted(opened, { requestId, previousTaskId });
	if (idempotency !== null && idempotencyKey !== null) {
		const answered = { ref: jobId, at: now, busyUntil: null, answer: response, expiresAt: null };
		sql.put('idempotency', { key: idempotencyKey, fingerprint: idempotency.fingerprint, ...answered });
		if (opened.endedAt !== null) forgetKey(account, inserted, now);
	}
	return { kind: 'opened', job: opened, response, sent };
}

function openedBefore(
	{ sql, renderAccepted }: AccountContext,
	existing: StoredJob,
	requestId: string | null,
): OpenJobResult {
	const { jobId, idempotencyKey, createdAt } = existing;
	const job = recordOf(sql, existing);
	const known = idempotencyKey === null ? null : findRemembered(sql, idempotencyKey, createdAt);
	const render = (): string =>
		requestId === null ? '' : renderAccepted(job, { requestId, previousTaskId: null });
	const query = 'SELECT n FROM parts WHERE jobId = ? AND token IS NULL AND sends > 0';
	const sent = sql.all<{ n: number }>(query, jobId).map(({ n }) => n);
	return { kind: 'opened', job, response: known?.answer ?? render(), sent };
}

/** The first answer to this Idempotency-Key, for a check before all others; null: the key is new. */
export function findAnswer(
	{ sql }: AccountContext,
	request: {
		kind: JobKind;
		idempotency: NonNullable<OpenJobRequest['idempotency']>;
		now: number;
	},
): Exclude<OpenJobResult, { kind: 'opened' | 'insufficient_credits' }> | null {
	const { kind, idempotency, now } = request;
	const known = findRemembered(sql, keyOf(kind, idempotency.key), now);
	if (known === null) return null;
	const { fingerprint, ref: jobId, answer } = known;
	assert(answer !== null, 'a job has its answer from the beginning');
	return fingerprint === idempotency.fingerprint
		? { kind: 'replay', jobId, response: answer }
		: { kind: 'mismatch' };
}

/** A page of the account's jobs, newest first, and how many there are. `page` counts from 1. */
export function listJobs(
	account: AccountContext,
	request: {
		kind: JobKind;
		/** Left out: any. */
		status?: JobStatus | undefined;
		/** A part of their names, in any case; of those that were not deleted. Left out: deleted ones too. */
		search?: string;
		page: number;
		pageSize: number;
	},
): { jobs: readonly JobRecord[]; total: number } {
	const { sql } = account;
	const { kind, status = null, search, page, pageSize } = request;
	const selected = `FROM jobs WHERE kind = ?1 AND (?2 IS NULL OR status = ?2)
		AND (?3 IS NULL OR deletedAt IS NULL AND (?3 = '' OR instr(foldedName, ?3) > 0))`;
	const which = [kind, status, search === undefined ? null : folded(search)];
	const query = `SELECT jobId ${selected} ORDER BY createdAt DESC, jobId DESC LIMIT ?4 OFFSET ?5`;
	const found = sql.all<{ jobId: string }>(query, ...which, pageSize, (page - 1) * pageSize);
	const count = sql.first<{ jobs: number }>(`SELECT COUNT(*) AS jobs ${selected}`, ...which);
	return {
		jobs: found.map(({ jobId }) => findReadable(account, jobId)).filter((job) => job !== null),
		total: count?.jobs ?? 0,
	};
}

/** Null: there is no such job. */
export function renameJob(
	account: AccountContext,
	{ jobId, name }: { jobId: string; name: string },
): JobRecord | null {
	const { sql } = account;
	if (findStored(account, jobId) === null) return null;
	sql.update('jobs', { jobId }, { name, foldedName: folded(name) });
	return findJob(account, jobId);
}

/** Sets whether the owner gets a mail when the job ends. It changes nothing for a job that has ended. */
export function setMailWhenDone(
	account: AccountContext,
	{ jobId, wanted }: { jobId: string; wanted: boolean },
): JobRecord | null {
	const { sql } = account;
	if (findStored(account, jobId) === null) return null;
	sql.update('jobs', { jobId, status: 'processing' }, { mailWhenDone: wanted });
	return findJob(account, jobId);
}

/** The catch-all tasks over a job, newest first. */
export function tasksOf(account: AccountContext, jobId: string): readonly JobRecord[] {
	const { sql } = account;
	const query = `SELECT jobId FROM jobs WHERE sourceJobId = ? AND kind = 'catchall' ORDER BY createdAt DESC, jobId DESC`;
	return sql
		.all<{ jobId: string }>(query, jobId)
		.map((task) => recordOf(sql, requireJob(account, task.jobId)));
}

/**
 * Ends a running job early: its open addresses are unknown and refunded, in this step; what consumers still bring
 * changes nothing. `completeJob` has to follow, and the alarm sees to it.
 */
export function finishJob(
	account: AccountContext,
	{ jobId, now }: { jobId: string; now: number },
): JobRecord {
	const { sql, credits } = account;
	const job = requireJob(account, jobId);
	if (job.status !== 'processing' || job.finishedAt !== null) return recordOf(sql, job);
	const unknown = endParts(account, job, now);
	chargeRows(credits, job, { ...NOTHING, unknown }, now);
	sql.update('jobs', { jobId }, { finishedAt: now });
	sendNext(account, now);
	return recordOf(sql, requireJob(account, jobId));
}

/** The number of each part's last attempt that is settled, in the order of the parts; 0: none is. */
export function attemptsOf({ sql }: AccountContext, { jobId }: { jobId: string }): readonly number[] {
	const query = 'SELECT attempts FROM parts WHERE jobId = ? ORDER BY n';
	return sql.all<{ attempts: number }>(query, jobId).map(({ attempts }) => attempts);
}

/** Has the alarm delete the results of a job that has ended; they can't be read from now on. */
export function deleteResults(
	account: AccountContext,
	{ jobId, now }: { jobId: string; now: number },
): JobRecord {
	const { sql, wakeBy } = account;
	const job = requireJob(account, jobId);
	if (job.endedAt === null || job.deletedAt !== null) return recordOf(sql, job);
	// A consumer whose last lease still runs may write after a deletion.
	const purgeAt = Math.max(now, job.endedAt + LAST_LEASE_MS);
	sql.update('jobs', { jobId }, { deletedAt: now, purgeAt });
	wakeBy(purgeAt);
	return recordOf(sql, requireJob(account, jobId));
}

/**
 * The results are written, so they can be read, and will expire. Call this last: until then the alarm drives the job
 * to its end, and afterwards it only deletes the job's blobs.
 */
export function completeJob(
	account: AccountContext,
	{ jobId, now }: { jobId: string; now: number },
): JobRecord {
	const { sql } = account;
	const job = requireJob(account, jobId);
	if (job.status !== 'processing') return recordOf(sql, job);
	const { processed, accepted } = recordOf(sql, job);
	assert(processed === accepted, 'a job is completed when every row is final');
	return end(account, job, { status: 'completed', now, error: null });
}

/**
 * The job can't be done: charges are refunded, the rest of the reservation is released.
 *
 * @param refunds false: its owner ended it, so that the answers so far stay charged
 */
export function failJob(
	account: AccountContext,
	{ jobId, now, error }: { jobId: string; now: number; error: string },
	refunds = true,
): JobRecord {
	const { sql } = account;
	const job = requireJob(account, jobId);
	if (job.status !== 'processing') return recordOf(sql, job);
	return end(account, job, { status: 'failed', now, error, refunds });
}

/** The job and the parts that still drive it; null: there is no such job. */
export function inspectJob(account: AccountContext, { jobId, now }: { jobId: string; now: number }) {
	const { sql } = account;
	const job = findStored(account, jobId);
	return job === null ? null : { job: recordOf(sql, job), parts: viewParts(sql, job, now) };
}

/** Sends all parts that still drive the job again, at once. False: there is no such job, or it has ended. */
export function retryJob(account: AccountContext, { jobId, now }: { jobId: string; now: number }): boolean {
	const job = findStored(account, jobId);
	return job !== null && retryParts(account, job, now) > 0;
}

/** Records that the blobs of an ended job are deleted. Its parts go, too. */
export function purged(sql: AccountContext['sql'], jobId: string): void {
	sql.rows('DELETE FROM parts WHERE jobId = ?', jobId);
	sql.update('jobs', { jobId }, { purged: true, purgeAt: null });
}

/** Has the answer to the job's Idempotency-Key forgotten in time. */
function forgetKey({ sql }: AccountContext, { idempotencyKey, timing }: StoredJob, now: number): void {
	const keptMs = Math.max(timing.resultsTtlMs, ANSWER_KEPT_MS);
	if (idempotencyKey !== null) expire(sql, idempotencyKey, now + keptMs);
}

function end(
	account: AccountContext,
	job: StoredJob,
	how: Pick<StoredJob, 'error'> & {
		status: 'completed' | 'failed';
		now: number;
		refunds?: boolean;
	},
): JobRecord {
	const { sql, credits, wakeBy } = account;
	const { status, now, error, refunds = false } = how;
	const { jobId, timing } = job;
	const kept = endCharges(credits, job, recordOf(sql, job), { status, now, refunds });
	const purgeAt = now + timing.resultsTtlMs;
	const totals = totalsOf(sql, jobId);
	sql.update('jobs', { jobId }, { status, endedAt: now, error, purgeAt, kept, totals });
	forgetKey(account, job, now);
	const answer = recordOf(sql, requireJob(account, jobId));
	jobEnded(account, answer, now);
	wakeBy(purgeAt);
	// Its parts leave room; a completed job's left theirs before.
	if (status === 'failed') sendNext(account, now);
	return answer;
}
