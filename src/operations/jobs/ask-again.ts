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
	readonly formId: string;
}

/**
 * Makes a job of the addresses whose result is `unknown`. The same form makes one job, however often it is sent. Throws
 * `ServiceError` as `readResults` and `createJob` do.
 */
export async function askAgain(
	services: LaunchJobServices,
	account: Admitted,
	request: AskAgainRequest,
): Promise<{ jobId: string }> {
	const { job, formId } = request;
	requireResults(job, services.clock.now());
	const emails: string[] = [];
	for await (const [, email] of streamRows(services, job, 'unknown')) emails.push(email);
	if (emails.length === 0)
		throw new ServiceError('nothing_unknown', 'Every address of this list has an answer');
	const { jobId } = await createJob(services, account, {
		emails,
		rescuesCatchAll: job.rescuesCatchAll ?? false,
		name: `${(job.name ?? job.jobId).slice(0, NAME_MAX - SUFFIX.length)}${SUFFIX}`,
		// With a plain space, which callers' own Idempotency-Keys do not contain as stored.
		idempotencyKey: `again ${formId}`,
		render: renderNothing,
	});
	return { jobId };
}
