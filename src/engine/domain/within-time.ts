import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import type { Clock } from '../ports.ts';

/**
 * The result of the work, or null (not measured) when it fails or is late. Late work goes on, to fill the cache. The
 * port itself reports an outage; any other failure is a bug of ours, which costs one finding and is logged.
 */
export async function withinTime<T>(
	clock: Clock,
	limitMs: number,
	work: () => Promise<T>,
): Promise<T | null> {
	if (limitMs <= 0) return null;
	return Promise.race([settled(work), clock.sleep(limitMs).then(() => null)]);
}

/** Never rejects: late work that fails must not cause an unhandled rejection. */
async function settled<T>(work: () => Promise<T>): Promise<T | null> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceError)) log('look_up_failed', describeError(error));
		return null;
	}
}
