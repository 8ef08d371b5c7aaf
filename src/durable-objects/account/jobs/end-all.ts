import { JOB_KINDS } from '../../../core/jobs/kinds/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds/kinds.ts';
import { NO_COUNTS } from '../../../core/jobs/part.ts';
import { ANSWER_KEPT_MS } from '../../../core/jobs/retention.ts';
import { assert } from '../../../lib/assert.ts';
import { numberOf, textOf, textOrNull } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { expire, forgetAll } from '../idempotency.ts';
import { giveAllBack } from './charges.ts';
import { LAST_LEASE_MS } from './jobs.ts';
import { AccountJobsStorage } from './storage.ts';

// Jobs that end with their account, or that have to be ended because their record is damaged.

type Context = Pick<AccountContext, 'sql' | 'credits' | 'jobs' | 'wakeBy'>;

/** Ends all running jobs of a suspended account early. The alarm writes their results. */
export function finishAll(account: Context, now: number): void {
	for (const jobId of new AccountJobsStorage(account.sql).runningJobs())
		if (!endDamaged(account, { jobId, now })) account.jobs.finishJob({ jobId, now });
}

/**
 * Ends every job of a closed account and plans the deletion of all blobs: those of a running job once its last lease
 * has run out, since that consumer may still write. Deletes names and remembered answers, which hold the owner's data.
 */
export function abandonAll(account: Context, now: number): void {
	const storage = new AccountJobsStorage(account.sql);
	for (const row of storage.unpurgedJobs()) {
		const jobId = textOf(row, 'job_id');
		const running = textOf(row, 'status') === 'processing';
		if (running && !endDamaged(account, { jobId, now })) account.jobs.abandonJob({ jobId, now });
		storage.setPurge(jobId, running ? now + LAST_LEASE_MS : now);
	}
	storage.forgetWords();
	forgetAll(account.sql);
}

/**
 * Ends a running job whose record can't be read or contradicts itself: it failed, and costs nothing. Its reservation and its
 * charge follow from the balance and the account's other work, so the books stay exact. False: the job is not damaged.
 */
export function endDamaged(
	{ sql, credits, jobs, wakeBy }: Context,
	{ jobId, now }: { jobId: string; now: number },
): boolean {
	const storage = new AccountJobsStorage(sql);
	const row = credits.exists ? storage.findRow(jobId) : null;
	if (row === null || textOf(row, 'status') !== 'processing') return false;
	const createdAt = numberOf(row, 'created_at');
	const job = jobs.findReadable(jobId) === null ? null : storage.findJob(jobId);
	const line = credits.findLine(createdAt, jobId);
	if (job !== null && (line?.credits ?? 0) === job.accepted * job.price) return false;
	const idempotencyKey = textOrNull(row, 'idempotency_key');
	const noun = giveAllBack(credits, storage.runningCharges(jobId), { jobId, createdAt }, now);
	const kind = (Object.keys(JOB_KINDS) as JobKind[]).find((each) => JOB_KINDS[each].noun === noun);
	assert(kind !== undefined, 'each noun is of a kind');
	storage.emptyJob(jobId, kind);
	const purgeAt = now + LAST_LEASE_MS;
	const error = 'It could not be finished by a mistake of ours';
	const totals = { counts: NO_COUNTS, deferred: 0, settledAt: null };
	storage.endJob(jobId, { status: 'failed', endedAt: now, error, purgeAt, kept: 0, totals });
	if (idempotencyKey !== null) expire(sql, idempotencyKey, now + ANSWER_KEPT_MS);
	jobs.tellEnd({ jobId, now });
	storage.setPurge(jobId, purgeAt);
	wakeBy(purgeAt);
	return true;
}
