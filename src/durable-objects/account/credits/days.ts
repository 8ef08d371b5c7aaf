import { DAY_MS } from '../../../lib/time.ts';
import type { LedgerPlace } from '../../../operations/accounts/port.ts';
import { numberOf, textOf } from '../../sql.ts';
import type { Sql } from '../../sql.ts';

/** A number of ledger lines, and by how much they changed the balance. Running jobs' charges are not in their lines yet. */
export interface LineSums {
	readonly lines: number;
	readonly change: number;
}

/** The sums of all lines that were made on one day, deleted lines included. */
export interface LedgerDay extends LineSums {
	/** `2026-11-21`, UTC. */
	readonly day: string;
}

export const NO_DAY: LedgerDay = { day: '', lines: 0, change: 0 };

/** By how much a line changed the balance. An open line has charged nothing yet. */
export const CHANGE = "IIF(kind IN ('grant', 'adjustment'), credits, -COALESCE(charged, 0))";

/**
 * The sums of the ledger by day: the balance at any line follows from them and from the lines of that day. The newest day
 * stands in the account's row, which each line writes anyway, so that a verification writes no row more.
 */
export class LedgerDays {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	/** Adds sums to a day, and returns the newest day with them, for the caller to write. */
	add(newest: LedgerDay, added: LedgerDay): LedgerDay {
		if (added.day === newest.day) return { day: added.day, ...addSums(newest, added) };
		if (added.day < newest.day) {
			this.#write(added);
			return newest;
		}
		this.#write(newest);
		return added;
	}

	#write({ day, lines, change }: LedgerDay): void {
		if (lines === 0 && change === 0) return;
		this.#sql.rows(
			`INSERT INTO ledger_days (day, lines, change) VALUES (?, ?, ?)
				ON CONFLICT (day) DO UPDATE SET lines = lines + excluded.lines, change = change + excluded.change`,
			day,
			lines,
			change,
		);
	}

	/** All days with lines, the oldest first. */
	all(newest: LedgerDay): readonly LedgerDay[] {
		const days = this.#sql.rows('SELECT * FROM ledger_days ORDER BY day').map((row) => ({
			day: textOf(row, 'day'),
			lines: numberOf(row, 'lines'),
			change: numberOf(row, 'change'),
		}));
		return newest.lines === 0 ? days : [...days, newest];
	}

	/** The sums of the lines after one place, up to and including another. */
	sumsBetween(after: LedgerPlace, upTo: LedgerPlace): LineSums {
		const [row = {}] = this.#sql.rows(
			`SELECT COUNT(*) AS lines, TOTAL(${CHANGE}) AS change FROM ledger WHERE (at, id) > (?, ?) AND (at, id) <= (?, ?)`,
			after.at,
			after.id,
			upTo.at,
			upTo.id,
		);
		return { lines: numberOf(row, 'lines'), change: numberOf(row, 'change') };
	}
}

/** When the day of a time begins (UTC), epoch ms. */
export function beginOfDayAt(at: number): number {
	return at - (at % DAY_MS);
}

/** When a day such as `2026-11-21` ends (UTC), epoch ms. */
export function endOfDay(day: string): number {
	return Date.parse(`${day}T00:00:00Z`) + DAY_MS;
}

export function addSums(a: LineSums, b: LineSums): LineSums {
	return { lines: a.lines + b.lines, change: a.change + b.change };
}
