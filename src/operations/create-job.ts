import { cleanList } from '../core/jobs/clean-list.ts';
import { retryDelaysMs } from '../core/jobs/deferral.ts';
import { planParts } from '../core/jobs/plan-parts.ts';
import { ServiceError } from '../errors.ts';
import { sha256Hex } from '../lib/digest.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { JobRecord, JobStore, OpenJobRequest, PartMessage } from './jobs-port.ts';
import type { Clock } from './ports.ts';

export interface CreateJobServices {
	readonly clock: Clock;
	readonly newId: (prefix: string) => string;
	readonly jobBlobs: JobBlobs;
	readonly jobTiming: OpenJobRequest['timing'];
	readonly sendParts: (messages: readonly PartMessage[]) => Promise<void>;
	readonly listJob: (accountId: string, job: JobRecord) => Promise<void>;
}

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

export interface CreatedJob {
	/** The body of the 202, the first one when the request is a repetition. */
	readonly response: string;
	readonly replayed: boolean;
}

/**
 * Takes a list in: input stored, then credits and job in one step of the account, then one message a part. What fails
 * after that step the account's alarm makes good, so from there on the answer is 202.
 */
export async function createJob(
	services: CreateJobServices,
	account: JobStore,
	request: NewJob,
): Promise<CreatedJob> {
	const { emails, name, idempotencyKey, keepBeside } = request;
	const cleaned = cleanList(emails);
	if (cleaned.accepted.length === 0)
		throw new ServiceError('invalid_request', 'emails holds no well-formed address');
	const parts = planParts(cleaned.accepted);
	const jobId = services.newId('job');
	const now = services.clock.now();
	const timing = services.jobTiming;
	const opening = {
		jobId,
		now,
		keyId: request.keyId,
		name,
		submitted: emails.length,
		duplicates: cleaned.duplicates,
		invalid: cleaned.invalid,
		parts: parts.map((part) => part.length),
		timing: { ...timing, retryDelaysMs: retryDelaysMs(cleaned.accepted.length, timing.retryDelaysMs) },
		idempotency:
			idempotencyKey === null
				? null
				: { key: idempotencyKey, fingerprint: sha256Hex(JSON.stringify([emails, name])) },
	};
	const response = request.render(freshRecord(opening));
	await services.jobBlobs.putInput(
		jobId,
		parts.map((part) => JSON.stringify(part.map((index) => [index, cleaned.accepted[index]]))),
	);
	await keepBeside?.(jobId);
	const opened = await account.openJob({ ...opening, response });
	if (opened.kind !== 'opened') {
		await services.jobBlobs.remove(jobId);
		return refusalOf(opened);
	}
	// From here on the job exists: what fails now is caught up on by the account's alarm.
	const messages = parts.map((_, part) => ({ accountId: request.accountId, jobId, part }));
	await Promise.allSettled([services.sendParts(messages), services.listJob(request.accountId, opened.job)]);
	return { response, replayed: false };
}

function refusalOf(
	opened: Exclude<Awaited<ReturnType<JobStore['openJob']>>, { kind: 'opened' }>,
): CreatedJob {
	switch (opened.kind) {
		case 'replay':
			return { response: opened.response, replayed: true };
		case 'mismatch':
			throw new ServiceError('wrong_state', 'This Idempotency-Key was used for another request');
		case 'insufficient_credits':
			throw new ServiceError('insufficient_credits', `Insufficient credits: ${opened.available} available`);
	}
}

/** The job as it is the moment it is opened. */
function freshRecord(opening: Omit<OpenJobRequest, 'response'>): JobRecord {
	const accepted = opening.parts.reduce((sum, count) => sum + count, 0);
	return {
		jobId: opening.jobId,
		status: 'processing',
		name: opening.name,
		submitted: opening.submitted,
		accepted,
		duplicates: opening.duplicates,
		invalid: opening.invalid,
		parts: opening.parts.length,
		processed: 0,
		counts: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 },
		creditsReserved: accepted,
		creditsUsed: 0,
		creditsRefunded: 0,
		waiting: 0,
		nextAttemptAt: null,
		createdAt: opening.now,
		updatedAt: opening.now,
		completedAt: null,
		resultsExpiresAt: null,
		error: null,
	};
}
