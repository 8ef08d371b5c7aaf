import { layOut } from '../core/jobs/pages.ts';
import { assert } from '../lib/assert.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { JobRecord, JobStore } from './jobs-port.ts';
import type { Clock } from './ports.ts';

export interface CompleteJobServices {
	readonly clock: Clock;
	readonly jobBlobs: JobBlobs;
	readonly listJob: (accountId: string, job: JobRecord) => Promise<void>;
}

/**
 * Writes the pages of a job whose rows are all final, then says so. Repeating it writes the same pages and changes
 * nothing, so a crash anywhere is made good by the next message or by the account's alarm.
 */
export async function completeJob(
	services: CompleteJobServices,
	account: JobStore,
	accountId: string,
	jobId: string,
): Promise<void> {
	const job = await account.findJob(jobId);
	if (job === null || job.status !== 'processing' || job.processed < job.accepted) return;
	const layout = layOut(await services.jobBlobs.readLastAttempts(jobId, job.parts), job.accepted);
	for (const [list, pages] of Object.entries({ all: layout.all, ...layout.byStatus })) {
		let page = 0;
		for (const rows of pages) {
			await services.jobBlobs.putPage(jobId, list, page, rows);
			page += 1;
		}
	}
	const { counts } = layout;
	assert(
		counts.deliverable === job.counts.deliverable && counts.unknown === job.counts.unknown,
		'the results are what was charged for',
	);
	const now = services.clock.now();
	// The list first: once the account says completed, nobody comes back to mend the list.
	await services.listJob(accountId, { ...job, status: 'completed', completedAt: now });
	await account.completeJob({ jobId, now });
}

/** Ends a job whose input is gone: what it had reserved and not charged is released. */
export async function failJob(
	{ clock, listJob }: CompleteJobServices,
	account: JobStore,
	{ accountId, jobId }: { readonly accountId: string; readonly jobId: string },
): Promise<void> {
	const job = await account.findJob(jobId);
	if (job === null || job.status !== 'processing') return;
	// The list first, as above.
	await listJob(accountId, { ...job, status: 'failed' });
	await account.failJob({ jobId, now: clock.now(), error: "The job's input is gone" });
}
