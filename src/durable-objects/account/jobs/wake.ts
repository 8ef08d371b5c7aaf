import { queueOf } from '../../../core/jobs/kinds.ts';
import type { PartQueue } from '../../../core/jobs/kinds.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { AccountContext } from '../context.ts';
import { prune } from '../idempotency.ts';
import { delayParts, findDue, nextDue, sendParts } from './parts.ts';
import { requireJob } from './record.ts';

const PURGE_RETRY_MS = MINUTE_MS;
const DAMAGED_RETRY_MS = 10 * MINUTE_MS;
// Ended jobs that one alarm looks at.
const DUE_MAX = 100;

/** The work of an alarm for jobs. */
export interface JobsRound {
	/** The messages to send. */
	readonly parts: readonly { readonly queue: PartQueue; readonly jobId: string; readonly part: number }[];
	/** Jobs whose blobs are to be deleted. */
	readonly expired: readonly string[];
	/** Jobs with parts that are sent again, and should have moved ten minutes ago or earlier; `since`: epoch ms. */
	readonly stuck: readonly { readonly jobId: string; readonly parts: number; readonly since: number }[];
	/** Jobs whose stored record contradicts itself, or can't be read. */
	readonly damaged: readonly { readonly jobId: string; readonly error: unknown }[];
}

/** The work for jobs that is due. Each item's next try is recorded first, in case this one fails. */
export function wakeJobs(account: AccountContext, now: number): JobsRound {
	const { sql, credits, wakeBy } = account;
	if (!credits.exists) return { parts: [], expired: [], stuck: [], damaged: [] };
	const parts: JobsRound['parts'][number][] = [];
	const stuck: JobsRound['stuck'][number][] = [];
	const damaged: JobsRound['damaged'][number][] = [];
	for (const [jobId, due] of findDue(sql, now)) {
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
	const expired = sql.all<{ jobId: string }>(
		'SELECT jobId FROM jobs INDEXED BY keptJobs WHERE purgeAt <= ? ORDER BY purgeAt LIMIT ?',
		now,
		DUE_MAX,
	);
	for (const { jobId } of expired) sql.update('jobs', { jobId }, { purgeAt: now + PURGE_RETRY_MS });
	for (const at of [nextWake(sql, now), prune(sql, now)]) if (at !== null) wakeBy(at);
	return { parts, expired: expired.map(({ jobId }) => jobId), stuck, damaged };
}

/** When the alarm has to look at a job next; null: never. */
export function nextWake(sql: AccountContext['sql'], now: number): number | null {
	const query =
		'SELECT purgeAt FROM jobs INDEXED BY keptJobs WHERE purgeAt IS NOT NULL ORDER BY purgeAt LIMIT 1';
	const purgeAt = sql.first<{ purgeAt: number }>(query)?.purgeAt ?? Infinity;
	const at = Math.min(purgeAt, nextDue(sql, now) ?? Infinity);
	return at === Infinity ? null : at;
}
