import { cleanList } from '../core/jobs/clean-list.ts';
import { ServiceError } from '../errors.ts';
import { sha256Hex } from '../lib/digest.ts';
import type { JobRecord, JobStore } from './jobs-port.ts';
import { launchJob } from './launch-job.ts';
import type { CreatedJob, LaunchJobServices } from './launch-job.ts';

export interface NewJob {
	readonly accountId: string;
	readonly keyId: string;
	readonly emails: readonly string[];
	readonly name: string | null;
	readonly idempotencyKey: string | null;
	/** Writes the body of the 202. */
	readonly render: (job: JobRecord) => string;
	/** Stores what else belongs to the job, under `jobs/<id>/`, before the job exists; goes away with it. */
	readonly keepBeside?: (jobId: string) => Promise<void>;
}

/** Takes a list in: cleaned, then launched. */
export async function createJob(
	services: LaunchJobServices,
	account: JobStore,
	request: NewJob,
): Promise<CreatedJob> {
	const { accountId, keyId, emails, name, idempotencyKey, render, keepBeside } = request;
	const { accepted, duplicates, invalid } = cleanList(emails);
	if (accepted.length === 0) throw new ServiceError('invalid_request', 'emails holds no well-formed address');
	const fingerprint = (): string => sha256Hex(JSON.stringify([emails, name]));
	return launchJob(services, account, {
		accountId,
		jobId: services.newId('job'),
		kind: 'verification',
		sourceJobId: null,
		keyId,
		name,
		submitted: emails.length,
		duplicates,
		invalid,
		addresses: accepted,
		idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprint() },
		render,
		...(keepBeside === undefined ? {} : { keepBeside }),
	});
}
