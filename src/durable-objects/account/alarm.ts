import { describeError, log } from '../../lib/log.ts';
import type { AccountContext, Outside } from './context.ts';
import { deleteOldLines } from './credits/ledger.ts';
import { purged } from './jobs/jobs.ts';
import { wakeJobs } from './jobs/wake.ts';
import type { JobsRound } from './jobs/wake.ts';
import { forgetEnded } from './outcomes.ts';
import { targetsOf } from './tell/news.ts';

/** The work of an alarm outside of the object. */
interface AlarmRound extends JobsRound {
	/** The targets of the outbox to which something is to be sent. */
	readonly targets: readonly string[];
}

/** The work that is due at `now`, already planned again for later in case it fails, and when the alarm rings next. */
export function findDue(account: AccountContext, now: number): AlarmRound {
	const { outbox, wakeBy } = account;
	forgetEnded(account, now);
	const round = wakeJobs(account, now);
	const oldLinesAt = deleteOldLines(account, now);
	if (oldLinesAt !== null) wakeBy(oldLinesAt);
	return { ...round, targets: outbox.wake(targetsOf(account), now) };
}

/** How the alarm reaches its object. */
interface Ringing {
	readonly accountId: string;
	/** Does this in one transaction. */
	readonly perform: (work: () => void) => Promise<void>;
}

/** Carries out what is due and records it. Whatever fails here was planned again beforehand. */
export async function carryOut(
	{ sql }: Pick<AccountContext, 'sql'>,
	outside: Outside,
	{ accountId, perform }: Ringing,
	{ parts, expired, stuck, damaged }: AlarmRound,
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
	for (const jobId of expired) {
		try {
			await outside.deleteBlobs(jobId);
			await perform(() => purged(sql, jobId));
		} catch (error) {
			warn('blobs_not_deleted', { jobId }, error);
		}
	}
}
