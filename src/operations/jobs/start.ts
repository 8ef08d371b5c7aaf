import { domainOf } from '../../core/address/parse-address.ts';
import { priceFor } from '../../core/credits/price.ts';
import { cleanList, rejectedPages } from '../../core/jobs/clean-list.ts';
import type { Dedupe } from '../../core/jobs/clean-list.ts';
import { retryDelaysMs } from '../../core/jobs/deferral.ts';
import { JOB_KINDS, queueOf, requireKind } from '../../core/jobs/kinds.ts';
import type { JobKind } from '../../core/jobs/kinds.ts';
import { planParts } from '../../core/jobs/plan-parts.ts';
import { isFreeProvider } from '../../core/lists/domain-kinds.ts';
import { errorOf, insufficientCredits } from '../../errors.ts';
import { sha256Hex, sha256HexOf } from '../../lib/digest.ts';
import type { Services } from '../../services.ts';
import type { AccountPort, AccountRef, Admitted } from '../accounts/port.ts';
import type { Callback } from '../webhooks/port.ts';
import type { NewJob, OpenJobRequest } from './port.ts';
import { requireResults, streamRows } from './steps/stored-results.ts';

export type StartServices = Pick<
	Services,
	| 'clock'
	| 'newId'
	| 'accounts'
	| 'jobBlobs'
	| 'jobTiming'
	| 'termsOf'
	| 'sendParts'
	| 'listJob'
	| 'requireProber'
>;

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
	/** Left out: it has none. */
	readonly callback?: Callback | null;
	readonly idempotencyKey: string | null;
	/** The job whose unknown addresses these are, in its order; left out: none. */
	readonly sourceJobId?: string;
	/** The call of the API; left out: a page makes it. */
	readonly requestId?: string;
	/** Stores further objects of the job under `jobs/<id>/` before the job exists. They are deleted with it. */
	readonly keepBeside?: (jobId: string) => Promise<void>;
}

interface CreatedJob {
	/** For a repeated request, the first job's id. */
	readonly jobId: string;
	/** The body of the 202; for a repeated request, that of the first one. */
	readonly response: string;
	readonly replayed: boolean;
}

/** Cleans a list and starts a job for it. */
export async function createJob(
	services: StartServices,
	account: Admitted,
	request: CreateJobRequest,
): Promise<CreatedJob> {
	const { jobBlobs } = services;
	const { emails, fileRows, name, rescuesCatchAll, idempotencyKey: key, requestId = null } = request;
	const { callback = null } = request;
	const idempotency = key === null ? null : { key, fingerprint: sha256HexOf(piecesOf(request)) };
	const head = { kind: 'verification', name, callback, idempotency, requestId } as const;
	return start(services, account, head, async () => {
		const { accepted, rejected, duplicates, invalid } = cleaned(request);
		const { sourceJobId = null, mailWhenDone = false } = request;
		return {
			addresses: accepted,
			job: { sourceJobId, rescuesCatchAll, mailWhenDone, submitted: emails.length, duplicates, invalid },
			keepBeside: async (jobId) => {
				if (rescuesCatchAll) await jobBlobs.putSummary(jobId, 'facts', await factsOf(accepted));
				if (rejected.length > 0) await jobBlobs.putRejected(jobId, rejectedPages(rejected, emails, fileRows));
				await request.keepBeside?.(jobId);
			},
		};
	});
}

/** Says what a job of this list would hold, and cost at most. Nothing is stored or reserved. */
export function dryRun(
	{ termsOf }: Pick<Services, 'termsOf'>,
	{ accountId }: AccountRef,
	request: Pick<CreateJobRequest, 'emails' | 'dedupe'>,
) {
	const { accepted, duplicates, invalid } = cleaned(request);
	// A test key's words for errors bring them here, too.
	termsOf?.(accepted);
	return {
		submittedEmails: request.emails.length,
		acceptedEmails: accepted.length,
		duplicateEmails: duplicates,
		invalidEmails: invalid,
		maxCredits: accepted.length * priceFor(accountId, JOB_KINDS.verification.price),
	};
}

/** Throws for a list without any address. */
function cleaned({ emails, dedupe }: Pick<CreateJobRequest, 'emails' | 'dedupe'>) {
	const list = cleanList(emails, dedupe);
	if (list.accepted.length > 0) return list;
	throw errorOf('no_valid_emails', { details: { param: 'emails' } });
}

/**
 * Starts a catch-all task over the catch-all rows of a completed job. The rows and the facts about the whole list are
 * copied, so that the job's results may expire meanwhile.
 */
export async function createTask(
	services: StartServices,
	account: Admitted,
	request: {
		readonly sourceJobId: string;
		readonly name: string | null;
		readonly callback?: Callback | null;
		readonly idempotencyKey: string | null;
		readonly requestId: string;
	},
): Promise<CreatedJob> {
	const { sourceJobId, name, callback = null, idempotencyKey: key, requestId } = request;
	const { accounts, clock, jobBlobs } = services;
	const parameters = [sourceJobId, name, ...(callback === null ? [] : [callback.url])];
	const idempotency = key === null ? null : { key, fingerprint: sha256Hex(JSON.stringify(parameters)) };
	return start(services, account, { kind: 'catchall', name, callback, idempotency, requestId }, async () => {
		const source = requireKind(await accounts(account.accountId).findJob(sourceJobId), 'verification');
		requireResults(source, clock.now());
		const addresses: string[] = [];
		for await (const [, email] of streamRows(services, source, 'catch_all')) addresses.push(email);
		const facts = addresses.length === 0 ? null : await jobBlobs.readSummary(sourceJobId, 'facts');
		const counts = { submitted: addresses.length, duplicates: 0, invalid: 0 };
		return {
			addresses,
			job: { sourceJobId, rescuesCatchAll: false, mailWhenDone: false, ...counts },
			keepBeside: async (taskId) => {
				if (facts !== null) await jobBlobs.putSummary(taskId, 'facts', facts);
			},
		};
	});
}

/** A new job, before it has an id. */
interface Draft {
	/** In the order of the results. */
	readonly addresses: readonly string[];
	readonly job: Omit<NewJob, 'jobId' | 'kind' | 'keyId' | 'name' | 'timing' | 'price'>;
	/** Stores further objects of the job before it exists. */
	readonly keepBeside: (jobId: string) => Promise<void>;
}

/**
 * Starts a job or a task: stores the input, then reserves credits and records the job in one step of the account, then
 * sends the first messages. After that step the account's alarm repairs any failure, so the answer is 202. A repetition
 * under an Idempotency-Key gets the first answer before anything else is looked at, so it needs neither the bucket nor a
 * prober. A new job is not begun without a prober.
 */
async function start(
	services: StartServices,
	{ accountId, keyId }: Admitted,
	request: { readonly kind: JobKind } & Pick<
		OpenJobRequest,
		'name' | 'callback' | 'idempotency' | 'requestId'
	>,
	draftOf: () => Promise<Draft>,
): Promise<CreatedJob> {
	const { clock, jobBlobs } = services;
	const { kind, idempotency } = request;
	const account = services.accounts(accountId);
	const earlier =
		idempotency === null ? null : await account.findAnswer({ kind, idempotency, now: clock.now() });
	if (earlier !== null) return earlierAnswer(earlier);
	services.requireProber();
	const { addresses, job, keepBeside } = await draftOf();
	const jobId = services.newId(JOB_KINDS[kind].idPrefix);
	const price = priceFor(accountId, JOB_KINDS[kind].price);
	const parts = planParts(addresses);
	const timing = services.termsOf?.(addresses) ?? services.jobTiming;
	try {
		await jobBlobs.putInput(jobId, textsOf(parts, addresses));
		await keepBeside(jobId);
	} catch (error) {
		// No job owns this input, so no alarm would delete it. If it can't be removed now, the bucket's lifecycle rule will.
		await Promise.allSettled([jobBlobs.remove(jobId)]);
		throw error;
	}
	const opened = await account.openJob({
		...request,
		...job,
		jobId,
		keyId,
		now: clock.now(),
		parts: parts.map(({ length }) => length),
		price,
		timing: { ...timing, retryDelaysMs: retryDelaysMs(addresses.length, timing.retryDelaysMs) },
	});
	if (opened.kind !== 'opened') {
		await Promise.allSettled([jobBlobs.remove(jobId)]);
		if (opened.kind === 'insufficient_credits')
			throw insufficientCredits(addresses.length * price, opened.available);
		return earlierAnswer(opened);
	}
	// From here on the job exists: what fails now is caught up on by the account's alarm.
	const messages = opened.sent.map((part) => ({ accountId, jobId, part }));
	services.listJob(accountId, opened.job);
	await Promise.allSettled([services.sendParts(queueOf(kind, addresses.length), messages)]);
	return { jobId, response: opened.response, replayed: false };
}

/** The first answer under an Idempotency-Key. Throws if the key was used for another request. */
function earlierAnswer(known: NonNullable<Awaited<ReturnType<AccountPort['findAnswer']>>>): CreatedJob {
	if (known.kind === 'replay') return { jobId: known.jobId, response: known.response, replayed: true };
	throw errorOf('idempotency_key_reused');
}

/** The stored text of each part, made one at a time, because all together are as long as the list. */
function* textsOf(parts: readonly (readonly number[])[], addresses: readonly string[]): Iterable<string> {
	for (const members of parts) yield JSON.stringify(members.map((index) => [index, addresses[index]]));
}

/**
 * The facts that the list itself gives about its addresses, before any of them is asked about: the verdicts do not
 * depend on the order of questions. Free providers are left out: none of them is a catch-all, and they have most
 * addresses of a list.
 */
async function factsOf(accepted: readonly string[]): Promise<string> {
	const { planListFacts } = await import('../../core/catchall/list/list-facts.ts');
	const asked = accepted.filter((email) => !isFreeProvider(domainOf(email)));
	const listed = asked.map((email) => ({ email, status: 'unknown', catchAll: true }) as const);
	return JSON.stringify(planListFacts(listed));
}

const DIGESTED_AT_ONCE = 1_000;

/** The pieces of `JSON.stringify([emails, name])`, with what else was asked behind them: the text is as long as the body. */
function* piecesOf({
	emails,
	name,
	rescuesCatchAll,
	dedupe,
	callback = null,
}: CreateJobRequest): Iterable<string> {
	yield '[[';
	for (let from = 0; from < emails.length; from += DIGESTED_AT_ONCE) {
		const elements = JSON.stringify(emails.slice(from, from + DIGESTED_AT_ONCE)).slice(1, -1);
		yield from === 0 ? elements : `,${elements}`;
	}
	const beside = [
		JSON.stringify(name),
		...(rescuesCatchAll ? ['"auto_catchall_rescue"'] : []),
		...(dedupe === 'mailbox' ? ['"mailbox"'] : []),
		...(callback === null ? [] : [JSON.stringify({ callbackUrl: callback.url })]),
	];
	yield `],${beside.join(',')}]`;
}
