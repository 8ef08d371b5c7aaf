import { HISTORY_MS, SEEN_MS } from '../../../core/verification/history.ts';
import { AT_FIRST } from '../../../core/verification/progress.ts';
import type { Progress } from '../../../core/verification/progress.ts';
import type {
	KeptAnswer,
	KeptVerification,
	VerificationHistory,
} from '../../../operations/verify/history-port.ts';
import { jsonOf, numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext, CallsOf, RequestOf } from '../context.ts';

// Verifications at the dashboard. One is recorded with its reservation, in one step, and its answer with the settlement,
// in one step: nobody is charged for an answer that can't be shown.

/** The oldest make room for the newest. */
export const VERIFICATIONS_MAX = 500;

/** The calls of the account's object that are about them. */
export const verificationCalls: CallsOf<VerificationHistory> = {
	findVerification: ({ sql, credits }, { id, now }) => {
		if (!credits.exists) return null;
		const [row] = sql.rows('SELECT * FROM verifications WHERE id = ? AND ends_at > ?', id, now);
		return row === undefined ? null : keptOf(row);
	},
	listVerifications: ({ sql, credits }, { now, page, pageSize }) => {
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
	},
	noteProgress: ({ sql, credits }, { id, progress }) => {
		if (!credits.exists) return;
		sql.rows(
			'UPDATE verifications SET progress = ? WHERE id = ? AND answer IS NULL AND failed = 0',
			JSON.stringify(progress),
			id,
		);
	},
	keepHistory,
};

/** Records a verification that begins with a reservation. A repetition changes nothing. */
export function recordVerification(
	{ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>,
	{ id, email, at }: { readonly id: string; readonly email: string; readonly at: number },
): void {
	const endsAt = at + (isHistoryKept(sql) ? HISTORY_MS : SEEN_MS);
	sql.rows(
		`INSERT INTO verifications (id, at, email, progress, answer, failed, ends_at) VALUES (?, ?, ?, ?, NULL, 0, ?)
			ON CONFLICT DO NOTHING`,
		id,
		at,
		email,
		JSON.stringify(AT_FIRST),
		endsAt,
	);
	sql.rows(
		'DELETE FROM verifications WHERE id IN (SELECT id FROM verifications ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?)',
		VERIFICATIONS_MAX,
	);
	wakeBy(endsAt);
}

/** Keeps the answer of a settled verification; null: it failed. The first to come is kept. */
export function endVerification(sql: Sql, id: string, answer: KeptAnswer | null): void {
	sql.rows(
		'UPDATE verifications SET answer = ?, failed = ? WHERE id = ? AND answer IS NULL',
		answer === null ? null : JSON.stringify(answer),
		answer === null ? 1 : 0,
		id,
	);
}

/** Deletes those whose time is over. Returns when the next one's is; null: there is none. */
export function pruneVerifications({ sql, credits }: AccountContext, now: number): number | null {
	if (!credits.exists) return null;
	sql.rows('DELETE FROM verifications WHERE ends_at <= ?', now);
	const [row] = sql.rows('SELECT MIN(ends_at) AS at FROM verifications');
	return numberOrNull(row?.['at']);
}

/** Deletes all, and so the addresses that they hold. */
export function forgetVerifications(sql: Sql): void {
	sql.rows('DELETE FROM verifications');
}

function keepHistory(
	{ sql, credits, wakeBy }: AccountContext,
	{ keep, now }: RequestOf<'keepHistory'>,
): void {
	if (!credits.exists) return;
	sql.rows('INSERT OR REPLACE INTO verification_history (id, is_kept) VALUES (1, ?)', keep ? 1 : 0);
	if (keep) return;
	sql.rows('DELETE FROM verifications WHERE answer IS NOT NULL OR failed = 1');
	// Those under way are still to be seen by whoever waits for them.
	sql.rows('UPDATE verifications SET ends_at = MIN(ends_at, ?)', now + SEEN_MS);
	wakeBy(now + SEEN_MS);
}

function isHistoryKept(sql: Sql): boolean {
	const [row] = sql.rows('SELECT is_kept FROM verification_history WHERE id = 1');
	return row === undefined || numberOf(row, 'is_kept') === 1;
}

function keptOf(row: Row): KeptVerification {
	return { id: textOf(row, 'id'), email: textOf(row, 'email'), at: numberOf(row, 'at'), state: stateOf(row) };
}

function stateOf(row: Row): KeptVerification['state'] {
	if (row['answer'] !== null) return { kind: 'answered', answer: jsonOf<KeptAnswer>(row, 'answer') };
	if (row['failed'] === 1) return { kind: 'failed' };
	return { kind: 'under_way', progress: jsonOf<Progress>(row, 'progress') };
}
