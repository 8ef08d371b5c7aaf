import type { AccountRef } from '../accounts/port.ts';
import type { CompleteJobRequest, CompleteJobServices } from './complete-job.ts';

/** Ends a job whose input is gone. Its reserved credits that were not charged are released. */
export async function failJob(
	services: CompleteJobServices,
	account: AccountRef,
	request: CompleteJobRequest,
): Promise<void> {
	const { accountId } = account;
	const { jobId } = request;
	const jobs = services.accounts(accountId);
	const job = await jobs.findJob(jobId);
	if (job === null || job.status !== 'processing') return;
	// The listing first, as in `completeJob`.
	await services.listJob(accountId, { ...job, status: 'failed' });
	await jobs.failJob({ jobId, now: services.clock.now(), error: "The job's input is gone" });
}
