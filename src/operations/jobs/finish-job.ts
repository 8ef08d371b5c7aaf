import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import type { AccountRef } from '../accounts/port.ts';
import { completeJob } from './complete-job.ts';
import type { CompleteJobServices } from './complete-job.ts';
import type { JobRecord } from './port.ts';

export interface FinishJobRequest {
	readonly job: JobRecord;
}

/**
 * Ends a job early: what is not answered becomes `unknown` / `not_asked` and is refunded. A job that is completed stays
 * as it is; of one that failed this throws `job_failed`. The account refunds in one step, and its alarm writes the
 * results if that fails here: the job is then still `processing`, with all rows final.
 */
export async function finishJob(
	services: CompleteJobServices,
	account: AccountRef,
	request: FinishJobRequest,
): Promise<JobRecord> {
	const { jobId, status } = request.job;
	if (status === 'failed')
		throw new ServiceError('job_failed', 'The job is failed, and cost nothing', { details: { status } });
	if (status === 'completed') return request.job;
	const jobs = services.accounts(account.accountId);
	const finished = await jobs.finishJob({ jobId, now: services.clock.now() });
	try {
		await completeJob(services, account, { jobId });
		return (await jobs.findJob(jobId)) ?? finished;
	} catch (error) {
		log('finished_job_not_completed', { jobId, ...describeError(error) }, 'warn');
		return finished;
	}
}
