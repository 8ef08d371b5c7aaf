import { STUCK_AFTER_MS } from '../../core/jobs/part.ts';
import { ServiceError } from '../../errors.ts';
import type { Accounts } from '../accounts/port.ts';
import type { JobInspection, JobRecord } from './port.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Directory } from '../accounts/directory-port.ts';

/** What operators may do with jobs. */
export interface OperateJobsServices {
	readonly clock: Clock;
	readonly accounts: Accounts;
	readonly directory: Directory;
}

export interface OperatedJob extends JobInspection {
	readonly accountId: string;
}

export interface StuckJob {
	readonly accountId: string;
	readonly job: JobRecord;
	readonly stuckParts: number;
	/** Since when the first of them should have moved, epoch milliseconds. */
	readonly since: number;
}

// Each costs a call of its account. Who has more stuck jobs than this has another problem.
const LOOKED_AT_MAX = 200;

/** A job with the parts that still drive it. */
export async function showJob(services: OperateJobsServices, jobId: string): Promise<OperatedJob> {
	const accountId = await requireAccountOf(services, jobId);
	const now = services.clock.now();
	const found = await services.accounts(accountId).inspectJob({ jobId, now });
	if (found === null) throw notFound();
	return { accountId, ...found };
}

/** The jobs of all accounts that should have moved in the last ten minutes and did not, the oldest first. */
export async function stuckJobs(services: OperateJobsServices): Promise<readonly StuckJob[]> {
	const now = services.clock.now();
	const stuck: StuckJob[] = [];
	const listed = await services.directory.processingJobs(now - STUCK_AFTER_MS, LOOKED_AT_MAX);
	for (const { jobId, accountId } of listed) {
		const found = await services.accounts(accountId).inspectJob({ jobId, now });
		const parts = found?.parts.filter((part) => part.stuck) ?? [];
		if (found === null || parts.length === 0) continue;
		const since = Math.min(...parts.map(({ dueAt }) => dueAt));
		stuck.push({ accountId, job: found.job, stuckParts: parts.length, since });
	}
	return stuck;
}

/** Has every open part of a job worked on again, at once. Repeating it changes nothing but the time. */
export async function retryJob(services: OperateJobsServices, jobId: string): Promise<OperatedJob> {
	const accountId = await requireAccountOf(services, jobId);
	const account = services.accounts(accountId);
	const now = services.clock.now();
	await services.directory.audit({ at: now, action: 'job.retry', accountId, detail: { jobId } });
	const retried = await account.retryJob({ jobId, now });
	const found = await account.inspectJob({ jobId, now });
	if (found === null) throw notFound();
	if (!retried) throw new ServiceError('job_ended', `The job is ${found.job.status}: nothing is left to do`);
	return { accountId, ...found };
}

async function requireAccountOf({ directory }: OperateJobsServices, jobId: string): Promise<string> {
	const accountId = await directory.findJobAccount(jobId);
	if (accountId === null) throw notFound();
	return accountId;
}

function notFound(): ServiceError {
	return new ServiceError('job_not_found', 'There is no such job');
}
