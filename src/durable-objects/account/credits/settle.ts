import { settleCall, viewOfBalance } from '../../../core/credits/balance.ts';
import { countFree, countUsage, UNUSED } from '../../../core/credits/usage.ts';
import { countLater } from '../../../core/rate-limit/window.ts';
import { assert } from '../../../lib/assert.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { AT_WORK_MS } from '../../../operations/verify/port.ts';
import type { Hold, SettleRequest, Settled } from '../../../operations/verify/port.ts';
import type { AccountContext } from '../context.ts';
import { endCall, findRemembered } from '../idempotency.ts';
import { withTransaction } from './books.ts';
import type { AccountState } from './storage.ts';
import { HOLD_MS } from './holds.ts';
import type { CreditStorage } from './storage.ts';

/**
 * Ends a single call in one step: writes its line, counts its request, charges a definite answer and counts a free one.
 * For a call that has ended already, returns what was charged, or 0 once its line was deleted.
 */
export function settleReservation(account: AccountContext, request: SettleRequest): Settled {
	const { sql, credits } = account;
	const { reservation, call, outcome, now } = request;
	const found = call === undefined ? null : findRemembered(sql, call.key, now);
	const kept = found?.ref === reservation.id ? found : null;
	// The work failed so late that its Worker passed for dead: the call that took it over ends what both began.
	if (outcome === 'failed' && call !== undefined && (kept?.busyUntil ?? 0) > call.calledAt + AT_WORK_MS)
		return { charged: 0, balance: viewOfBalance(credits.require()), answer: null };
	// It took too long, so that another call has its key by now.
	const isTakenAnew = found !== null && kept === null;
	const isOver = isTakenAnew || now > reservation.at + HOLD_MS;
	const hold = credits.holds.find(reservation) ?? request.hold;
	const settled = settleLine(account, request, { hold, outcome: isOver ? 'failed' : outcome });
	return { ...settled, answer: endCall(sql, call, kept, settled) };
}

function settleLine(
	account: AccountContext,
	{ reservation, free = 0, now }: SettleRequest,
	{ hold, outcome }: { readonly hold: Hold | undefined; readonly outcome: SettleRequest['outcome'] },
): Omit<Settled, 'answer'> {
	const { credits: storage } = account;
	storage.holds.end(reservation);
	const state = storage.require();
	const line = storage.findLine(reservation.at, reservation.id);
	if (line !== null || reservation.at < state.keptFrom)
		return { charged: line?.charged ?? 0, balance: viewOfBalance(state) };
	assert(hold !== undefined, `the call ${reservation.id} was admitted here`);
	const { keyId, credits } = hold;
	const isRefund = outcome === 'unknown';
	const { balance: paid, charged } = settleCall(state, {
		charged: isRefund || outcome === 'failed' ? 0 : credits,
		refunded: isRefund ? credits : 0,
	});
	const kind = 'verification';
	storage.insertLine({ ...reservation, kind, keyId, credits, charged, outcome, closedAt: now });
	const visited = countVisit(storage, paid, hold, now);
	const counted = { ...visited, today: countFree(visited.today, free) };
	const ended = { credits: charged, outcomes: { ...UNUSED.outcomes, [outcome]: 1 } };
	const next =
		outcome === 'failed'
			? counted
			: withTransaction({ ...counted, today: countUsage(counted.today, keyId, ended) }, now);
	storage.write(next);
	// All older lines may be deleted, and with them the last reason for an alarm.
	if (account.alarmAt() === null) account.wakeBy(now + DAY_MS);
	return { charged, balance: viewOfBalance(next) };
}

/** Counts a request in its window and in the usage of its key. Returns the state with it, for the caller to write. */
export function countVisit(
	storage: CreditStorage,
	state: AccountState,
	{ keyId, countedOn }: Pick<Hold, 'keyId' | 'countedOn'>,
	now: number,
): AccountState {
	const today = storage.runningDay(state, now);
	if (countedOn === null) return { ...state, today };
	const { category } = countedOn;
	const window = countLater(state.windows[category] ?? null, countedOn);
	const windows = window === null ? state.windows : { ...state.windows, [category]: window };
	return { ...state, windows, today: countUsage(today, keyId, { requests: 1, lastUsedAt: now }) };
}
