import { settle } from '../../../core/credits/balance.ts';
import { countOutcome, countOutcomes } from '../../../core/credits/usage.ts';
import type { UsageToday } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import type { ReservationRef, SettleRequest, Settled } from '../../../operations/verify/port.ts';
import type { AccountContext } from '../context.ts';
import { endVerification } from '../verifications/calls.ts';
import { countFreeAnswers } from './free-answers.ts';
import { rememberAnswer } from './keyed-calls.ts';
import { beginLate, payLate } from './late-answers.ts';
import { requireState, runningDay, viewOfBalance, withTransaction } from './books.ts';
import type { AccountState, LedgerLine } from './row.ts';
import { RESERVATION_LIFETIME_MS } from './row.ts';
import type { CreditStorage } from './storage.ts';

/**
 * Ends a reservation in one step: charges a definite answer, refunds an `unknown`, releases a failure, and counts a free
 * answer. For a reservation that has ended already, returns what was charged, or 0 once its line was deleted.
 */
export function settleReservation(account: AccountContext, request: SettleRequest): Settled {
	const { reservation, remember, keep, goesOn, late, isFree = false, now } = request;
	const line = account.credits.findLine(reservation.at, reservation.id);
	const isPaid = late !== undefined && !payLate(account.sql, late, reservation);
	const settled = settleLine(account, isPaid ? { ...request, outcome: 'failed' } : request);
	if (goesOn !== undefined) beginLate(account, goesOn, reservation, now);
	if (line?.closedAt === null && isFree) countFreeAnswers(account.sql, line.credits, now);
	if (keep !== undefined)
		endVerification(account.sql, reservation, keep === null ? null : { ...keep, charged: settled.charged });
	if (remember === undefined) return settled;
	return { ...settled, answer: rememberAnswer(account.sql, reservation, remember, settled) };
}

function settleLine(
	{ credits: storage }: AccountContext,
	{ reservation, outcome, now }: SettleRequest,
): Settled {
	const state = requireState(storage);
	const line = storage.findLine(reservation.at, reservation.id);
	if (line === null && reservation.at < state.ledger.keptFrom)
		return { charged: 0, balance: viewOfBalance(state) };
	assert(line !== null, `reservation ${reservation.id} was made here`);
	if (line.closedAt !== null) return { charged: line.charged ?? 0, balance: viewOfBalance(state) };
	const { next, charged } = withoutReservation(storage, state, line, { outcome, now });
	storage.write(next);
	return { charged, balance: viewOfBalance(next) };
}

/** Releases the reservations of Workers that died. Returns when the oldest that is still open was made. */
export function releaseStale(storage: CreditStorage, now: number): number | null {
	let state = storage.exists ? storage.read() : null;
	if (state === null) return null;
	const staleBefore = now - RESERVATION_LIFETIME_MS;
	const open = storage.openReservations(state.settledBefore);
	const stale = open.filter((line) => line.at <= staleBefore);
	for (const line of stale) state = withoutReservation(storage, state, line, { outcome: 'failed', now }).next;
	// Not up to the oldest open one: an even older request from another place may still be on its way.
	const settledBefore = Math.max(state.settledBefore, staleBefore);
	if (stale.length > 0 || settledBefore !== state.settledBefore) storage.write({ ...state, settledBefore });
	const oldest = Math.min(...open.map(({ at }) => at).filter((at) => at > staleBefore));
	return oldest === Infinity ? null : oldest;
}

/** Releases a reservation whose Worker died, before its time is over. False: it has ended, and is left alone. */
export function releaseReservation(storage: CreditStorage, { id, at }: ReservationRef, now: number): boolean {
	const line = storage.findLine(at, id);
	if (line === null || line.closedAt !== null) return false;
	storage.write(withoutReservation(storage, requireState(storage), line, { outcome: 'failed', now }).next);
	return true;
}

/** Releases all reservations of verifications: their Workers are not paid any more. */
export function releaseAll(storage: CreditStorage, now: number): void {
	const { settledBefore } = requireState(storage);
	for (const line of storage.openReservations(settledBefore)) releaseReservation(storage, line, now);
}

/** Closes the line of a reservation and returns the new state, which the caller writes. */
function withoutReservation(
	storage: CreditStorage,
	state: AccountState,
	line: LedgerLine,
	{ outcome, now }: Pick<SettleRequest, 'outcome' | 'now'>,
): { next: AccountState; charged: number } {
	const isRefund = outcome === 'unknown';
	const charged = isRefund || outcome === 'failed' ? 0 : line.credits;
	const end = { charged, outcome, closedAt: now, reserved: line.credits, chargedBefore: 0 };
	const { ledger } = storage.closeLine(state, line, end);
	const refunded = isRefund ? line.credits : 0;
	const balance = settle(state.balance, { reserved: line.credits, charged, refunded });
	const ended = { ...state, balance, ledger };
	if (outcome === 'failed') return { next: ended, charged };
	const today = runningDay(storage, state.today, now);
	const counted = line.keyId === null ? today : countEnd(today, line.keyId, outcome, charged);
	return { next: withTransaction({ ...ended, today: counted }, now), charged };
}

function countEnd(
	today: UsageToday,
	keyId: string,
	outcome: Exclude<SettleRequest['outcome'], 'failed'>,
	charged: number,
): UsageToday {
	return outcome === 'described'
		? countOutcomes(today, keyId, NO_OUTCOMES, charged)
		: countOutcome(today, keyId, outcome, charged);
}

const NO_OUTCOMES = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 } as const;
