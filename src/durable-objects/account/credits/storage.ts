import { addUsage } from '../../../core/credits/usage.ts';
import type { KeyUsage, UsageToday } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import { assertBalance } from '../../../core/credits/balance.ts';
import type { LedgerKind, LedgerPlace } from '../../../operations/accounts/port.ts';
import { Holds } from './holds.ts';
import { WRITE_ROW, stateOf, valuesOf } from './row.ts';
import type { AccountState, LedgerLine } from './row.ts';
import { jsonOf, numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';

/** The kind of nearly all lines, of which there is no index. */
export const UNINDEXED = 'verification' as const satisfies LedgerKind;

/** The columns of a new line. */
export interface NewLine extends LedgerPlace {
	readonly kind: LedgerKind;
	readonly keyId: string | null;
	readonly credits: number;
}

/** By how much a line changed the balance, in SQL. An open line has charged nothing yet. */
export const CHANGE = "IIF(kind IN ('grant', 'adjustment'), credits, -COALESCE(charged, 0))";

/**
 * SQL of the account's credits: its row, the lines of the ledger, grants, and the usage of finished days. Asserts the
 * invariants before and after each write. Makes no decisions. Beside it, in memory, are the holds of single calls.
 */
export class CreditStorage {
	readonly #sql: Sql;
	readonly holds: Holds;
	#exists = false;

	/** @param now the object's own clock */
	constructor(sql: Sql, now: () => number) {
		this.#sql = sql;
		this.holds = new Holds(now);
	}

	/** False for an account that was never opened. Nothing is written for it, so guessed ids create no objects. */
	get exists(): boolean {
		// Tables are never dropped, so `true` is cached. `open`, which creates them and may be rolled back, does not ask;
		// and when a commit fails, the platform discards the whole object.
		this.#exists ||= this.#sql.rows("SELECT 1 FROM sqlite_master WHERE name = 'account'").length === 1;
		return this.#exists;
	}

	read(): AccountState | null {
		const [row] = this.#sql.rows('SELECT * FROM account WHERE id = 1');
		if (row === undefined) return null;
		const state = stateOf(row);
		return { ...state, balance: assertBalance({ ...state.balance, held: this.holds.credits }) };
	}

	write(state: AccountState): void {
		this.#sql.rows(WRITE_ROW, ...valuesOf(state));
	}

	findLine(at: number, id: string): LedgerLine | null {
		const [row] = this.#sql.rows('SELECT * FROM ledger WHERE at = ? AND id = ?', at, id);
		return row === undefined ? null : lineOf(row);
	}

	/** Inserts the line of a grant, which is closed at once, or of a job. */
	insertLine(line: NewLine): void {
		const isGiven = line.kind === 'grant' || line.kind === 'adjustment';
		this.#insert({ ...line, charged: null, outcome: null, closedAt: isGiven ? line.at : null });
	}

	/** Inserts the line of a single call, which is closed. */
	insertCall(call: Omit<LedgerLine, 'kind'>): void {
		this.#insert({ ...call, kind: UNINDEXED });
	}

	#insert({ at, id, kind, keyId, credits, charged, outcome, closedAt }: NewLine & LedgerLine): void {
		const [account] = this.#sql.rows("SELECT ledger ->> '$.keptFrom' AS at FROM account");
		assert(at >= (numberOrNull(account?.['at']) ?? 0), 'no line is added among deleted lines');
		this.#sql.rows(
			'INSERT INTO ledger (at, id, kind, key_id, credits, charged, outcome, closed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
			at,
			id,
			kind,
			keyId,
			credits,
			charged,
			outcome,
			closedAt,
		);
	}

	closeLine(
		line: LedgerLine,
		end: { readonly charged: number; readonly outcome: string; readonly closedAt: number },
	): void {
		assert(line.closedAt === null, 'a ledger line is closed once');
		this.#sql.rows(
			'UPDATE ledger SET charged = ?, outcome = ?, closed_at = ? WHERE at = ? AND id = ? AND closed_at IS NULL',
			end.charged,
			end.outcome,
			end.closedAt,
			line.at,
			line.id,
		);
	}

	/** By how much all lines ever made have changed the balance. Running jobs' charges are in their parts. Reads all lines. */
	lineSum({ ledger }: Pick<AccountState, 'ledger'>): number {
		const [row = {}] = this.#sql.rows(`SELECT TOTAL(${CHANGE}) AS sum FROM ledger`);
		return ledger.deleted + numberOf(row, 'sum');
	}

	/** The newest lines before a place, newest first, none older than `from`. */
	linesBefore({ at, id }: LedgerPlace, from: number, most: number): readonly Row[] {
		return this.#sql.rows(
			'SELECT * FROM ledger WHERE at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?',
			from,
			at,
			id,
			most,
		);
	}

	/** The newest lines of one kind before a place. */
	linesOfKindBefore(
		kind: Exclude<LedgerKind, typeof UNINDEXED>,
		{ at, id }: LedgerPlace,
		from: number,
		most: number,
	): readonly Row[] {
		return this.#sql.rows(
			`SELECT * FROM ledger INDEXED BY other_lines WHERE kind = ? AND kind <> 'verification'
				AND at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?`,
			kind,
			from,
			at,
			id,
			most,
		);
	}

	/** The credits of the grant with this id, or null. */
	findGrant(id: string): number | null {
		const [row] = this.#sql.rows('SELECT credits FROM grants WHERE id = ?', id);
		return row === undefined ? null : Number(row['credits']);
	}

	insertGrant(id: string, credits: number): void {
		this.#sql.rows('INSERT INTO grants (id, credits) VALUES (?, ?)', id, credits);
	}

	/** Archives a finished day: the balance at its end, and one row of usage per key. */
	archiveDay({ day, keys }: UsageToday, balance: number): void {
		this.#sql.rows('INSERT OR REPLACE INTO ledger_days (day, balance) VALUES (?, ?)', day, balance);
		const sums = new Map(this.#usage("day = ''").map(({ keyId, usage }) => [keyId, usage]));
		const write = (of: string, keyId: string, usage: KeyUsage): void =>
			void this.#sql.rows(
				'INSERT OR REPLACE INTO usage_days (day, key_id, usage) VALUES (?, ?, ?)',
				of,
				keyId,
				JSON.stringify(usage),
			);
		for (const [keyId, usage] of Object.entries(keys)) {
			const sum = sums.get(keyId);
			write(day, keyId, usage);
			write('', keyId, sum === undefined ? usage : addUsage(sum, usage));
		}
	}

	/** Deletes the usage of days before one; its sums stay. */
	forgetUsage(day: string): void {
		this.#sql.rows("DELETE FROM usage_days WHERE day > '' AND day < ?", day);
	}

	/** The balance at the end of each archived day with lines that are kept, and of the last one before. The oldest first. */
	dayEnds(): { day: string; balance: number }[] {
		return this.#sql
			.rows('SELECT * FROM ledger_days ORDER BY day')
			.map((row) => ({ day: textOf(row, 'day'), balance: numberOf(row, 'balance') }));
	}

	/** Usage of all finished days together, by key. */
	usageSoFar(): { keyId: string; day: string; usage: KeyUsage }[] {
		return this.#usage("day = ''");
	}

	/** Usage of each finished day from one on, by key. */
	usageSince(day: string): { keyId: string; day: string; usage: KeyUsage }[] {
		// One bound alone, so that the index is read from there: '0' is behind the sums.
		return this.#usage('day >= ? ORDER BY day, key_id', day === '' ? '0' : day);
	}

	#usage(which: string, ...values: string[]): { keyId: string; day: string; usage: KeyUsage }[] {
		return this.#sql.rows(`SELECT * FROM usage_days WHERE ${which}`, ...values).map((row) => ({
			keyId: textOf(row, 'key_id'),
			day: textOf(row, 'day'),
			usage: jsonOf<KeyUsage>(row, 'usage'),
		}));
	}
}

function lineOf(row: Row): LedgerLine {
	return {
		at: Number(row['at']),
		id: textOf(row, 'id'),
		// The table's writers know no other words.
		kind: textOf(row, 'kind') as LedgerKind,
		keyId: row['key_id'] === null ? null : textOf(row, 'key_id'),
		credits: Number(row['credits']),
		charged: numberOrNull(row['charged']),
		closedAt: numberOrNull(row['closed_at']),
		outcome: textOrNull(row, 'outcome'),
	};
}
