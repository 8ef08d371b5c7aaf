import type { AccountPort } from '../../accounts/object-port.ts';
import { priceFor } from '../../../core/credits/price.ts';
import { retryDelaysMs } from '../../../core/jobs/deferral.ts';
import { JOB_KINDS, queueOf } from '../../../core/jobs/kinds/kinds.ts';
import { PARTS_IN_FLIGHT_MAX } from '../../../core/jobs/part.ts';
import { planParts } from '../../../core/jobs/plan-parts.ts';
import type { PlannedPart } from '../../../core/jobs/plan-parts.ts';
import { ServiceError, insufficientCredits } from '../../../errors.ts';
import type { AccountRef, Admitted } from '../../accounts/port.ts';
import { NO_WAITS } from '../port.ts';
import type { JobRecord, OpenJobRequest } from '../port.ts';
import type { Services } from '../../../services.ts';

export type LaunchJobServices = Pick<
	Services,
	'clock' | 'newId' | 'accounts' | 'jobBlobs' | 'jobTiming' | 'termsOf' | 'sendParts' | 'listJob'
>;

type Opening = Omit<OpenJobRequest, 'response'> & { readonly price: number };

export interface Launch extends Pick<
	OpenJobRequest,
	| 'kind'
	| 'sourceJobId'
	| 'name'
	| 'rescuesCatchAll'
	| 'mailWhenDone'
	| 'submitted'
	| 'duplicates'
	| 'invalid'
	| 'idempotency'
> {
	/** In the order of the results. */
	readonly addresses: readonly string[];
	/** Writes the body of the 202. */
	readonly render: (job: JobRecord) => string;
	/** Stores further objects of the job under `jobs/<id>/` before the job exists. They are deleted with it. */
	readonly keepBeside?: (jobId: string) => Promise<void>;
}

export interface CreatedJob {
	/** For a repeated request, the first job's id. */
	readonly jobId: string;
	/** The body of the 202; for a repeated request, that of the first one. */
	readonly response: string;
	readonly replayed: boolean;
}

/**
 * Starts a job or a task: stores the input, then reserves credits and records the job in one step of the account, then
 * sends one message per part. After that step the account's alarm repairs any failure, so the answer is 202.
 */
export async function launchJob(
	services: LaunchJobServices,
	account: Admitted,
	launch: Launch,
): Promise<CreatedJob> {
	const { accountId, keyId } = account;
	const { addresses, render, keepBeside, ...fixed } = launch;
	const { kind } = fixed;
	const jobId = services.newId(JOB_KINDS[kind].idPrefix);
	const parts = planParts(addresses);
	const timing = services.termsOf?.(addresses) ?? services.jobTiming;
	const opening: Opening = {
		...fixed,
		jobId,
		keyId,
		now: services.clock.now(),
		parts: parts.map(({ members }) => members.length),
		operators: parts.map(({ operator }) => operator),
		price: priceFor(accountId, JOB_KINDS[kind].price),
		timing: { ...timing, retryDelaysMs: retryDelaysMs(addresses.length, timing.retryDelaysMs) },
	};
	const response = render(freshRecord(opening));
	try {
		await services.jobBlobs.putInput(jobId, textsOf(parts, addresses));
		await keepBeside?.(jobId);
	} catch (error) {
		// No job owns this input, so no alarm would delete it. If it can't be removed now, the bucket's lifecycle rule will.
		await Promise.allSettled([services.jobBlobs.remove(jobId)]);
		throw error;
	}
	const opened = await services.accounts(accountId).openJob({ ...opening, response });
	if (opened.kind !== 'opened') {
		await Promise.allSettled([services.jobBlobs.remove(jobId)]);
		if (opened.kind === 'insufficient_credits') throw insufficientCredits(addresses.length, opened.available);
		return earlierAnswer(opened);
	}
	// From here on the job exists: what fails now is caught up on by the account's alarm.
	// The alarm sends the others as room becomes.
	const messages = parts.slice(0, PARTS_IN_FLIGHT_MAX).map((_, part) => ({ accountId, jobId, part }));
	await Promise.allSettled([
		services.sendParts(queueOf(kind, addresses.length), messages),
		services.listJob(accountId, opened.job),
	]);
	return { jobId, response, replayed: false };
}

/** The `render` of pages, which need no body of a 202 but only the job's id. */
export function renderNothing(): string {
	return '';
}

/** The stored text of each part, made one at a time, because all together are as long as the list. */
function* textsOf(parts: readonly PlannedPart[], addresses: readonly string[]): Iterable<string> {
	for (const { members } of parts) yield JSON.stringify(members.map((index) => [index, addresses[index]]));
}

export type Idempotency = NonNullable<OpenJobRequest['idempotency']>;

/** The first answer under an Idempotency-Key; null: there is none. Throws if the key was used for another request. */
export async function findEarlier(
	{ accounts, clock }: Pick<Services, 'accounts' | 'clock'>,
	{ accountId }: AccountRef,
	{ kind, idempotency }: Pick<OpenJobRequest, 'kind' | 'idempotency'>,
): Promise<CreatedJob | null> {
	if (idempotency === null) return null;
	const known = await accounts(accountId).findAnswer({ kind, idempotency, now: clock.now() });
	return known === null ? null : earlierAnswer(known);
}

function earlierAnswer(known: NonNullable<Awaited<ReturnType<AccountPort['findAnswer']>>>): CreatedJob {
	if (known.kind === 'replay') return { jobId: known.jobId, response: known.response, replayed: true };
	throw new ServiceError('idempotency_key_reused', 'This Idempotency-Key was used for another request');
}

/** The record of a job when it is opened. Without addresses it is completed. */
function freshRecord(opening: Opening): JobRecord {
	const accepted = opening.parts.reduce((sum, count) => sum + count, 0);
	const isOver = accepted === 0;
	return {
		jobId: opening.jobId,
		kind: opening.kind,
		sourceJobId: opening.sourceJobId,
		status: isOver ? 'completed' : 'processing',
		name: opening.name,
		keyId: opening.keyId,
		rescuesCatchAll: opening.rescuesCatchAll,
		mailWhenDone: opening.mailWhenDone ?? false,
		submitted: opening.submitted,
		accepted,
		duplicates: opening.duplicates,
		invalid: opening.invalid,
		parts: opening.parts.length,
		processed: 0,
		counts: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 },
		creditsReserved: accepted * opening.price,
		creditsUsed: 0,
		creditsRefunded: 0,
		waiting: 0,
		waits: NO_WAITS,
		nextAttemptAt: null,
		createdAt: opening.now,
		updatedAt: opening.now,
		estimatedCompletionAt: null,
		heldUpBy: null,
		finishedAt: null,
		completedAt: isOver ? opening.now : null,
		deletedAt: null,
		resultsExpiresAt: isOver ? opening.now + opening.timing.resultsTtlMs : null,
		catchAllTaskId: null,
		verdictsTaskId: null,
		againJobId: null,
		error: null,
	};
}
