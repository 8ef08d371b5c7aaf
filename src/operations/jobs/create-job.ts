import { cleanList } from '../../core/jobs/clean-list.ts';
import { ServiceError } from '../../errors.ts';
import { sha256HexOf } from '../../lib/digest.ts';
import type { Admitted } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import { launchJob } from './steps/launch-job.ts';
import type { CreatedJob, LaunchJobServices } from './steps/launch-job.ts';

const DIGESTED_AT_ONCE = 1_000;

export interface CreateJobRequest {
	readonly emails: readonly string[];
	readonly name: string | null;
	readonly idempotencyKey: string | null;
	/** Writes the body of the 202. */
	readonly render: (job: JobRecord) => string;
	/** Stores further objects of the job under `jobs/<id>/` before the job exists. They are deleted with it. */
	readonly keepBeside?: (jobId: string) => Promise<void>;
}

/** Cleans a list and launches a job for it. */
export async function createJob(
	services: LaunchJobServices,
	account: Admitted,
	request: CreateJobRequest,
): Promise<CreatedJob> {
	const { emails, name, idempotencyKey, render, keepBeside } = request;
	const { accepted, duplicates, invalid } = cleanList(emails);
	if (accepted.length === 0) throw new ServiceError('no_valid_emails', 'emails holds no well-formed address');
	return launchJob(services, account, {
		kind: 'verification',
		sourceJobId: null,
		name,
		submitted: emails.length,
		duplicates,
		invalid,
		addresses: accepted,
		idempotency:
			idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprintOf(emails, name) },
		render,
		...(keepBeside === undefined ? {} : { keepBeside }),
	});
}

/** The digest of `JSON.stringify([emails, name])`, without that text in memory: it is as long as the whole body. */
function fingerprintOf(emails: readonly string[], name: string | null): string {
	return sha256HexOf(piecesOf(emails, name));
}

function* piecesOf(emails: readonly string[], name: string | null): Iterable<string> {
	yield '[[';
	for (let from = 0; from < emails.length; from += DIGESTED_AT_ONCE) {
		const elements = JSON.stringify(emails.slice(from, from + DIGESTED_AT_ONCE)).slice(1, -1);
		yield from === 0 ? elements : `,${elements}`;
	}
	yield `],${JSON.stringify(name)}]`;
}
