import { STUCK_AFTER_MS } from '../../core/jobs/part.ts';
import type { JobRecord } from './port.ts';
import type { OperateJobsServices } from './steps/operate.ts';

export interface StuckJob {
	readonly accountId: string;
	readonly job: JobRecord;
	readonly stuckParts: number;
	/** Since when the first of them is due, epoch milliseconds. */
	readonly since: number;
}

// Each costs a call to its account. With more stuck jobs than this there is another problem.
const LOOKED_AT_MAX = 200;

/** The jobs of all accounts with a part that has been due for ten minutes without progress, oldest first. */
export async function findStuckJobs(services: OperateJobsServices): Promise<readonly StuckJob[]> {
	const now = services.clock.now();
	const stuck: StuckJob[] = [];
	const listed = await services.directory.processingJobs(now - STUCK_AFTER_MS, LOOKED_AT_MAX);
	for (const { jobId, accountId } of listed) {
		const found = await services.accounts(accountId).inspectJob({ jobId, now });
		const parts = found?.parts.filter((part) => part.stuck) ?? [];
		if (found === null || parts.length === 0) continue;
		const since = Math.min(...parts.map(({ dueAt }) => dueAt));
		stuck.push({ accountId, job: found.job, stuckParts: parts.length, since });
	}
	return stuck;
}
