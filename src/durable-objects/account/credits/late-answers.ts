import type { VerificationResult } from '../../../core/verification/render.ts';
import type { Digests } from '../../../operations/outcomes/port.ts';
import type { LateAnswer, ReservationRef } from '../../../operations/verify/port.ts';
import { MINUTE_MS, roundUp } from '../../../lib/time.ts';
import { jsonOf, numberOf, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';

// Questions that went on after their caller's time was up. Each is a row beside the calls under an Idempotency-Key, under
// a name that no caller's key has. `taken_by` is the reservation that paid for the answer.

const KEPT_MS = 600_000;
// A plain space: a stored key of a caller never contains one.
const keyOf = ([digest = '']: Digests): string => `late ${digest}`;

/** Records that the question of this reservation goes on. It replaces an older question about the address. */
export function beginLate(
	{ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>,
	digests: Digests,
	{ id }: ReservationRef,
	now: number,
): void {
	const endsAt = now + KEPT_MS;
	sql.rows(
		`INSERT OR REPLACE INTO keyed_calls (key, fingerprint, at, reservation_id, answer, expires_at)
			VALUES (?, 'late', ?, ?, NULL, ?)`,
		keyOf(digests),
		now,
		id,
		endsAt,
	);
	// One alarm forgets all of a minute.
	wakeBy(roundUp(endsAt, MINUTE_MS));
}

/** Stores how the question of a reservation ended; null: it failed, so the next call asks anew. */
export function endLate(
	{ sql }: Pick<AccountContext, 'sql'>,
	about: {
		readonly digests: Digests;
		readonly reservationId: string;
		readonly result: VerificationResult | null;
		readonly now: number;
	},
): void {
	const { digests, reservationId, result, now } = about;
	const which = [keyOf(digests), reservationId] as const;
	if (result === null) {
		sql.rows('DELETE FROM keyed_calls WHERE key = ? AND reservation_id = ? AND answer IS NULL', ...which);
		return;
	}
	// An unknown that passes is asked about again as soon as that is worth it.
	const passesAt = now + (result.retry_after ?? KEPT_MS / 1000) * 1000;
	sql.rows(
		`UPDATE keyed_calls SET answer = ?3, expires_at = MIN(expires_at, ?4)
			WHERE key = ?1 AND reservation_id = ?2 AND answer IS NULL`,
		...which,
		JSON.stringify(result),
		passesAt,
	);
}

/** The state of a question that went on; null: none did, or its time is over. */
export function findLate(
	{ sql }: Pick<AccountContext, 'sql'>,
	{ digests, now }: { readonly digests: Digests; readonly now: number },
): LateAnswer | null {
	const row = findRow(sql, digests);
	if (row === null || numberOf(row, 'expires_at') <= now) return null;
	if (row['answer'] === null) return { kind: 'under_way', at: numberOf(row, 'at') };
	const result = jsonOf<VerificationResult>(row, 'answer');
	return { kind: 'answered', result, isPaid: row['taken_by'] !== null };
}

/** Has this reservation pay for the answer. False: another call has paid for it. */
export function payLate(sql: Sql, digests: Digests, { id }: ReservationRef): boolean {
	const row = findRow(sql, digests);
	// Its time is over by now, so no other call will get it.
	if (row === null || row['answer'] === null) return true;
	if (row['taken_by'] !== null) return textOf(row, 'taken_by') === id;
	sql.rows('UPDATE keyed_calls SET taken_by = ? WHERE key = ?', id, keyOf(digests));
	return true;
}

function findRow(sql: Sql, digests: Digests): Row | null {
	const [row] = sql.rows('SELECT * FROM keyed_calls WHERE key = ?', keyOf(digests));
	return row ?? null;
}
