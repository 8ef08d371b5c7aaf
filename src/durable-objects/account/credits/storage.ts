import { dayOf } from '../../../core/credits/usage.ts';
import type { KeyUsage, UsageToday } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import { assertBalance } from '../../../core/credits/balance.ts';
import type { LedgerSums } from '../../../core/credits/ledger-sums.ts';
import { changeSums } from '../../../core/credits/ledger-sums.ts';
import type { LedgerKind, LedgerPlace } from '../../../operations/accounts/port.ts';
import { LedgerDays } from './days.ts';
import { Holds } from './holds.ts';
import type { LedgerDay } from './days.ts';
import { WRITE_ROW, stateOf, valuesOf } from './row.ts';
import type { AccountState, LedgerLine } from './row.ts';
import { jsonOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';

/** The kind of nearly all lines, of which there is no index. */
export const UNINDEXED = 'verification' as const satisfies LedgerKind;

/** The columns of a new line. */
export interface NewLine extends LedgerPlace {
	readonly kind: LedgerKind;
	readonly keyId: string | null;
	readonly credits: number;
}

/** How a line ends, and what becomes of what it still held. */
export interface LineEnd {
	/** All that the line charges. */
	readonly charged: number;
	readonly outcome: string;
	readonly closedAt: number;
	/** The credits that were still reserved until now. */
	readonly reserved: number;
	/** The credits charged while it was open. */
	readonly chargedBefore: number;
}

/**
 * SQL of the account's credits: its row, the lines of the ledger, grants, and the usage of finished days. Asserts the
 * invariants before and after each write. Makes no decisions. Beside it, in memory, are the holds of single calls.
 */
export class CreditStorage {
	readonly #sql: Sql;
	readonly days: LedgerDays;
	readonly holds: Holds;
	#exists = false;

	/** @param now the object's own clock */
	constructor(sql: Sql, now: () => number) {
		this.#sql = sql;
		this.holds = new Holds(now);
		this.days = new LedgerDays(sql);
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

	/** Inserts a line; that of a grant is closed at once. Returns the state with it, for the caller to write. */
	insertLine(state: AccountState, line: NewLine): AccountState {
		const { at, kind, credits } = line;
		const isGiven = kind === 'grant' || kind === 'adjustment';
		this.#insert(state, { ...line, charged: null, outcome: null, closedAt: isGiven ? at : null });
		const next = withLedger(state, { lines: 1, ...(isGiven ? { granted: credits } : { reserved: credits }) });
		return this.#withDay(next, { day: dayOf(at), lines: 1, change: isGiven ? credits : 0 });
	}

	/** Inserts the line of a single call, which is closed. Returns the state with it, for the caller to write. */
	insertCall(
		state: AccountState,
		call: Omit<LedgerLine, 'charged'> & { readonly charged: number },
	): AccountState {
		const { at, charged } = call;
		this.#insert(state, { ...call, kind: UNINDEXED });
		const next = withLedger(state, { lines: 1, charged });
		return this.#withDay(next, { day: dayOf(at), lines: 1, change: 0 - charged });
	}

	#insert(
		{ ledger: { keptFrom } }: AccountState,
		{ at, id, kind, keyId, credits, charged, outcome, closedAt }: NewLine & LedgerLine,
	): void {
		assert(at >= keptFrom, 'no line is added among deleted lines');
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

	/** Closes a line. Returns the state with it, for the caller to write. */
	closeLine(state: AccountState, line: LedgerLine, end: LineEnd): AccountState {
		assert(line.closedAt === null, 'a ledger line is closed once');
		this.#sql.rows(
			'UPDATE ledger SET charged = ?, outcome = ?, closed_at = ? WHERE at = ? AND id = ? AND closed_at IS NULL',
			end.charged,
			end.outcome,
			end.closedAt,
			line.at,
			line.id,
		);
		const next = withLedger(state, { reserved: -end.reserved, charged: end.charged - end.chargedBefore });
		return this.#withDay(next, { day: dayOf(line.at), lines: 0, change: 0 - end.charged });
	}

	#withDay(state: AccountState, added: LedgerDay): AccountState {
		const newestDay = this.days.add(state.ledger.newestDay, added);
		return { ...state, ledger: { ...state.ledger, newestDay } };
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

	/** Archives a finished day, one row per key. */
	archiveDay({ day, keys }: UsageToday): void {
		for (const [keyId, usage] of Object.entries(keys)) {
			this.#sql.rows(
				'INSERT OR REPLACE INTO usage_days (day, key_id, usage) VALUES (?, ?, ?)',
				day,
				keyId,
				JSON.stringify(usage),
			);
		}
	}

	/** Usage of all finished days, by key. */
	archivedUsage(): { keyId: string; day: string; usage: KeyUsage }[] {
		return this.#sql.rows('SELECT * FROM usage_days ORDER BY day').map((row) => ({
			keyId: textOf(row, 'key_id'),
			day: textOf(row, 'day'),
			usage: jsonOf<KeyUsage>(row, 'usage'),
		}));
	}
}

/** The state after lines of the ledger were added or changed. */
export function withLedger(state: AccountState, change: Partial<LedgerSums>): AccountState {
	return { ...state, ledger: { ...state.ledger, ...changeSums(state.ledger, change) } };
}

function lineOf(row: Row): LedgerLine {
	return {
		at: Number(row['at']),
		id: textOf(row, 'id'),
		keyId: row['key_id'] === null ? null : textOf(row, 'key_id'),
		credits: Number(row['credits']),
		charged: numberOrNull(row['charged']),
		closedAt: numberOrNull(row['closed_at']),
		outcome: textOrNull(row, 'outcome'),
	};
}
