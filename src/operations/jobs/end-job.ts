import { audit } from '../accounts/steps/manage.ts';
import { finishJob } from './finish-job.ts';
import type { CompleteJobServices } from './complete-job.ts';
import { notFound, requireAccountOf } from './steps/operate.ts';
import type { OperateJobRequest, OperateJobsServices, OperatedJob } from './steps/operate.ts';

/** Ends a job early, as its owner could. One that is completed stays as it is. */
export async function endJob(
	services: OperateJobsServices & CompleteJobServices,
	request: OperateJobRequest,
): Promise<OperatedJob> {
	const { jobId } = request;
	const accountId = await requireAccountOf(services, jobId);
	const account = services.accounts(accountId);
	const job = await account.findJob(jobId);
	if (job === null) throw notFound();
	await audit(services, 'job.end', accountId, { jobId });
	await finishJob(services, { accountId }, { job });
	const found = await account.inspectJob({ jobId, now: services.clock.now() });
	if (found === null) throw notFound();
	return { accountId, ...found };
}
