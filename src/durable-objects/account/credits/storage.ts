import { assertBalance } from '../../../core/credits/balance.ts';
import type { Balance } from '../../../core/credits/balance.ts';
import type { LedgerLine, LedgerPlace } from '../../../core/credits/ledger.ts';
import { addUsage, dayOf } from '../../../core/credits/usage.ts';
import type { KeyUsage, UsageToday } from '../../../core/credits/usage.ts';
import type { Category, Limits, Window } from '../../../core/rate-limit/window.ts';
import { assert } from '../../../lib/assert.ts';
import type { SigningSecret, CreditsLowView } from '../../../operations/webhooks/port.ts';
import type { Sql } from '../../sql.ts';
import { Holds } from './holds.ts';

/** The account's one wide row. Of its balance the holds of single calls are in memory alone, and never stored. */
export interface AccountState extends Balance {
	readonly transactions: number;
	readonly lastTransactionAt: number | null;
	/** A digest of the domain that its first address is at; null: not known. */
	readonly owner: string | null;
	/** When it was suspended (for a while) or closed (for good); epoch ms. */
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
	readonly limits: Partial<Limits>;
	readonly windows: Partial<Record<Category, Window>>;
	readonly today: UsageToday;
	/** Lines made before this time were deleted, or are about to be: the beginning of a day (UTC), epoch ms. */
	readonly keptFrom: number;
	/** By how much the deleted lines had changed the balance. */
	readonly deletedChange: number;
	readonly creditsLow: CreditsLowView;
	/** Null: no job had a callback so far. */
	readonly callback: SigningSecret | null;
	/** How many outcomes the account has told on a day; null: none. */
	readonly told: { readonly day: string; readonly outcomes: number } | null;
}

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

	/** The state of an account that was opened. */
	require(): AccountState {
		const state = this.read();
		assert(state !== null, 'the account was opened');
		return state;
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

	/** The usage of the current day; a finished day is archived first. */
	runningDay({ today }: Pick<AccountState, 'today'>, now: number): UsageToday {
		const running = usageAt(today, now);
		if (running !== today) this.archiveDay(today);
		return running;
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

/** The usage of the day of `now`: empty on a new one. */
export function usageAt(today: UsageToday, now: number): UsageToday {
	const day = dayOf(now);
	return day <= today.day ? today : { day, keys: {} };
}
