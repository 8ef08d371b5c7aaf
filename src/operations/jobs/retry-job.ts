import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import { notFound, requireAccountOf } from './steps/operate.ts';
import type { OperateJobRequest, OperateJobsServices, OperatedJob } from './steps/operate.ts';

/** Sends every open part of a job again, at once. Repeating this is harmless. */
export async function retryJob(
	services: OperateJobsServices,
	request: OperateJobRequest,
): Promise<OperatedJob> {
	const { jobId } = request;
	const accountId = await requireAccountOf(services, jobId);
	const account = services.accounts(accountId);
	const now = services.clock.now();
	await audit(services, 'job.retry', accountId, { jobId });
	const retried = await account.retryJob({ jobId, now });
	const found = await account.inspectJob({ jobId, now });
	if (found === null) throw notFound();
	if (!retried) throw new ServiceError('job_ended', `The job is ${found.job.status}: nothing is left to do`);
	return { accountId, ...found };
}
