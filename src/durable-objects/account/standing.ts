import { available, withdraw } from '../../core/credits/balance.ts';
import { requireState, withTransaction } from './credits/books.ts';
import type { AccountJobs } from './jobs/jobs.ts';
import type { AccountStorage } from './credits/storage.ts';
import { numberOrNull } from '../sql.ts';
import type { Sql } from '../sql.ts';

// With a space, which no operator's id has.
const CLOSING_ID = 'account closed';

/** Whether the account's doors are open: suspended for a while, or closed for good. Epoch milliseconds. */
export interface Standing {
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
}

interface Books {
	readonly sql: Sql;
	readonly storage: AccountStorage;
}

/** Reads what stands; an account that was never opened has nothing to shut. */
export function readStanding(sql: Sql): Standing {
	const [row] = sql.rows('SELECT suspended_at, closed_at FROM standing WHERE id = 1');
	return { suspendedAt: numberOrNull(row?.['suspended_at']), closedAt: numberOrNull(row?.['closed_at']) };
}

/** Whether nobody comes in. */
export function isShut(sql: Sql): boolean {
	const { suspendedAt, closedAt } = readStanding(sql);
	return suspendedAt !== null || closedAt !== null;
}

/** Suspends the account since `at`, or with null lets it go on. The first time stays. */
export function suspend(sql: Sql, at: number | null): void {
	const { suspendedAt, closedAt } = readStanding(sql);
	write(sql, { suspendedAt: at === null ? null : (suspendedAt ?? at), closedAt });
}

/**
 * Ends the account for good. Labels of keys are the owner's words, so they go; the ledger's figures stay. What is left
 * of the credits is withdrawn, so that nothing can be begun any more.
 */
export function close({ sql, storage, jobs }: Books & { readonly jobs: AccountJobs }, now: number): void {
	const { suspendedAt, closedAt } = readStanding(sql);
	if (closedAt !== null) return;
	write(sql, { suspendedAt, closedAt: now });
	for (const key of storage.listKeys())
		storage.writeKey({ ...key, label: '', revokedAt: key.revokedAt ?? now });
	jobs.abandonAll(now);
	const state = requireState(storage);
	const left = available(state.balance);
	const balance = left === 0 ? null : withdraw(state.balance, left);
	if (balance === null) return;
	storage.write(withTransaction({ ...state, balance }, now));
	storage.insertGrant(CLOSING_ID, -left);
	storage.insertLine({
		at: now,
		id: CLOSING_ID,
		kind: 'adjustment',
		keyId: null,
		credits: -left,
		closedAt: now,
	});
}

function write(sql: Sql, { suspendedAt, closedAt }: Standing): void {
	sql.rows(
		'INSERT OR REPLACE INTO standing (id, suspended_at, closed_at) VALUES (1, ?, ?)',
		suspendedAt,
		closedAt,
	);
}
