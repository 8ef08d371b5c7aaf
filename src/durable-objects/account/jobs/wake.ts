import { queueOf } from '../../../core/jobs/kinds/kinds.ts';
import type { PartQueue } from '../../../core/jobs/kinds/kinds.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { ListedJob } from '../../../operations/jobs/port.ts';
import type { AccountContext } from '../context.ts';
import { prune } from '../idempotency.ts';
import { delayParts, findDue, nextDue, sendParts } from './parts.ts';

const PURGE_RETRY_MS = MINUTE_MS;
const LIST_RETRY_MS = 5 * MINUTE_MS;
const DAMAGED_RETRY_MS = 10 * MINUTE_MS;
// Ended jobs that one alarm looks at.
const DUE_MAX = 100;

/** The work of an alarm for jobs. */
export interface JobsRound {
	/** The messages to send. */
	readonly parts: readonly { readonly queue: PartQueue; readonly jobId: string; readonly part: number }[];
	/** Jobs that have ended, for the operators' listing. */
	readonly toList: readonly ListedJob[];
	/** Jobs whose blobs are to be deleted. */
	readonly expired: readonly string[];
	/** Jobs with parts that are sent again, and should have moved ten minutes ago or earlier; `since`: epoch ms. */
	readonly stuck: readonly { readonly jobId: string; readonly parts: number; readonly since: number }[];
	/** Jobs whose stored record contradicts itself, or can't be read. */
	readonly damaged: readonly { readonly jobId: string; readonly error: unknown }[];
}

/** The work for jobs that is due. Each item's next try is recorded first, in case this one fails. */
export function wakeJobs({ sql, credits, jobs, wakeBy }: AccountContext, now: number): JobsRound {
	if (!credits.exists) return { parts: [], toList: [], expired: [], stuck: [], damaged: [] };
	const parts: JobsRound['parts'][number][] = [];
	const stuck: JobsRound['stuck'][number][] = [];
	const damaged: JobsRound['damaged'][number][] = [];
	for (const [jobId, due] of findDue(sql, now)) {
		try {
			const job = jobs.requireJob(jobId);
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
	const ended = sql.all<ListedJob & { readonly purgeAt: number }>(
		`SELECT jobId, status, createdAt, purgeAt FROM jobs INDEXED BY dueJobs WHERE wakeAt <= ? ORDER BY wakeAt LIMIT ?`,
		...[now, DUE_MAX],
	);
	// An ended job is due before its deletion as long as the listing may not know its end.
	for (const { jobId, purgeAt } of ended)
		sql.update(
			'jobs',
			{ jobId },
			{ wakeAt: purgeAt > now ? Math.min(purgeAt, now + LIST_RETRY_MS) : now + PURGE_RETRY_MS },
		);
	for (const at of [nextWake(sql, now), prune(sql, now)]) if (at !== null) wakeBy(at);
	return {
		parts,
		toList: ended.map(({ jobId, status, createdAt }) => ({ jobId, status, createdAt })),
		expired: ended.filter(({ purgeAt }) => purgeAt <= now).map(({ jobId }) => jobId),
		stuck,
		damaged,
	};
}

/** When the alarm has to look at a job next; null: never. */
export function nextWake(sql: AccountContext['sql'], now: number): number | null {
	const query = 'SELECT wakeAt FROM jobs INDEXED BY dueJobs WHERE wakeAt IS NOT NULL ORDER BY wakeAt LIMIT 1';
	const ended = sql.first<{ wakeAt: number }>(query)?.wakeAt ?? Infinity;
	const at = Math.min(ended, nextDue(sql, now) ?? Infinity);
	return at === Infinity ? null : at;
}
