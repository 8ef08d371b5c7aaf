import type { AccountPort } from '../accounts/object-port.ts';
import type { Clock } from '../../engine/ports.ts';
import { describeError, log } from '../../lib/log.ts';
import type { Directory } from '../accounts/directory-port.ts';
import type { JobBlobs, KeptJob, KeptJobs } from './job-blobs-port.ts';

export interface FindOrphansServices {
	readonly clock: Pick<Clock, 'now'>;
	readonly accounts: (accountId: string) => Pick<AccountPort, 'claimsOf'>;
	readonly directory: Pick<Directory, 'findJobAccount'>;
}

/** A job with blobs that no account answers for. */
interface Orphan {
	readonly jobId: string;
	/** The account that it belonged to; null: unknown. */
	readonly accountId: string | null;
}

// A request stores the addresses a moment before its account records the job. No request lasts this long.
const AGE_MIN_MS = 6 * 3_600_000;
// For objects without a known account, which can't be asked. No job and no results exist this long.
const UNOWNED_AGE_MIN_MS = 7 * 24 * 3_600_000;

/** Finds the jobs that no account answers for. An account that does not answer may own all of its jobs. */
export async function findOrphans(
	{ clock, accounts, directory }: FindOrphansServices,
	jobs: readonly KeptJob[],
): Promise<readonly Orphan[]> {
	const now = clock.now();
	const orphans: Orphan[] = [];
	const byOwner = new Map<string, string[]>();
	for (const { jobId, accountId, keptSince } of jobs) {
		if (now - keptSince < AGE_MIN_MS) continue;
		const owner = accountId ?? (await directory.findJobAccount(jobId));
		if (owner !== null) byOwner.set(owner, [...(byOwner.get(owner) ?? []), jobId]);
		else if (now - keptSince >= UNOWNED_AGE_MIN_MS) orphans.push({ jobId, accountId: null });
	}
	for (const [accountId, jobIds] of byOwner) {
		try {
			const claimed = new Set(await accounts(accountId).claimsOf({ jobIds }));
			for (const jobId of jobIds) if (!claimed.has(jobId)) orphans.push({ jobId, accountId });
		} catch (error) {
			log('claims_not_heard', { accountId, ...describeError(error) }, 'warn');
		}
	}
	return orphans;
}

interface RemoveOrphansServices extends FindOrphansServices {
	readonly jobBlobs: Pick<JobBlobs, 'remove'>;
	readonly keptJobs: KeptJobs;
}

interface RemoveOrphansRequest {
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
