import { settle } from '../../../core/credits/balance.ts';
import { countOutcome } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import type { ReservationRef, SettleRequest, Settled } from '../../../operations/verify/port.ts';
import { requireState, runningDay, viewOfBalance, withTransaction } from './books.ts';
import type { AccountState, LedgerLine } from './row.ts';
import type { AccountStorage } from '../storage.ts';

// Reservations of single verifications. They wait in the account's row, which is written anyway, and come into the ledger
// when they end, so that a verification has one line written once.

// The longest call is cut off after 30 seconds: what is still open after five minutes died with its Worker.
export const RESERVATION_LIFETIME_MS = 5 * 60_000;

/**
 * How many wait in the row. The row is read and written whole by each call and has at most 2 MB, so Workers that die en
 * masse must not let it grow: 64 are some 6 KB, and more at once are rare. Any further one has an open line in the
 * ledger at once, which is closed by a second write.
 */
const WAITING_MAX = 64;

/** The state with one more reservation, whose credits are set aside already; `spilled` is its line if it can't wait. */
export function withReservation(
	state: AccountState,
	line: LedgerLine,
): { next: AccountState; spilled: LedgerLine | null } {
	assert(findWaiting(state, line) === null, 'a reservation is made once');
	if (state.open.length >= WAITING_MAX) return { next: state, spilled: line };
	return { next: { ...state, open: [...state.open, line] }, spilled: null };
}

/** The reservation that waits in the row, or null. */
export function findWaiting({ open }: AccountState, { at, id }: ReservationRef): LedgerLine | null {
	return open.find((line) => line.id === id && line.at === at) ?? null;
}

/** Ends a reservation, wherever it is; of one that has ended, tells what was charged. */
export function settleReservation(
	storage: AccountStorage,
	{ reservation, outcome, now }: SettleRequest,
): Settled {
	const state = requireState(storage);
	const line = findWaiting(state, reservation) ?? storage.findLine(reservation.at, reservation.id);
	assert(line !== null, `reservation ${reservation.id} was made here`);
	if (line.closedAt !== null) return { charged: line.charged ?? 0, balance: viewOfBalance(state) };
	const { next, charged } = withoutReservation(storage, state, line, { outcome, now });
	storage.write(next);
	return { charged, balance: viewOfBalance(next) };
}

/** Frees what died with its Worker. Gives when the oldest was made that is still open. */
export function releaseStale(storage: AccountStorage, now: number): number | null {
	let state = storage.exists ? storage.read() : null;
	if (state === null) return null;
	const staleBefore = now - RESERVATION_LIFETIME_MS;
	const open = [...state.open, ...storage.openReservations(state.settledBefore)];
	const stale = open.filter((line) => line.at <= staleBefore);
	for (const line of stale) state = withoutReservation(storage, state, line, { outcome: 'failed', now }).next;
	// Not up to the oldest open one: a request from another place may be older than that and still on its way.
	const settledBefore = Math.max(state.settledBefore, staleBefore);
	if (stale.length > 0 || settledBefore !== state.settledBefore) storage.write({ ...state, settledBefore });
	const oldest = Math.min(...open.map(({ at }) => at).filter((at) => at > staleBefore));
	return oldest === Infinity ? null : oldest;
}

/** Closes the line of a reservation and gives the state that follows, which the caller writes. */
function withoutReservation(
	storage: AccountStorage,
	state: AccountState,
	line: LedgerLine,
	{ outcome, now }: Pick<SettleRequest, 'outcome' | 'now'>,
): { next: AccountState; charged: number } {
	const isRefund = outcome === 'unknown';
	const charged = isRefund || outcome === 'failed' ? 0 : line.credits;
	const end = { charged, outcome, closedAt: now };
	const open = state.open.filter((waiting) => waiting !== line);
	if (open.length < state.open.length) storage.insertLine({ ...line, ...end, kind: 'verification' });
	else storage.closeLine(line, end);
	const refunded = isRefund ? line.credits : 0;
	const balance = settle(state.balance, { reserved: line.credits, charged, refunded });
	const ended = { ...state, balance, open };
	if (outcome === 'failed') return { next: ended, charged };
	const today = runningDay(storage, state.today, now);
	const counted = line.keyId === null ? today : countOutcome(today, line.keyId, outcome, charged);
	return { next: withTransaction({ ...ended, today: counted }, now), charged };
}
