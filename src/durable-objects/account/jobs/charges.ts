import { refund, settle } from '../../../core/credits/balance.ts';
import { countFree, countUsage } from '../../../core/credits/usage.ts';
import { isJobNoun } from '../../../core/jobs/kinds.ts';
import type { JobNoun } from '../../../core/jobs/kinds.ts';
import { finalRows } from '../../../core/jobs/part.ts';
import type { PartTally } from '../../../core/jobs/stored-row.ts';
import { assert } from '../../../lib/assert.ts';
import type { JobRecord, JobStatus, StoredJob } from '../../../operations/jobs/port.ts';
import { withTransaction } from '../credits/books.ts';
import type { AccountState } from '../credits/storage.ts';
import type { CreditStorage } from '../credits/storage.ts';

/** Moves the credits of rows that became final from reserved to consumed or refunded. */
export function chargeRows(
	credits: CreditStorage,
	{ keyId, price }: StoredJob,
	{ deferred: _deferred, free, retry: _retry, ...added }: PartTally,
	now: number,
): void {
	const rows = finalRows(added);
	if (rows === 0) return;
	const reserved = rows * price;
	const state = credits.require();
	const refunded = added.unknown * price;
	const charged = reserved - refunded;
	const today = countFree(credits.runningDay(state, now), free);
	const counted = countUsage(today, keyId, { credits: charged, outcomes: added });
	credits.write({ ...settle(state, { reserved, charged, refunded }), today: counted });
}

/**
 * Releases what a job that ends still holds, closes its line in the ledger, and gives its charges back with `refunds`.
 * Returns what the job was charged in the end.
 */
export function endCharges(
	storage: CreditStorage,
	job: StoredJob,
	{ jobId, creditsReserved, creditsUsed, processed }: JobRecord,
	{ status, now, refunds }: { readonly status: JobStatus; readonly now: number; readonly refunds: boolean },
): number {
	const refunded = refunds ? creditsUsed : 0;
	const kept = creditsUsed - refunded;
	const line = storage.findLine(job.createdAt, jobId);
	assert((line?.credits ?? 0) === job.accepted * job.price, 'the ledger knows what the job reserved');
	let state = storage.require();
	if (line !== null) storage.closeLine(line, { charged: kept, outcome: status, closedAt: now });
	if (refunded > 0) state = giveBack(storage, state, { keyId: job.keyId, credits: refunded, now });
	const next = settle(state, { reserved: creditsReserved, charged: 0, refunded: 0 });
	// A job that ended before its first result charged nothing, so it is no transaction.
	storage.write(processed === 0 ? next : withTransaction(next, now));
	return kept;
}

/** Gives back what a key was charged. Its usage still counts the answers, since they were given. */
function giveBack(
	storage: CreditStorage,
	state: AccountState,
	{ keyId, credits, now }: { readonly keyId: string; readonly credits: number; readonly now: number },
): AccountState {
	const today = countUsage(storage.runningDay(state, now), keyId, { credits: -credits });
	return { ...refund(state, credits), today };
}

/**
 * Releases what a damaged job holds and gives back what it was charged: what the account's lines and other running jobs
 * leave of its balance. Returns the noun of its line.
 */
export function giveAllBack(
	storage: CreditStorage,
	others: { readonly reserved: number; readonly charged: number },
	{ jobId, createdAt }: Pick<JobRecord, 'jobId' | 'createdAt'>,
	now: number,
): JobNoun {
	const line = storage.findLine(createdAt, jobId);
	assert(line !== null && isJobNoun(line.kind), 'a running job has a line');
	const state = storage.require();
	const { granted, consumed, reserved } = state;
	const within = (credits: number): number => Math.min(Math.max(credits, 0), line.credits);
	const held = within(reserved - others.reserved);
	const charged = within(storage.lineSum(state) - others.charged - (granted - consumed));
	storage.closeLine(line, { charged: 0, outcome: 'failed', closedAt: now });
	const released = settle(refund(state, charged), { reserved: held, charged: 0, refunded: 0 });
	storage.write(withTransaction(released, now));
	return line.kind;
}
