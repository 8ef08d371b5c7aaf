import type { AccountContext, RequestOf } from './context.ts';
import { jobCalls } from './jobs/calls.ts';
import { readSuspension, writeSuspension } from './suspension.ts';

/**
 * Suspends the account since `at` and ends its jobs early, or with null resumes it. A repetition keeps the first time. Not
 * opened: nothing. Whether it was otherwise before.
 */
export function suspend(account: AccountContext, { at }: RequestOf<'suspend'>): boolean {
	const { sql, credits, jobs } = account;
	if (!credits.exists) return false;
	const { suspendedAt, closedAt } = readSuspension(sql);
	writeSuspension(sql, { suspendedAt: at === null ? null : (suspendedAt ?? at), closedAt });
	// The alarm writes their results.
	if (at !== null)
		for (const { jobId } of jobs.runningJobs()) jobCalls.finishJob(account, { jobId, now: at });
	return (suspendedAt === null) !== (at === null);
}
