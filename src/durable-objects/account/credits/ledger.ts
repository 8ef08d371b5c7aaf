import { dayOf } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import type { LedgerMonth, LedgerPage, LedgerPlace } from '../../../operations/accounts/port.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { requireState, viewOfBalance } from './books.ts';
import { entriesOf } from './entries.ts';
import type { AccountState } from './row.ts';
import { CHANGE } from './storage.ts';
import type { CreditStorage } from './storage.ts';
import { DAY_MS } from '../../../lib/time.ts';

const PAGE_MAX = 5_000;
const AFTER_ALL: LedgerPlace = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** A page of the ledger, newest first. */
export function listLedger(
	account: AccountContext,
	{ before, pageSize }: { before: LedgerPlace | null; pageSize: number },
): LedgerPage {
	assert(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= PAGE_MAX, 'a page has a number of lines');
	const { credits } = account;
	const state = requireState(credits);
	const rows = credits.linesBefore(before ?? AFTER_ALL, pageSize + 1);
	const page = rows.slice(0, pageSize);
	const last = page.at(-1);
	return {
		entries: entriesOf(account, page),
		older: rows.length > pageSize && last !== undefined ? { at: last.at, id: last.id } : null,
		balance: viewOfBalance(state),
		months: monthsOf(credits, state),
	};
}

/** The months with lines that are kept, the newest first: the balance at the end of each, and what it changed. */
function monthsOf(credits: CreditStorage, { today, balance, keptFrom }: AccountState): LedgerMonth[] {
	const running = { day: today.day, balance: balance.granted - balance.consumed };
	const days = [...credits.dayEnds(), running];
	const kept = days.filter(({ day }) => Date.parse(day) >= keptFrom);
	let before = days[days.length - kept.length - 1]?.balance ?? 0;
	const months: LedgerMonth[] = [];
	for (const [month, some] of Map.groupBy(kept, ({ day }) => day.slice(0, 7))) {
		const end = some.at(-1)?.balance ?? before;
		months.push({ month, change: end - before, balance: end });
		before = end;
	}
	return months.toReversed();
}

/** Lines deleted in one transaction: other callers wait for it some milliseconds. */
const DELETED_AT_ONCE = 5_000;
/** A running job keeps its day and all later ones; the alarm looks again after this pause. */
const BLOCKED_MS = 3_600_000;

/**
 * Deletes some of the lines that are older than the retention, by whole days, with the balances of their days but the last.
 * Returns when the alarm has to look again, or null while the ledger has no lines.
 */
export function deleteOldLines({ sql, credits, jobs }: AccountContext, now: number): number | null {
	const { retentionMs } = credits;
	const state = credits.exists ? credits.read() : null;
	if (state === null) return null;
	credits.forgetUsage(now);
	const oldEnough = Math.min(now - retentionMs, jobs.runsSince ?? Infinity);
	const keptFrom = Math.max(state.keptFrom, beginOfDayAt(oldEnough));
	if ((oldestLineAt(sql) ?? keptFrom) < keptFrom) {
		const { change, isAll } = deleteClosed(sql, keptFrom);
		credits.write({ ...state, keptFrom, deletedChange: state.deletedChange + change });
		forgetDays(sql, dayOf(keptFrom));
		if (!isAll) return now;
	}
	const oldest = oldestLineAt(sql);
	if (oldest === null) return null;
	const dueAt = beginOfDayAt(oldest) + DAY_MS + retentionMs;
	return dueAt > now ? dueAt : now + BLOCKED_MS;
}

/** Deletes closed lines made before a time, the oldest first. Returns by how much they had changed the balance. */
function deleteClosed(sql: Sql, before: number): { readonly change: number; readonly isAll: boolean } {
	const last = sql.first<LedgerPlace>(
		'SELECT at, id FROM ledger WHERE at < ? AND closedAt IS NOT NULL ORDER BY at, id LIMIT 1 OFFSET ?',
		before,
		DELETED_AT_ONCE - 1,
	);
	const { at, id } = last ?? { at: before, id: '' };
	const lines = 'FROM ledger WHERE (at, id) <= (?, ?) AND closedAt IS NOT NULL';
	const sum = sql.first<{ change: number }>(`SELECT TOTAL(${CHANGE}) AS change ${lines}`, at, id);
	sql.rows(`DELETE ${lines}`, at, id);
	return { change: sum?.change ?? 0, isAll: last === null };
}

/** Deletes the balances of days before one, but for the last of them, with which the first month begins. */
function forgetDays(sql: Sql, day: string): void {
	sql.rows('DELETE FROM days WHERE day < (SELECT MAX(day) FROM days WHERE day < ?)', day);
}

/** When the day of a time begins (UTC), epoch ms. */
function beginOfDayAt(at: number): number {
	return at - (at % DAY_MS);
}

function oldestLineAt(sql: Sql): number | null {
	return sql.first<LedgerPlace>('SELECT at FROM ledger ORDER BY at, id LIMIT 1')?.at ?? null;
}
