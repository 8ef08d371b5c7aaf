import { describeError, log } from '../../lib/log.ts';
import type { JobBlobs, KeptJobs } from './job-blobs-port.ts';
import { findOrphans } from './steps/find-orphans.ts';
import type { FindOrphansServices } from './steps/find-orphans.ts';

export interface RemoveOrphansServices extends FindOrphansServices {
	readonly jobBlobs: Pick<JobBlobs, 'remove'>;
	readonly keptJobs: KeptJobs;
}

export interface RemoveOrphansRequest {
	/** The most jobs to check. */
	readonly most: number;
}

const JOBS_A_PAGE = 200;
const JOBS_A_RUN = 5_000;

/**
 * Removes the objects of jobs that no account knows: left by a process that died between storing a list and opening its
 * job, or that wrote after the deletion. Checks a limited number per run, and continues where the last run ended.
 */
export async function removeOrphans(
	services: RemoveOrphansServices,
	request: RemoveOrphansRequest = { most: JOBS_A_RUN },
): Promise<{ readonly looked: number; readonly removed: number }> {
	const { keptJobs } = services;
	const { most } = request;
	let place = await keptJobs.readPlace();
	let looked = 0;
	let removed = 0;
	for (let isEnd = false; !isEnd && looked < most;) {
		const page = await keptJobs.list(place, Math.min(JOBS_A_PAGE, most - looked));
		for (const { jobId } of await findOrphans(services, page.jobs))
			if (await remove(services, jobId)) removed += 1;
		looked += page.jobs.length;
		({ isEnd } = page);
		place = isEnd ? null : page.last;
		await keptJobs.keepPlace(place);
	}
	return { looked, removed };
}

async function remove({ jobBlobs }: RemoveOrphansServices, jobId: string): Promise<boolean> {
	try {
		await jobBlobs.remove(jobId);
		return true;
	} catch (error) {
		log('orphan_not_removed', { jobId, ...describeError(error) }, 'warn');
		return false;
	}
}
