import { AT_WORK_MS, HISTORY_MS, SEEN_MS } from '../../../core/verification/history.ts';
import { AT_FIRST } from '../../../core/verification/trace.ts';
import type { Progress } from '../../../core/verification/trace.ts';
import type {
	BegunVerification,
	KeptAnswer,
	KeptVerification,
	VerificationsPage,
} from '../../../operations/verify/history-port.ts';
import type { ReservationRef } from '../../../operations/verify/port.ts';
import { jsonOf, numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';

// Verifications at the dashboard. A verification is recorded with its reservation, in one step, and its answer with
// the settlement, in one step: an answer that can't be shown is never charged. Ended records are only marked here:
// the alarm deletes the address first, which is in the bucket, and then the row.

/** The oldest make room for the newest. */
export const VERIFICATIONS_MAX = 500;
// So that an account that verifies all the time does not wake up for each of those that make room.
const TIDY_MS = 60_000;

/** Null: there is none, or its time is over. */
export function findVerification({ sql, credits }: AccountContext, { id, now }: { id: string; now: number }) {
	if (!credits.exists) return null;
	const [row] = sql.rows('SELECT * FROM verifications WHERE id = ? AND ends_at > ?', id, now);
	return row === undefined ? null : keptOf(row);
}

/** A page of the history, from 0. Empty where the account keeps none. */
export function listVerifications(
	{ sql, credits }: AccountContext,
	{ now, page, pageSize }: { now: number; page: number; pageSize: number },
): VerificationsPage {
	if (!credits.exists) return { isKept: true, verifications: [], total: 0 };
	if (!isHistoryKept(sql)) return { isKept: false, verifications: [], total: 0 };
	const listed = 'FROM verifications WHERE answer IS NOT NULL AND ends_at > ?';
	const [counted] = sql.rows(`SELECT COUNT(*) AS total ${listed}`, now);
	const rows = sql.rows(
		`SELECT * ${listed} ORDER BY at DESC, id DESC LIMIT ? OFFSET ?`,
		now,
		pageSize,
		page * pageSize,
	);
	return { isKept: true, verifications: rows.map(keptOf), total: numberOrNull(counted?.['total']) ?? 0 };
}

/** Does nothing once the verification has ended. */
export function noteProgress(
	{ sql, credits }: AccountContext,
	{ id, progress }: { id: string; progress: Progress },
): void {
	if (!credits.exists) return;
	sql.rows(
		'UPDATE verifications SET progress = ? WHERE id = ? AND answer IS NULL AND failed = 0',
		JSON.stringify(progress),
		id,
	);
}

/**
 * The state of a verification that was begun. Null: it may begin, because it never began, its record is gone, it has
 * failed, or its Worker died.
 */
export function findBegun(
	{ sql, credits }: Pick<AccountContext, 'sql' | 'credits'>,
	{ id, now }: { readonly id: string; readonly now: number },
): BegunVerification | null {
	if (!credits.exists) return null;
	const [row] = sql.rows('SELECT at, answer, failed, ends_at FROM verifications WHERE id = ?', id);
	if (row === undefined) return null;
	// A verification that is about to be deleted does not begin again: its address would be deleted with it.
	if (row['answer'] !== null || numberOf(row, 'ends_at') <= now) return 'over';
	const isAtWork = row['failed'] !== 1 && now < numberOf(row, 'at') + AT_WORK_MS;
	return isAtWork ? 'at_work' : null;
}

/** When a verification was begun that has no answer. */
export function unansweredSince(sql: Sql, id: string): number | null {
	const [row] = sql.rows('SELECT at FROM verifications WHERE id = ? AND answer IS NULL', id);
	return row === undefined ? null : numberOf(row, 'at');
}

/** Records a verification that begins with a reservation. A repetition changes nothing; one that failed begins anew. */
export function recordVerification(
	{ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>,
	{ id, at }: { readonly id: string; readonly at: number },
): void {
	const endsAt = at + (isHistoryKept(sql) ? HISTORY_MS : SEEN_MS);
	sql.rows(
		`INSERT INTO verifications (id, at, progress, answer, failed, ends_at) VALUES (?, ?, ?, NULL, 0, ?)
			ON CONFLICT (id) DO UPDATE SET at = excluded.at, progress = excluded.progress, failed = 0,
				ends_at = excluded.ends_at WHERE at <> excluded.at AND answer IS NULL`,
		id,
		at,
		JSON.stringify(AT_FIRST),
		endsAt,
	);
	const ended = sql.rows(
		`UPDATE verifications SET ends_at = 0 WHERE ends_at > 0
			AND id IN (SELECT id FROM verifications ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?) RETURNING id`,
		VERIFICATIONS_MAX,
	);
	wakeBy(ended.length > 0 ? at + TIDY_MS : endsAt);
}

/**
 * Keeps the answer of a settled verification; null: it failed. The first to come is kept, and none of a Worker that took
 * so long that the verification was begun anew.
 */
export function endVerification(sql: Sql, { id, at }: ReservationRef, answer: KeptAnswer | null): void {
	sql.rows(
		'UPDATE verifications SET answer = ?, failed = ? WHERE id = ? AND at = ? AND answer IS NULL',
		answer === null ? null : JSON.stringify(answer),
		answer === null ? 1 : 0,
		id,
		at,
	);
}

/** The verifications whose time is over, and the time of the next one; null: there is none. */
export function findEnded(
	{ sql, credits }: AccountContext,
	now: number,
): { readonly ended: readonly string[]; readonly nextAt: number | null } {
	if (!credits.exists) return { ended: [], nextAt: null };
	const ended = sql.rows('SELECT id FROM verifications WHERE ends_at <= ?', now);
	const [next] = sql.rows('SELECT MIN(ends_at) AS at FROM verifications WHERE ends_at > ?', now);
	return { ended: ended.map((row) => textOf(row, 'id')), nextAt: numberOrNull(next?.['at']) };
}

/** Deletes these, whose addresses are gone. */
export function forgetVerifications(sql: Sql, ids: readonly string[]): void {
	sql.rows('DELETE FROM verifications WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
}

/** Ends all at once. The next alarm deletes them. */
export function endVerifications(sql: Sql): void {
	sql.rows('UPDATE verifications SET ends_at = 0');
}

/** Keeps a history from now on, or deletes it and keeps none. False: it was so before. */
export function keepHistory(
	{ sql, credits, wakeBy }: AccountContext,
	{ keep, now }: { keep: boolean; now: number },
): boolean {
	if (!credits.exists) return false;
	const isNew = isHistoryKept(sql) !== keep;
	sql.rows('INSERT OR REPLACE INTO verification_history (id, is_kept) VALUES (1, ?)', keep ? 1 : 0);
	if (keep) return isNew;
	sql.rows('UPDATE verifications SET ends_at = 0 WHERE answer IS NOT NULL OR failed = 1');
	// Their callers still have to see the verifications under way.
	sql.rows('UPDATE verifications SET ends_at = MIN(ends_at, ?)', now + SEEN_MS);
	wakeBy(now);
	return isNew;
}

function isHistoryKept(sql: Sql): boolean {
	const [row] = sql.rows('SELECT is_kept FROM verification_history WHERE id = 1');
	return row === undefined || numberOf(row, 'is_kept') === 1;
}

function keptOf(row: Row): KeptVerification {
	return { id: textOf(row, 'id'), at: numberOf(row, 'at'), state: stateOf(row) };
}

function stateOf(row: Row): KeptVerification['state'] {
	if (row['answer'] !== null) return { kind: 'answered', answer: jsonOf<KeptAnswer>(row, 'answer') };
	if (row['failed'] === 1) return { kind: 'failed' };
	return { kind: 'under_way', progress: jsonOf<Progress>(row, 'progress') };
}
