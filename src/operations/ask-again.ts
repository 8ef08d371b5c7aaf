import { ROWS_PER_PAGE } from '../core/jobs/pages.ts';
import { decodeRows } from '../core/jobs/stored-row.ts';
import { ServiceError } from '../errors.ts';
import { createJob } from './create-job.ts';
import type { CreateJobServices } from './create-job.ts';
import type { JobRecord, JobStore } from './jobs-port.ts';
import { requireResults, resultsExpired, totalOf } from './read-results.ts';

const NAME_MAX = 255;
const SUFFIX = ', asked again';

/**
 * Makes a job of the addresses that came out `unknown`. The same form makes one job, however often it is sent. Throws
 * `ServiceError` as `readResults` and `createJob` do.
 */
export async function askAgain(
	services: CreateJobServices,
	account: JobStore,
	request: {
		readonly accountId: string;
		readonly keyId: string;
		readonly job: JobRecord;
		readonly formId: string;
	},
): Promise<{ jobId: string }> {
	const { job, accountId, keyId, formId } = request;
	requireResults(job, services.clock.now());
	const emails: string[] = [];
	for (let page = 0; page < Math.ceil(totalOf(job, 'unknown') / ROWS_PER_PAGE); page += 1) {
		const text = await services.jobBlobs.readPage(job.jobId, 'unknown', page);
		if (text === null) throw resultsExpired();
		for (const [, email] of decodeRows(text)) emails.push(email);
	}
	if (emails.length === 0) throw new ServiceError('wrong_state', 'Every address of this list has an answer');
	const { response } = await createJob(services, account, {
		accountId,
		keyId,
		emails,
		name: `${(job.name ?? job.jobId).slice(0, NAME_MAX - SUFFIX.length)}${SUFFIX}`,
		// No header can hold a space, so that no caller's own Idempotency-Key is this one.
		idempotencyKey: `again ${formId}`,
		render: ({ jobId }) => JSON.stringify({ jobId }),
	});
	return JSON.parse(response) as { jobId: string };
}
