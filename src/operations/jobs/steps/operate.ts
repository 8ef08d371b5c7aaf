import type { Accounts } from '../../accounts/object-port.ts';
import { ServiceError } from '../../../errors.ts';
import type { AuditTrailServices } from '../../accounts/steps/manage.ts';
import type { KeptJobs } from '../job-blobs-port.ts';
import type { JobInspection } from '../port.ts';

/** The services of operators' actions on jobs. */
export interface OperateJobsServices extends AuditTrailServices {
	readonly accounts: Accounts;
	readonly keptJobs: Pick<KeptJobs, 'find'>;
}

export interface OperateJobRequest {
	readonly jobId: string;
}

export interface OperatedJob extends JobInspection {
	readonly accountId: string;
}

/** The account of a job, by the listing or else by the job's blobs. Throws `ServiceError` `job_not_found`. */
export async function requireAccountOf(
	{ directory, keptJobs }: Pick<OperateJobsServices, 'directory' | 'keptJobs'>,
	jobId: string,
): Promise<string> {
	const accountId =
		(await directory.findJobAccount(jobId)) ?? (await keptJobs.find(jobId))?.accountId ?? null;
	if (accountId === null) throw notFound();
	return accountId;
}

/** The error for an unknown job. */
export function notFound(): ServiceError {
	return new ServiceError('job_not_found', 'There is no such job');
}
