import type { KeyUsage, UsageToday } from '../../../core/credits/usage.ts';
import { assert } from '../../../lib/assert.ts';
import { WRITE_ROW, stateOf, valuesOf } from './row.ts';
import type { AccountState, LedgerLine } from './row.ts';
import { jsonOf, numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';

/** Sums of credits over the lines of the ledger. */
export interface LedgerSums {
	readonly granted: number;
	readonly charged: number;
	/** Of open lines. */
	readonly reserved: number;
	readonly lines: number;
}

const IS_GIVEN = "kind IN ('grant', 'adjustment')";

/**
 * SQL of the account's credits: its row, the ledger, grants, and the usage of finished days. Asserts the invariants
 * before and after each write. Makes no decisions.
 */
export class CreditStorage {
	readonly #sql: Sql;
	#exists = false;

	constructor(sql: Sql) {
		this.#sql = sql;
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
		return row === undefined ? null : stateOf(row);
	}

	write(state: AccountState): void {
		this.#sql.rows(WRITE_ROW, ...valuesOf(state));
	}

	findLine(at: number, id: string): LedgerLine | null {
		const [row] = this.#sql.rows('SELECT * FROM ledger WHERE at = ? AND id = ?', at, id);
		return row === undefined ? null : lineOf(row);
	}

	/** Open reservations of verifications, made at `from` or later, oldest first. */
	openReservations(from: number): LedgerLine[] {
		return this.#sql
			.rows(
				"SELECT * FROM ledger WHERE at >= ? AND closed_at IS NULL AND kind = 'verification' ORDER BY at",
				from,
			)
			.map(lineOf);
	}

	/** Inserts a line. That of a grant is closed at once and charges nothing. */
	insertLine({
		at,
		id,
		kind,
		keyId,
		credits,
		closedAt,
	}: Omit<LedgerLine, 'charged'> & { kind: string }): void {
		this.#sql.rows(
			'INSERT INTO ledger (at, id, kind, key_id, credits, closed_at) VALUES (?, ?, ?, ?, ?, ?)',
			at,
			id,
			kind,
			keyId,
			credits,
			closedAt,
		);
	}

	closeLine(line: LedgerLine, end: { charged: number; outcome: string; closedAt: number }): void {
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

	/** `count` lines, newest first, after skipping the newest `offset`. */
	newestLines(count: number, offset: number): readonly Row[] {
		return this.#sql.rows('SELECT * FROM ledger ORDER BY at DESC, id DESC LIMIT ? OFFSET ?', count, offset);
	}

	/** By how much the newest `lines` lines changed the balance. Summed in SQL, since there may be a million. */
	changeOfNewest(lines: number): number {
		const [newest] = this.#sql.rows(
			`SELECT TOTAL(change) AS change FROM
				(SELECT at, id, IIF(${IS_GIVEN}, credits, -COALESCE(charged, 0)) AS change FROM ledger
					ORDER BY at DESC, id DESC LIMIT ?)`,
			lines,
		);
		assert(newest !== undefined, 'a sum has a row');
		return numberOf(newest, 'change');
	}

	countNewerLines(at: number, id: string): number {
		const [newer] = this.#sql.rows('SELECT COUNT(*) AS lines FROM ledger WHERE (at, id) > (?, ?)', at, id);
		assert(newer !== undefined, 'a count has a row');
		return numberOf(newer, 'lines');
	}

	sums(): LedgerSums {
		const sums = { granted: 0, charged: 0, reserved: 0, lines: 0 };
		for (const row of this.#sql.rows(
			`SELECT ${IS_GIVEN} AS given, closed_at IS NULL AS open, SUM(credits) AS credits,
				COALESCE(SUM(charged), 0) AS charged, COUNT(*) AS lines FROM ledger GROUP BY 1, 2`,
		)) {
			sums.lines += numberOf(row, 'lines');
			if (numberOf(row, 'given') === 1) sums.granted += numberOf(row, 'credits');
			else if (numberOf(row, 'open') === 1) sums.reserved += numberOf(row, 'credits');
			else sums.charged += numberOf(row, 'charged');
		}
		return sums;
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

function lineOf(row: Row): LedgerLine {
	return {
		at: Number(row['at']),
		id: textOf(row, 'id'),
		keyId: row['key_id'] === null ? null : textOf(row, 'key_id'),
		credits: Number(row['credits']),
		charged: numberOrNull(row['charged']),
		closedAt: numberOrNull(row['closed_at']),
	};
}
