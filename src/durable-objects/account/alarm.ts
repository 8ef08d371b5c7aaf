import { queueOf } from '../../core/jobs/kinds.ts';
import type { PartQueue } from '../../core/jobs/kinds.ts';
import { describeError, log } from '../../lib/log.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { AccountContext, Outside } from './context.ts';
import { deleteOldLines } from './credits/ledger.ts';
import { prune } from './idempotency.ts';
import { purged } from './jobs/jobs.ts';
import { delayParts, findDue as findDueParts, nextDue, sendParts } from './jobs/parts.ts';
import { requireJob } from './jobs/record.ts';
import { forgetEnded } from './outcomes.ts';
import { targetsOf } from './tell/news.ts';

const PURGE_RETRY_MS = MINUTE_MS;
const DAMAGED_RETRY_MS = 10 * MINUTE_MS;
// Ended jobs that one alarm looks at.
const DUE_MAX = 100;

/** The work that is due at `now`, each item already planned again for later in case it fails, and when the alarm rings next. */
export function findDue(account: AccountContext, now: number) {
	const { sql, outbox, wakeBy } = account;
	forgetEnded(account, now);
	/** The messages to send. */
	const parts: { readonly queue: PartQueue; readonly jobId: string; readonly part: number }[] = [];
	/** Jobs with parts that are sent again, and should have moved ten minutes ago or earlier; `since`: epoch ms. */
	const stuck: { readonly jobId: string; readonly parts: number; readonly since: number }[] = [];
	/** Jobs whose stored record contradicts itself, or can't be read. */
	const damaged: { readonly jobId: string; readonly error: unknown }[] = [];
	for (const [jobId, due] of findDueParts(sql, now)) {
		try {
			const job = requireJob(account, jobId);
			const late = sendParts(sql, job, due, now);
			if (late !== null) stuck.push({ jobId, ...late });
			const queue = queueOf(job.kind, job.accepted);
			parts.push(...due.map((part) => ({ queue, jobId, part })));
		} catch (error) {
			// The other jobs go on. This one is looked at again: a later version may understand it.
			damaged.push({ jobId, error });
			delayParts(sql, jobId, now + DAMAGED_RETRY_MS);
		}
	}
	/** Jobs whose blobs are to be deleted. */
	const expired = sql.all<{ jobId: string }>(
		'SELECT jobId FROM jobs INDEXED BY keptJobs WHERE purgeAt <= ? ORDER BY purgeAt LIMIT ?',
		now,
		DUE_MAX,
	);
	for (const { jobId } of expired) sql.update('jobs', { jobId }, { purgeAt: now + PURGE_RETRY_MS });
	for (const at of [nextWake(sql, now), prune(sql, now), deleteOldLines(account, now)])
		if (at !== null) wakeBy(at);
	/** The targets of the outbox to which something is to be sent. */
	const targets = outbox.wake(targetsOf(account), now);
	return { parts, expired, stuck, damaged, targets };
}

/** When the alarm has to look at a job next; null: never. */
export function nextWake(sql: AccountContext['sql'], now: number): number | null {
	const query =
		'SELECT purgeAt FROM jobs INDEXED BY keptJobs WHERE purgeAt IS NOT NULL ORDER BY purgeAt LIMIT 1';
	const purgeAt = sql.first<{ purgeAt: number }>(query)?.purgeAt ?? Infinity;
	const at = Math.min(purgeAt, nextDue(sql, now) ?? Infinity);
	return at === Infinity ? null : at;
}

/** Carries out what is due and records it, each time in one transaction. Whatever fails here was planned again beforehand. */
export async function carryOut(
	{ sql }: Pick<AccountContext, 'sql'>,
	outside: Outside,
	{ accountId, perform }: { accountId: string; perform: (work: () => void) => Promise<void> },
	{ parts, expired, stuck, damaged }: ReturnType<typeof findDue>,
): Promise<void> {
	const warn = (event: string, about: object, error: unknown): void =>
		log(event, { account: accountId, ...about, ...describeError(error) }, 'warn');
	for (const { since, ...job } of stuck)
		log('job_stuck', { account: accountId, ...job, since: new Date(since).toISOString() });
	for (const { jobId, error } of damaged)
		log('job_damaged', { account: accountId, jobId, ...describeError(error) });
	for (const [queue, some] of Map.groupBy(parts, (part) => part.queue)) {
		// A queue that fails keeps no message of another back.
		try {
			await outside.sendParts(
				queue,
				some.map(({ jobId, part }) => ({ accountId, jobId, part })),
			);
		} catch (error) {
			warn('parts_not_sent', { parts: some.length }, error);
		}
	}
	for (const { jobId } of expired) {
		try {
			await outside.deleteBlobs(jobId);
			await perform(() => purged(sql, jobId));
		} catch (error) {
			warn('blobs_not_deleted', { jobId }, error);
		}
	}
}
