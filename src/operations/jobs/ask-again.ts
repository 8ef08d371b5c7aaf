import { mayAnswerLater } from '../../core/jobs/ask-again.ts';
import { ServiceError } from '../../errors.ts';
import { createJob } from './create-job.ts';
import { renderNothing } from './steps/launch-job.ts';
import type { Admitted } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import type { LaunchJobServices } from './steps/launch-job.ts';
import { requireResults, streamRows } from './steps/stored-results.ts';

const NAME_MAX = 255;
const SUFFIX = ', asked again';

export interface AskAgainRequest {
	readonly job: JobRecord;
}

/**
 * Makes a job of those addresses of a list whose result is `unknown` and may have an answer later; what it finds is shown
 * in the rows of the first list. A list is asked again once, however often this is called. Throws `ServiceError` as
 * `readResults` and `createJob` do, and `nothing_unknown`.
 */
export async function askAgain(
	services: LaunchJobServices,
	account: Admitted,
	request: AskAgainRequest,
): Promise<{ jobId: string }> {
	const { job } = request;
	requireResults(job, services.clock.now());
	const { againJobId } = job;
	if (againJobId !== null) return { jobId: againJobId };
	const emails: string[] = [];
	const places: number[] = [];
	for await (const row of streamRows(services, job, 'unknown')) {
		if (!mayAnswerLater(row)) continue;
		places.push(row[0]);
		emails.push(row[1]);
	}
	if (emails.length === 0)
		throw new ServiceError('nothing_unknown', 'No address of this list is likely to have an answer later');
	const { jobId } = await createJob(services, account, {
		emails,
		rescuesCatchAll: job.rescuesCatchAll,
		name: `${(job.name ?? job.jobId).slice(0, NAME_MAX - SUFFIX.length)}${SUFFIX}`,
		// With a plain space, which callers' own Idempotency-Keys do not contain as stored.
		idempotencyKey: `again ${job.jobId}`,
		sourceJobId: job.jobId,
		render: renderNothing,
		keepBeside: (againId) => services.jobBlobs.putSummary(againId, 'places', JSON.stringify(places)),
	});
	return { jobId };
}
