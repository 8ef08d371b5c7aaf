import { ServiceError } from '../../../errors.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { Directory } from '../../accounts/directory-port.ts';
import type { JobInspection, JobStore } from '../port.ts';

/** What operators need to do things with jobs. */
export interface OperateJobsServices {
	readonly clock: Clock;
	readonly accounts: (accountId: string) => JobStore;
	readonly directory: Directory;
}

export interface OperateJobRequest {
	readonly jobId: string;
}

export interface OperatedJob extends JobInspection {
	readonly accountId: string;
}

/** Whose job it is. Throws `ServiceError` `job_not_found`. */
export async function requireAccountOf({ directory }: OperateJobsServices, jobId: string): Promise<string> {
	const accountId = await directory.findJobAccount(jobId);
	if (accountId === null) throw notFound();
	return accountId;
}

/** What is said where there is none. */
export function notFound(): ServiceError {
	return new ServiceError('job_not_found', 'There is no such job');
}
