import { describeError, log } from './log.ts';

/**
 * Resolves when the work has ended, for `waitUntil`: the work goes on even if the client disconnects and the request
 * is cancelled. Logs a failure, unless it is a refusal (`ServiceError`), which the client gets as its answer.
 */
export async function finished(work: Promise<unknown>): Promise<void> {
	try {
		await work;
	} catch (error) {
		if (error instanceof Error && error.name === 'ServiceError') return;
		log('later_work_failed', describeError(error));
	}
}
