import type { AccountRef } from '../accounts/port.ts';
import type { CompleteJobRequest, CompleteJobServices } from './complete-job.ts';

/** Ends a job whose input is gone: what it had reserved and not charged is released. */
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
	// The list first, as when it is completed.
	await services.listJob(accountId, { ...job, status: 'failed' });
	await jobs.failJob({ jobId, now: services.clock.now(), error: "The job's input is gone" });
}
