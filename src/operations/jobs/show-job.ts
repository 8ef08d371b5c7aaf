import { notFound, requireAccountOf } from './steps/operate.ts';
import type { OperateJobRequest, OperateJobsServices, OperatedJob } from './steps/operate.ts';

/** A job with the parts that still drive it. */
export async function showJob(
	services: OperateJobsServices,
	request: OperateJobRequest,
): Promise<OperatedJob> {
	const { jobId } = request;
	const accountId = await requireAccountOf(services, jobId);
	const now = services.clock.now();
	const found = await services.accounts(accountId).inspectJob({ jobId, now });
	if (found === null) throw notFound();
	return { accountId, ...found };
}
