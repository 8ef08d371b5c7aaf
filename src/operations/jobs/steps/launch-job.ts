import type { AccountPort } from '../../accounts/object-port.ts';
import { priceFor } from '../../../core/credits/price.ts';
import { retryDelaysMs } from '../../../core/jobs/deferral.ts';
import { JOB_KINDS, queueOf } from '../../../core/jobs/kinds/kinds.ts';
import { planParts } from '../../../core/jobs/plan-parts.ts';
import { ServiceError, insufficientCredits } from '../../../errors.ts';
import type { AccountRef, Admitted } from '../../accounts/port.ts';
import type { OpenJobRequest } from '../port.ts';
import type { Services } from '../../../services.ts';

export type LaunchJobServices = Pick<
	Services,
	'clock' | 'newId' | 'accounts' | 'jobBlobs' | 'jobTiming' | 'termsOf' | 'sendParts' | 'listJob'
>;

export interface Launch extends Omit<
	OpenJobRequest,
	'jobId' | 'keyId' | 'now' | 'parts' | 'timing' | 'price'
> {
	/** In the order of the results. */
	readonly addresses: readonly string[];
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
 * sends the first messages. After that step the account's alarm repairs any failure, so the answer is 202.
 */
export async function launchJob(
	services: LaunchJobServices,
	account: Admitted,
	launch: Launch,
): Promise<CreatedJob> {
	const { accountId, keyId } = account;
	const { addresses, keepBeside, ...fixed } = launch;
	const { kind } = fixed;
	const { idPrefix, price: usual } = JOB_KINDS[kind];
	const jobId = services.newId(idPrefix);
	const price = priceFor(accountId, usual);
	const parts = planParts(addresses);
	const timing = services.termsOf?.(addresses) ?? services.jobTiming;
	try {
		await services.jobBlobs.putInput(jobId, textsOf(parts, addresses));
		await keepBeside?.(jobId);
	} catch (error) {
		// No job owns this input, so no alarm would delete it. If it can't be removed now, the bucket's lifecycle rule will.
		await Promise.allSettled([services.jobBlobs.remove(jobId)]);
		throw error;
	}
	const opened = await services.accounts(accountId).openJob({
		...fixed,
		jobId,
		keyId,
		now: services.clock.now(),
		parts: parts.map(({ length }) => length),
		price,
		timing: { ...timing, retryDelaysMs: retryDelaysMs(addresses.length, timing.retryDelaysMs) },
	});
	if (opened.kind !== 'opened') {
		await Promise.allSettled([services.jobBlobs.remove(jobId)]);
		if (opened.kind === 'insufficient_credits')
			throw insufficientCredits(addresses.length * price, opened.available);
		return earlierAnswer(opened);
	}
	// From here on the job exists: what fails now is caught up on by the account's alarm.
	const { job, response, sent } = opened;
	await Promise.allSettled([
		services.sendParts(
			queueOf(kind, addresses.length),
			sent.map((part) => ({ accountId, jobId, part })),
		),
		services.listJob(accountId, job),
	]);
	return { jobId, response, replayed: false };
}

/** The stored text of each part, made one at a time, because all together are as long as the list. */
function* textsOf(parts: readonly (readonly number[])[], addresses: readonly string[]): Iterable<string> {
	for (const members of parts) yield JSON.stringify(members.map((index) => [index, addresses[index]]));
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
