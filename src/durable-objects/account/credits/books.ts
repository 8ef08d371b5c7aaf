import { asksForNothing, freeAnswersLeft } from '../../../core/credits/free-answers.ts';
import { dayOf } from '../../../core/credits/usage.ts';
import type { Payer } from '../../../core/turns/who.ts';
import type { UsageToday } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import type { AccountState } from './row.ts';
import type { CreditStorage } from './storage.ts';

/** The state of an account that was opened. */
export function requireState(storage: CreditStorage): AccountState {
	const state = storage.read();
	assert(state !== null, 'the account was opened');
	return state;
}

/** Whether the account refuses all requests. */
export function isAccountShut(sql: Sql): boolean {
	const account = sql.first<Pick<AccountState, 'suspendedAt' | 'closedAt'>>(
		'SELECT suspendedAt, closedAt FROM account',
	);
	return account !== null && (account.suspendedAt !== null || account.closedAt !== null);
}

/** The usage of the current day; a finished day is archived first. */
export function runningDay(
	storage: CreditStorage,
	{ today }: Pick<AccountState, 'today'>,
	now: number,
): UsageToday {
	const running = usageAt(today, now);
	if (running !== today) storage.archiveDay(today);
	return running;
}

/** The usage of the day of `now`: empty on a new one. */
export function usageAt(today: UsageToday, now: number): UsageToday {
	const day = dayOf(now);
	return day <= today.day ? today : { day, keys: {} };
}

/** The state with one more transaction: a charge, a refund or a grant. */
export function withTransaction(state: AccountState, now: number): AccountState {
	const lastTransactionAt = Math.max(state.lastTransactionAt ?? 0, now);
	return { ...state, transactions: state.transactions + 1, lastTransactionAt };
}

/** How many more questions may end without a charge today. */
export function freeAnswersLeftOf({ credits }: Pick<AccountContext, 'credits'>, now: number): number {
	const state = credits.read();
	return state === null ? 0 : freeAnswersLeft(state.granted, answersToday(state, now));
}

/**
 * Until when the account pays for the answer to a call. Left out: for as long as it takes. While most of today's answers
 * were free it has a time, which is longer than any answer takes: a prober doubts whether such a question ends with a charge.
 */
export function patienceOf(
	{ credits }: Pick<AccountContext, 'credits'>,
	now: number,
): Pick<Payer, 'paysUntil'> {
	return asksForNothing(answersToday(requireState(credits), now)) ? { paysUntil: now + DAY_MS } : {};
}

function answersToday({ today }: Pick<AccountState, 'today'>, now: number) {
	const { keys, free = 0 } = usageAt(today, now);
	return { free, charged: Object.values(keys).reduce((sum, usage) => sum + usage.credits, 0) };
}
