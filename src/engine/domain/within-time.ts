import type { Clock } from '../ports.ts';

/** What the work gives, or null when it fails or is late: not measured. The work itself goes on, for the cache. */
export async function withinTime<T>(
	clock: Clock,
	limitMs: number,
	work: () => Promise<T>,
): Promise<T | null> {
	if (limitMs <= 0) return null;
	return Promise.race([settled(work), clock.sleep(limitMs).then(() => null)]);
}

/** Never rejects: work that fails after its time is over must not be an unhandled rejection. */
async function settled<T>(work: () => Promise<T>): Promise<T | null> {
	try {
		return await work();
	} catch {
		return null;
	}
}
