import { endOf } from '../../../core/outcomes/outcome.ts';
import type { BandCount, OutcomeKind } from '../../../core/outcomes/outcome.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { KeptOutcome } from '../../../operations/outcomes/port.ts';
import { numberOf, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';

/** Where the signals put an address. */
export interface Placed {
	readonly scorecard: string;
	readonly band: number;
}

/** A row of the table: the outcome, and the band that it was counted in; null: in none. */
export interface OutcomeRow extends KeptOutcome {
	readonly digest: string;
	readonly placed: Placed | null;
}

const WEEK_MS = 7 * DAY_MS;
// This week and the four before: a score is remembered for 28 to 35 days.
const WEEKS_KEPT = 5;

/** The newest kept outcome under any of the digests. */
export function findOutcome(sql: Sql, digests: readonly string[], now: number): OutcomeRow | null {
	const [row] = sql.rows(
		`SELECT digest, kind, at, scorecard, band FROM outcomes
			WHERE digest IN (${marks(digests)}) AND ends_at > ? ORDER BY at DESC, kind DESC LIMIT 1`,
		...digests,
		now,
	);
	return row === undefined ? null : outcomeOf(row);
}

/** Stores the outcome under its digest and removes what stood under the others, of earlier secrets. */
export function writeOutcome(sql: Sql, row: OutcomeRow, others: readonly string[]): void {
	if (others.length > 0) sql.rows(`DELETE FROM outcomes WHERE digest IN (${marks(others)})`, ...others);
	sql.rows(
		'INSERT OR REPLACE INTO outcomes (digest, kind, at, ends_at, scorecard, band) VALUES (?, ?, ?, ?, ?, ?)',
		row.digest,
		row.kind,
		row.at,
		endOf(row),
		row.placed?.scorecard ?? null,
		row.placed?.band ?? null,
	);
}

/** Remembers the band of an address in this week. */
export function writeScore(sql: Sql, digest: string, { scorecard, band }: Placed, at: number): void {
	sql.rows(
		'INSERT OR REPLACE INTO scored (week, digest, at, scorecard, band) VALUES (?, ?, ?, ?, ?)',
		weekOf(at),
		digest,
		at,
		scorecard,
		band,
	);
}

/** Takes the band in which an address was last scored, at `until` or before: the next outcome must not count again. */
export function takeScore(
	sql: Sql,
	digests: readonly string[],
	{ now, until }: { readonly now: number; readonly until: number },
): Placed | null {
	const weeks = keptWeeks(now);
	// By week and digest, the two parts of the key: otherwise all rows would be read.
	const where = `week IN (${weeks.join(', ')}) AND digest IN (${marks(digests)}) AND at <= ?`;
	const [row] = sql.rows(
		`SELECT scorecard, band FROM scored WHERE ${where} ORDER BY at DESC LIMIT 1`,
		...digests,
		until,
	);
	if (row === undefined) return null;
	sql.rows(`DELETE FROM scored WHERE ${where}`, ...digests, until);
	return { scorecard: textOf(row, 'scorecard'), band: numberOf(row, 'band') };
}

/** Adds to the count of a band, or with -1 takes from it. */
export function count(sql: Sql, { scorecard, band }: Placed, kind: OutcomeKind, more: 1 | -1): void {
	sql.rows(
		`INSERT INTO outcome_counts (scorecard, band, ${kind}) VALUES (?, ?, ?)
			ON CONFLICT (scorecard, band) DO UPDATE SET ${kind} = ${kind} + excluded.${kind}`,
		scorecard,
		band,
		more,
	);
}

export function readCounts(sql: Sql): readonly BandCount[] {
	return sql
		.rows('SELECT scorecard, band, delivered, hard_bounce FROM outcome_counts ORDER BY scorecard, band')
		.map((row) => ({
			scorecard: textOf(row, 'scorecard'),
			band: numberOf(row, 'band'),
			delivered: numberOf(row, 'delivered'),
			hard_bounce: numberOf(row, 'hard_bounce'),
		}));
}

/** How many outcomes were written on that day so far. */
export function writtenOn(sql: Sql, day: string): number {
	const [row] = sql.rows('SELECT written FROM feedback_day WHERE id = 1 AND day = ?', day);
	return row === undefined ? 0 : numberOf(row, 'written');
}

export function setWrittenOn(sql: Sql, day: string, written: number): void {
	sql.rows('INSERT OR REPLACE INTO feedback_day (id, day, written) VALUES (1, ?, ?)', day, written);
}

/** Deletes what has ended. Returns when the next of it ends, epoch ms; null: nothing is kept. */
export function deleteEnded(sql: Sql, now: number): number | null {
	sql.rows('DELETE FROM outcomes WHERE ends_at <= ?', now);
	sql.rows('DELETE FROM scored WHERE week < ?', weekOf(now) - WEEKS_KEPT + 1);
	const [row] = sql.rows('SELECT min(ends_at) AS ends_at FROM outcomes');
	const [oldest] = sql.rows('SELECT min(week) AS week FROM scored');
	const ends = [row?.['ends_at'], typeof oldest?.['week'] === 'number' ? endOfWeek(oldest['week']) : null];
	const soonest = Math.min(...ends.filter((at) => typeof at === 'number'));
	return soonest === Infinity ? null : soonest;
}

/** When a score of now is forgotten, epoch ms. */
export function endOfScore(now: number): number {
	return endOfWeek(weekOf(now));
}

/** Deletes all of it. */
export function deleteAll(sql: Sql): void {
	for (const table of ['outcomes', 'scored', 'outcome_counts', 'feedback_day'])
		sql.rows(`DELETE FROM ${table}`);
}

function outcomeOf(row: Row): OutcomeRow {
	const scorecard = textOrNull(row, 'scorecard');
	return {
		digest: textOf(row, 'digest'),
		kind: textOf(row, 'kind') as OutcomeKind,
		at: numberOf(row, 'at'),
		placed: scorecard === null ? null : { scorecard, band: numberOf(row, 'band') },
	};
}

function weekOf(at: number): number {
	return Math.floor(at / WEEK_MS);
}

function endOfWeek(week: number): number {
	return (week + WEEKS_KEPT) * WEEK_MS;
}

function keptWeeks(now: number): readonly number[] {
	return Array.from({ length: WEEKS_KEPT }, (_, ago) => weekOf(now) - ago);
}

function marks(values: readonly unknown[]): string {
	return values.map(() => '?').join(', ');
}
