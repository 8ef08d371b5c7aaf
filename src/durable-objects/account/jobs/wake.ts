import { queueOf } from '../../../core/jobs/kinds/kinds.ts';
import type { PartQueue } from '../../../core/jobs/kinds/kinds.ts';
import { isStuck } from '../../../core/jobs/part.ts';
import { sendDue } from '../../../core/jobs/plan-parts.ts';
import type { JobStatus, ListedJob } from '../../../operations/jobs/port.ts';
import { numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { prune } from '../idempotency.ts';
import { jobOf } from './rows.ts';
import { AccountJobsStorage } from './storage.ts';

const PURGE_RETRY_MS = 60_000;
const LIST_RETRY_MS = 5 * 60_000;
const DAMAGED_RETRY_MS = 10 * 60_000;
// Jobs that one alarm looks at.
const DUE_MAX = 100;

interface Message {
	readonly queue: PartQueue;
	readonly jobId: string;
	readonly part: number;
}

interface StuckJob {
	readonly jobId: string;
	readonly parts: number;
	/** Since when the first of them is due, epoch ms. */
	readonly since: number;
}

/** The work of an alarm for jobs. */
export interface JobsRound {
	/** The messages to send. */
	readonly parts: readonly Message[];
	/** Jobs that have ended, for the operators' listing. */
	readonly toList: readonly ListedJob[];
	/** Jobs whose blobs are to be deleted. */
	readonly expired: readonly string[];
	/** Jobs with parts that are sent again, and were due ten minutes ago or earlier. */
	readonly stuck: readonly StuckJob[];
	/** Jobs whose stored record contradicts itself, or can't be read. */
	readonly damaged: readonly { readonly jobId: string; readonly error: unknown }[];
}

/**
 * The work for jobs that is due. Each item's next try is recorded first, in case this one fails. Looks at jobs that are due
 * alone, and not at more than a hundred: the alarm rings again at once for others.
 */
export function wakeJobs({ sql, credits, wakeBy }: AccountContext, now: number): JobsRound {
	if (!credits.exists) return { parts: [], toList: [], expired: [], stuck: [], damaged: [] };
	const storage = new AccountJobsStorage(sql);
	const parts: Message[] = [];
	const toList: ListedJob[] = [];
	const expired: string[] = [];
	const stuck: StuckJob[] = [];
	const damaged: { jobId: string; error: unknown }[] = [];
	const nextEnd = prune(sql, now);
	for (const row of storage.dueJobs(now, DUE_MAX)) {
		const jobId = textOf(row, 'job_id');
		const purgeAt = numberOrNull(row['purge_at']);
		if (purgeAt === null) {
			try {
				const sent = sendParts(storage, row, now);
				parts.push(...sent.messages);
				if (sent.stuck !== null) stuck.push(sent.stuck);
			} catch (error) {
				// The other jobs go on. This one is looked at again: a later version may understand it.
				damaged.push({ jobId, error });
				storage.setWake(jobId, now + DAMAGED_RETRY_MS);
			}
			continue;
		}
		// An ended job is due before its deletion as long as the listing may not know its end.
		toList.push(listedOf(row));
		if (purgeAt > now) storage.setWake(jobId, Math.min(purgeAt, now + LIST_RETRY_MS));
		else {
			expired.push(jobId);
			storage.setPurge(jobId, now + PURGE_RETRY_MS);
		}
	}
	const wakeAt = Math.min(storage.nextWake() ?? Infinity, nextEnd ?? Infinity);
	if (wakeAt !== Infinity) wakeBy(wakeAt);
	return { parts, toList, expired, stuck, damaged };
}

function listedOf(row: Row): ListedJob {
	const status = textOf(row, 'status') as JobStatus;
	return { jobId: textOf(row, 'job_id'), status, createdAt: numberOf(row, 'created_at') };
}

/** The messages of a running job to send now, which are recorded as sent. */
function sendParts(
	storage: AccountJobsStorage,
	row: Row,
	now: number,
): { readonly messages: readonly Message[]; readonly stuck: StuckJob | null } {
	const job = jobOf(row);
	const { jobId } = job;
	const { sent, wakeAt } = sendDue(storage.drivenParts(job), now, job.timing);
	for (const stored of sent) storage.writePart(jobId, stored);
	storage.setWake(jobId, wakeAt);
	const queue = queueOf(job.kind, job.accepted);
	const since = sent.filter(({ part }) => isStuck(part, now)).map(({ part }) => part.dueAt);
	return {
		messages: sent.map(({ n }) => ({ queue, jobId, part: n })),
		stuck: since.length === 0 ? null : { jobId, parts: since.length, since: Math.min(...since) },
	};
}
