import { assertBalance } from '../../../core/credits/balance.ts';
import type { LedgerLine, LedgerPlace } from '../../../core/credits/ledger.ts';
import { addUsage, dayOf } from '../../../core/credits/usage.ts';
import type { KeyUsage, UsageToday } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import type { Sql } from '../../sql.ts';
import { Holds } from './holds.ts';
import type { AccountState } from './row.ts';

/** The usage of one key on one day (UTC), `2026-11-21`. */
interface DayOfKey {
	readonly day: string;
	readonly keyId: string;
	readonly usage: KeyUsage;
}

type Ended = 'charged' | 'outcome' | 'closedAt';

/** By how much a line changed the balance, in SQL. An open line has charged nothing yet. */
export const CHANGE = "IIF(kind IN ('grant', 'adjustment'), credits, -COALESCE(charged, 0))";

/**
 * SQL of the account's credits: its row, the lines of the ledger, grants, and the usage of finished days. Asserts the
 * invariants before and after each write. Makes no decisions. Beside it, in memory, are the holds of single calls.
 */
export class CreditStorage {
	readonly #sql: Sql;
	readonly #retentionMs: () => number;
	readonly holds: Holds;

	/**
	 * @param now the object's own clock
	 * @param retentionMs how long the ledger and the usage are kept
	 */
	constructor(sql: Sql, now: () => number, retentionMs: () => number) {
		this.#sql = sql;
		this.#retentionMs = retentionMs;
		this.holds = new Holds(now);
	}

	/** How long the ledger and the usage are kept. */
	get retentionMs(): number {
		return this.#retentionMs();
	}

	/** Null: the account was never opened. */
	read(): AccountState | null {
		const row = this.#sql.first<Omit<AccountState, 'held'>>('SELECT * FROM account');
		return row === null ? null : assertBalance({ ...row, held: this.holds.credits });
	}

	write(state: AccountState): void {
		const { held: _, ...row } = assertBalance(state);
		this.#sql.put('account', { id: 1, ...row });
	}

	findLine(at: number, id: string): LedgerLine | null {
		return this.#sql.first<LedgerLine>('SELECT * FROM ledger WHERE at = ? AND id = ?', at, id);
	}

	/** Columns that are left out are null, as those of an open line. */
	insertLine(line: Omit<LedgerLine, Ended> & Partial<LedgerLine>): void {
		const account = this.#sql.first<Pick<AccountState, 'keptFrom'>>('SELECT keptFrom FROM account');
		assert(line.at >= (account?.keptFrom ?? 0), 'no line is added among deleted lines');
		this.#sql.insert('ledger', line);
	}

	closeLine({ at, id, closedAt }: LedgerLine, end: Pick<LedgerLine, Ended>): void {
		assert(closedAt === null, 'a ledger line is closed once');
		this.#sql.update('ledger', { at, id }, end);
	}

	/** By how much all lines ever made have changed the balance. Running jobs' charges are in their parts. Reads all lines. */
	lineSum({ deletedChange }: Pick<AccountState, 'deletedChange'>): number {
		const found = this.#sql.first<{ sum: number }>(`SELECT TOTAL(${CHANGE}) AS sum FROM ledger`);
		return deletedChange + (found?.sum ?? 0);
	}

	/** The newest lines before a place, newest first. */
	linesBefore({ at, id }: LedgerPlace, most: number): readonly LedgerLine[] {
		const query = 'SELECT * FROM ledger WHERE (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?';
		return this.#sql.all<LedgerLine>(query, at, id, most);
	}

	/** Archives the usage of a finished day, one row for each key, and adds it to the sums. */
	archiveDay({ day, keys }: UsageToday): void {
		const sums = new Map(this.usageSoFar().map(({ keyId, usage }) => [keyId, usage]));
		for (const [keyId, usage] of Object.entries(keys)) {
			const sum = sums.get(keyId);
			this.#sql.put('usage', { day, keyId, usage });
			this.#sql.put('usage', { day: '', keyId, usage: sum === undefined ? usage : addUsage(sum, usage) });
		}
		this.forgetUsage(Date.parse(day));
	}

	/** Deletes the usage of days that are no longer kept at a time; its sums stay. */
	forgetUsage(now: number): void {
		this.#sql.rows("DELETE FROM usage WHERE day > '' AND day < ?", dayOf(now - this.retentionMs));
	}

	/** Usage of all finished days together, by key. */
	usageSoFar(): DayOfKey[] {
		return this.#sql.all("SELECT * FROM usage WHERE day = ''");
	}

	/** Usage of each finished day from one on, by key. */
	usageSince(day: string): DayOfKey[] {
		// One bound alone, so that the index is read from there: '0' is behind the sums.
		return this.#sql.all('SELECT * FROM usage WHERE day >= ? ORDER BY day, keyId', day === '' ? '0' : day);
	}
}
