import { describeError, log } from '../lib/log.ts';

/**
 * Runs every step, whatever became of the others.
 * Throws at the end if a step failed, so that the cron counts as failed.
 */
export async function runNightly(steps: readonly (() => Promise<void>)[]): Promise<void> {
	const failures: unknown[] = [];
	for (const ended of await Promise.allSettled(steps.map(async (step) => step()))) {
		if (ended.status === 'fulfilled') continue;
		failures.push(ended.reason);
		log('cron_step_failed', describeError(ended.reason));
	}
	if (failures.length > 0) throw new AggregateError(failures, 'Steps of the night failed');
}
