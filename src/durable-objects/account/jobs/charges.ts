import { refund, settle } from '../../../core/credits/balance.ts';
import { countFree, countOutcomes } from '../../../core/credits/usage.ts';
import { NO_COUNTS, finalRows } from '../../../core/jobs/part.ts';
import type { RowCounts } from '../../../core/jobs/stored-row.ts';
import { assert } from '../../../lib/assert.ts';
import type { JobRecord, JobStatus } from '../../../operations/jobs/port.ts';
import { requireState, runningDay, withTransaction } from '../credits/books.ts';
import type { AccountState } from '../credits/row.ts';
import { withLedger } from '../credits/storage.ts';
import type { CreditStorage } from '../credits/storage.ts';
import type { StoredJob } from './rows.ts';

/**
 * Moves the credits of rows that became final from reserved to consumed or refunded.
 *
 * @param free those of the rows that were unknown and cost a question
 */
export function chargeRows(
	credits: CreditStorage,
	{ keyId, price }: StoredJob,
	added: RowCounts,
	{ free, now }: { readonly free: number; readonly now: number },
): void {
	const rows = finalRows(added);
	if (rows === 0) return;
	const reserved = rows * price;
	const state = requireState(credits);
	const refunded = added.unknown * price;
	const charged = reserved - refunded;
	const balance = settle(state.balance, { reserved, charged, refunded });
	const today = countFree(runningDay(credits, state.today, now), free);
	const counted = countOutcomes(today, keyId, added, charged);
	credits.write(withLedger({ ...state, balance, today: counted }, { reserved: 0 - reserved, charged }));
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
	let state = requireState(storage);
	if (line !== null) {
		const charges = { charged: kept, chargedBefore: creditsUsed };
		const lineEnd = { ...charges, reserved: creditsReserved, outcome: status, closedAt: now };
		state = storage.closeLine(state, line, lineEnd);
	}
	if (refunded > 0) state = giveBack(storage, state, { keyId: job.keyId, credits: refunded, now });
	const balance = settle(state.balance, { reserved: creditsReserved, charged: 0, refunded: 0 });
	const next = { ...state, balance };
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
	const today = countOutcomes(runningDay(storage, state.today, now), keyId, NO_COUNTS, -credits);
	return { ...state, balance: refund(state.balance, credits), today };
}
