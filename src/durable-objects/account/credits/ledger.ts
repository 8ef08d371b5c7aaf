import { viewOfBalance } from '../../../core/credits/balance.ts';
import type { LedgerEntry, LedgerLine, LedgerPlace } from '../../../core/credits/ledger.ts';
import { isJobNoun } from '../../../core/jobs/kinds.ts';
import { assert } from '../../../lib/assert.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { findReadable, runsSince } from '../jobs/record.ts';
import { listKeys } from '../keys.ts';
import { CHANGE } from './storage.ts';

const PAGE_MAX = 5_000;
const AFTER_ALL: LedgerPlace = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** A page of the ledger, newest first. `older`: the page of older lines begins before this place; null: there are none. */
export function listLedger(
	account: AccountContext,
	{ before, pageSize }: { before: LedgerPlace | null; pageSize: number },
) {
	const { sql, credits } = account;
	assert(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= PAGE_MAX, 'a page has a number of lines');
	const balance = viewOfBalance(credits.require());
	const rows = credits.linesBefore(before ?? AFTER_ALL, pageSize + 1);
	const page = rows.slice(0, pageSize);
	const last = page.at(-1);
	const labels = new Map(listKeys(sql).map(({ id, label }) => [id, label]));
	const entries = page.map((line) => entryOf(account, labels, line));
	const older = rows.length > pageSize && last !== undefined ? { at: last.at, id: last.id } : null;
	return { entries, older, balance };
}

function entryOf(
	account: AccountContext,
	labels: ReadonlyMap<string, string>,
	stored: LedgerLine,
): LedgerEntry {
	const { credits, keyId } = stored;
	// While a job runs, its charges are in its parts and not yet in its line.
	const job = isJobNoun(stored.kind) ? findReadable(account, stored.id) : null;
	const keyLabel = keyId === null ? null : (labels.get(keyId) ?? null);
	const line = { ...stored, keyLabel, name: job?.name ?? null };
	const nothing = { charged: 0, refunded: 0, released: 0, reserved: 0 };
	if (line.kind === 'grant' || line.kind === 'adjustment') return { ...line, ...nothing, change: credits };
	// A running job that is damaged.
	if (job === null && line.closedAt === null) return { ...line, ...nothing, reserved: credits, change: 0 };
	const charged = job?.creditsUsed ?? line.charged ?? 0;
	const refunded = job?.creditsRefunded ?? (line.outcome === 'unknown' ? credits - charged : 0);
	const reserved = job?.creditsReserved ?? 0;
	const released = credits - charged - refunded - reserved;
	return { ...line, charged, refunded, reserved, released, change: 0 - charged };
}

/** Lines deleted in one transaction: other callers wait for it some milliseconds. */
const DELETED_AT_ONCE = 5_000;
/** A running job keeps its day and all later ones; the alarm looks again after this pause. */
const BLOCKED_MS = HOUR_MS;

/**
 * Deletes some of the lines that are older than the retention, by whole days: an alarm for each line would cost too much.
 * Returns when the alarm has to look again, or null while the ledger has no lines.
 */
export function deleteOldLines({ sql, credits }: AccountContext, now: number): number | null {
	const { retentionMs } = credits;
	const state = credits.read();
	if (state === null) return null;
	credits.forgetUsage(now);
	const oldEnough = Math.min(now - retentionMs, runsSince(sql) ?? Infinity);
	const keptFrom = Math.max(state.keptFrom, beginOfDayAt(oldEnough));
	if ((oldestLineAt(sql) ?? keptFrom) < keptFrom) {
		const { change, isAll } = deleteClosed(sql, keptFrom);
		credits.write({ ...state, keptFrom, deletedChange: state.deletedChange + change });
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

/** When the day of a time begins (UTC), epoch ms. */
function beginOfDayAt(at: number): number {
	return at - (at % DAY_MS);
}

function oldestLineAt(sql: Sql): number | null {
	return sql.first<LedgerPlace>('SELECT at FROM ledger ORDER BY at, id LIMIT 1')?.at ?? null;
}
