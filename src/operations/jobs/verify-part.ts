import { decodeRows, encodeRows, isDeferred, tallyRows, toDeferredRow } from '../../core/jobs/stored-row.ts';
import type { PartRow } from '../../core/jobs/stored-row.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { describeError, log } from '../../lib/log.ts';
import { completeJob, failJob } from './complete-job.ts';
import type { CompleteJobServices } from './complete-job.ts';
import { abandonedRow, examineEntries } from './examine-part.ts';
import type { Entry, ExaminePartServices, Task } from './examine-part.ts';
import type { JobBlobs } from './job-blobs-port.ts';
import type { JobStore, PartMessage } from './port.ts';

export interface VerifyPartServices extends CompleteJobServices, ExaminePartServices {
	readonly newId: (prefix: string) => string;
}

type Claimed = Extract<Awaited<ReturnType<JobStore['claimPart']>>, { kind: 'claimed' }>;
/** All rows of the part, as they are stored; or the job's input is not there any more. */
type Worked = { readonly kind: 'rows'; readonly rows: string } | { readonly kind: 'gone' };
interface Working {
	readonly accountId: string;
	readonly jobId: string;
	readonly part: number;
	readonly claim: Claimed;
	/** Open rows become `unknown` without another try. */
	readonly giveUp: boolean;
}

// A consumer that dies holds its part for this long, and no other may take it: short, and renewed by who lives.
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
// While our own egress or resolver is out, the part is tried again each minute.
const OUTAGE_PAUSE_MS = 60_000;

/**
 * Works on one part of a job. Every step may be repeated: a redelivery walks the same steps and finds them done. Resolves
 * when the message can be acknowledged; what throws is delivered again.
 *
 * @param giveUp the message came from the dead-letter queue: open rows become `unknown` without another try
 */
export async function verifyPart(
	services: VerifyPartServices,
	account: JobStore,
	{ accountId, jobId, part }: PartMessage,
	giveUp = false,
): Promise<void> {
	const token = services.newId('lease');
	const lease = { jobId, part, token, leaseMs: LEASE_MS };
	const claim = await account.claimPart({ ...lease, now: services.clock.now() });
	if (claim.kind === 'held' || claim.kind === 'gone') return;
	if (claim.kind === 'done') return completeJob(services, account, accountId, jobId);
	const working = { accountId, jobId, part, claim, giveUp: giveUp || claim.abandoned === true };
	let worked: Worked;
	try {
		worked = await renewingMeanwhile(services, account, lease, storedRows(services, working));
	} catch (error) {
		if (!isOutage(error)) throw error;
		const now = services.clock.now();
		const postponed = await account.postponePart({ jobId, part, token, now, until: now + OUTAGE_PAUSE_MS });
		if (postponed) return;
		worked = await storedRows(services, { ...working, giveUp: true });
	}
	if (worked.kind === 'gone') return failJob(services, account, { accountId, jobId });
	const settled = await account.settlePart({
		jobId,
		part,
		attempt: claim.attempt,
		tally: tallyRows(decodeRows(worked.rows)),
		now: services.clock.now(),
	});
	// Once more with the first part: where the list of jobs was out when this one came in, it shows it from now on.
	if (part === 0 && !settled.ready) await services.listJob(accountId, settled.job);
	if (settled.ready) await completeJob(services, account, accountId, jobId);
}

/** Works on the attempt and stores it. What is stored counts, so that ledger and results can't differ, whoever won a race. */
async function storedRows(services: VerifyPartServices, about: Working): Promise<Worked> {
	const worked = await rowsOfAttempt(services, about);
	if (worked.kind === 'gone') return worked;
	const { jobId, part, claim } = about;
	return {
		kind: 'rows',
		rows: await services.jobBlobs.putAttempt(jobId, part, claim.attempt, worked.rows),
	};
}

/** Keeps the lease while the work goes on. Without it another consumer may do the work as well, which changes nothing. */
async function renewingMeanwhile<T>(
	{ clock }: Pick<VerifyPartServices, 'clock'>,
	account: JobStore,
	lease: Omit<Parameters<JobStore['renewPart']>[0], 'now'>,
	working: Promise<T>,
): Promise<T> {
	const ended = working.then(
		() => true,
		() => true,
	);
	while (!(await Promise.race([ended, clock.sleep(RENEW_EVERY_MS).then(() => false)]))) {
		try {
			await account.renewPart({ ...lease, now: clock.now() });
		} catch (error) {
			log('lease_not_renewed', { jobId: lease.jobId, part: lease.part, ...describeError(error) });
		}
	}
	return working;
}

/** An outage of our own means: about no address. */
function isOutage(error: unknown): boolean {
	return (
		error instanceof ServiceError &&
		(error.code === 'upstream_unavailable' || error.code === 'upstream_nonsense')
	);
}

/** All rows of the part after this attempt: those final before, and what is found out now. */
async function rowsOfAttempt(
	services: VerifyPartServices,
	{ accountId, jobId, part, claim, giveUp }: Working,
): Promise<Worked> {
	const { jobBlobs } = services;
	const stored = await jobBlobs.readAttempt(jobId, part, claim.attempt);
	if (stored !== null) return { kind: 'rows', rows: stored };
	const input = await jobBlobs.readPart(jobId, part);
	if (input === null) return { kind: 'gone' };
	const entries = JSON.parse(input) as readonly Entry[];
	assert(entries.length === claim.count, 'a part has as many addresses as were reserved for it');
	const before = claim.attempt === 1 ? null : await jobBlobs.readAttempt(jobId, part, claim.attempt - 1);
	const known = new Map<number, PartRow>(
		(before === null ? [] : decodeRows(before)).map((row) => [row[0], row]),
	);
	const open = entries.filter(([index]) => {
		const row = known.get(index);
		return row === undefined || isDeferred(row);
	});
	const last = claim.last || giveUp;
	const task = claim.jobKind === 'catchall' ? await readTask(jobBlobs, jobId) : null;
	const found = giveUp
		? new Map<number, PartRow>()
		: await examineEntries(services, open, { accountId, last, task });
	const rows = entries.map(([index, email]) => {
		const row = found.get(index) ?? known.get(index);
		if (row !== undefined && !isDeferred(row)) return row;
		// Nobody asked its server yet.
		const deferred = row ?? toDeferredRow(index, email, 'unexpected_error');
		return last ? abandonedRow(services, deferred, task) : deferred;
	});
	return { kind: 'rows', rows: encodeRows(rows) };
}

async function readTask(jobBlobs: JobBlobs, taskId: string): Promise<Task> {
	const facts = await jobBlobs.readFacts(taskId);
	return { sourceList: facts === null ? null : (JSON.parse(facts) as Task['sourceList']) };
}
