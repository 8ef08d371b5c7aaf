import { domainOf } from '../../core/address/parse-address.ts';
import type { ListFacts, ListedAddress } from '../../core/catchall/list/list-facts.ts';
import { cleanList, RejectedElements } from '../../core/jobs/clean-list.ts';
import type { Dedupe } from '../../core/jobs/clean-list.ts';
import { isFreeProvider } from '../../core/lists/domain-kinds.ts';
import { ServiceError } from '../../errors.ts';
import { sha256HexOf } from '../../lib/digest.ts';
import type { Admitted } from '../accounts/port.ts';
import { findEarlier, launchJob } from './steps/launch-job.ts';
import type { CreatedJob, Idempotency, LaunchJobServices } from './steps/launch-job.ts';
import type { Services } from '../../services.ts';

const DIGESTED_AT_ONCE = 1_000;

export interface CreateJobRequest {
	readonly emails: readonly string[];
	/** The row of each in the file that they are from; left out: they are from none. */
	readonly fileRows?: readonly number[];
	readonly name: string | null;
	/** The texts that count once; left out: each address. */
	readonly dedupe?: Dedupe;
	/** Run the deep check on the catch-all rows as well, in the same job. */
	readonly rescuesCatchAll: boolean;
	/** Tell the owner by mail when it ends. */
	readonly mailWhenDone?: boolean;
	readonly idempotencyKey: string | null;
	/** The job whose unknown addresses these are, in its order; left out: none. */
	readonly sourceJobId?: string;
	/** Of the call of the API; left out: a page makes it. */
	readonly requestId?: string;
	/** Stores further objects of the job under `jobs/<id>/` before the job exists. They are deleted with it. */
	readonly keepBeside?: (jobId: string) => Promise<void>;
}

/**
 * As `createJob`, for a request that a client may repeat. A repetition gets the first answer before anything else is
 * looked at, so it needs neither the bucket nor a prober. Throws where there is no prober for a new job.
 */
export async function createJobOnce(
	services: LaunchJobServices & Pick<Services, 'requireProber'>,
	account: Admitted,
	request: CreateJobRequest,
): Promise<CreatedJob> {
	const idempotency = idempotencyOf(request);
	const earlier = await findEarlier(services, account, { kind: 'verification', idempotency });
	if (earlier !== null) return earlier;
	services.requireProber();
	return launchList(services, account, request, idempotency);
}

/** Cleans a list and launches a job for it. */
export async function createJob(
	services: LaunchJobServices,
	account: Admitted,
	request: CreateJobRequest,
): Promise<CreatedJob> {
	return launchList(services, account, request, idempotencyOf(request));
}

async function launchList(
	services: LaunchJobServices,
	account: Admitted,
	request: CreateJobRequest,
	idempotency: Idempotency | null,
): Promise<CreatedJob> {
	const { emails, name, rescuesCatchAll, mailWhenDone = false, requestId = null, keepBeside } = request;
	const { sourceJobId = null } = request;
	const rejected = new RejectedElements();
	const { accepted, duplicates, invalid } = cleanList(emails, rejected, request.dedupe);
	if (accepted.length === 0)
		throw new ServiceError('no_valid_emails', 'emails holds no well-formed address', {
			details: { param: 'emails' },
		});
	return launchJob(services, account, {
		kind: 'verification',
		sourceJobId,
		name,
		rescuesCatchAll,
		mailWhenDone,
		submitted: emails.length,
		duplicates,
		invalid,
		addresses: accepted,
		idempotency,
		requestId,
		keepBeside: async (jobId) => {
			if (rescuesCatchAll)
				await services.jobBlobs.putSummary(jobId, 'facts', JSON.stringify(await planNeighbours(accepted)));
			if (rejected.count > 0)
				await services.jobBlobs.putRejected(jobId, rejected.pages(emails, request.fileRows));
			await keepBeside?.(jobId);
		},
	});
}

/**
 * The facts that the list itself gives about its addresses, before any of them is asked about: the verdicts do not
 * depend on the order of questions. Free providers are left out: none of them is a catch-all, and they have most
 * addresses of a list.
 */
async function planNeighbours(accepted: readonly string[]): Promise<ListFacts> {
	const { planListFacts } = await import('../../core/catchall/list/list-facts.ts');
	return planListFacts(listedOf(accepted));
}

function* listedOf(accepted: readonly string[]): Iterable<ListedAddress> {
	for (const email of accepted) {
		if (isFreeProvider(domainOf(email))) continue;
		yield { email, status: 'unknown', catchAll: true };
	}
}

function idempotencyOf(request: CreateJobRequest): Idempotency | null {
	const { idempotencyKey: key } = request;
	return key === null ? null : { key, fingerprint: fingerprintOf(request) };
}

/**
 * The digest of `JSON.stringify([emails, name])`, with what else was asked behind them, without that text in
 * memory: it is as long as the whole body.
 */
function fingerprintOf(request: CreateJobRequest): string {
	return sha256HexOf(piecesOf(request));
}

function* piecesOf({ emails, name, rescuesCatchAll, dedupe }: CreateJobRequest): Iterable<string> {
	yield '[[';
	for (let from = 0; from < emails.length; from += DIGESTED_AT_ONCE) {
		const elements = JSON.stringify(emails.slice(from, from + DIGESTED_AT_ONCE)).slice(1, -1);
		yield from === 0 ? elements : `,${elements}`;
	}
	yield `],${JSON.stringify(name)}${rescuesCatchAll ? ',"auto_catchall_rescue"' : ''}${dedupe === 'mailbox' ? ',"mailbox"' : ''}]`;
}
