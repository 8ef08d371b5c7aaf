import type {
	EarlierCall,
	KeyedCall,
	RememberedAnswer,
	SettleRequest,
	Settled,
} from '../../../operations/verify/port.ts';
import { MINUTE_MS, roundUp } from '../../../lib/time.ts';
import { jsonOf, numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { countFreeAnswers, freeAnswersLeftOf } from './free-answers.ts';
import { RESERVATION_LIFETIME_MS } from './row.ts';

// Single calls under an Idempotency-Key. A call is recorded with its reservation, in one step, and its answer with
// the settlement, in one step. A Worker that dies in between leaves a call without an answer, and the next call
// continues it.

// 48 hours by contract, counted from the latest moment at which the answer may come, and to the end of that hour: an alarm
// costs as much as a call, and one forgets all calls of an hour.
const HOUR_MS = 3_600_000;
const KEPT_MS = 48 * HOUR_MS + RESERVATION_LIFETIME_MS;

/** The earlier call under a key; null: there is none, or it ended without an answer, so that it may begin anew. */
export function findCall(
	{ sql, credits }: AccountContext,
	{ call, now }: { call: KeyedCall; now: number },
): EarlierCall | null {
	const row = credits.exists ? findRow(sql, call.key) : null;
	if (row === null || numberOf(row, 'expires_at') <= now) return null;
	const isSame = textOf(row, 'fingerprint') === call.fingerprint;
	if (row['answer'] !== null)
		return isSame
			? { kind: 'answered', answer: jsonOf<RememberedAnswer>(row, 'answer') }
			: { kind: 'mismatch' };
	const reservation = { id: textOf(row, 'reservation_id'), at: numberOf(row, 'at') };
	// It failed, or its Worker died: a call that is under way has no line so far.
	const isOver =
		now > reservation.at + RESERVATION_LIFETIME_MS ||
		credits.findLine(reservation.at, reservation.id) !== null;
	if (isOver) return null;
	return isSame ? { kind: 'under_way', reservation } : { kind: 'mismatch' };
}

/** Records a call that was admitted with a reservation. */
export function recordCall(
	{ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>,
	{ key, fingerprint }: KeyedCall,
	reservation: { readonly id: string; readonly at: number },
): void {
	const expiresAt = roundUp(reservation.at + KEPT_MS, HOUR_MS);
	sql.rows(
		`INSERT OR REPLACE INTO keyed_calls (key, fingerprint, at, reservation_id, answer, expires_at)
			VALUES (?, ?, ?, ?, NULL, ?)`,
		key,
		fingerprint,
		reservation.at,
		reservation.id,
		expiresAt,
	);
	wakeBy(expiresAt);
}

/** Notes the repeat that does the work of a call. False: it was noted before, or the call is gone. */
function noteTaker(sql: Sql, key: string, by: string): boolean {
	const taken = sql.rows(
		'UPDATE keyed_calls SET taken_by = ?1 WHERE key = ?2 AND taken_by IS NOT ?1 RETURNING key',
		by,
		key,
	);
	return taken.length > 0;
}

/** Lets a repeat do the work of a call, and counts what that may cost us. */
export function takeCall(
	account: AccountContext,
	{ call, by, now }: { call: KeyedCall; by: string; now: number },
) {
	const earlier = findCall(account, { call, now });
	if (earlier === null) return null;
	// A call with an answer needs no question.
	if (earlier.kind !== 'under_way' || freeAnswersLeftOf(account, now) === 0) return { mayAsk: false };
	if (noteTaker(account.sql, call.key, by)) countFreeAnswers(account.sql, 1, now);
	return { mayAsk: true };
}

/** Whether another call has the key by now, because this one took too long. */
export function isTakenAnew(sql: Sql, key: string, { id }: SettleRequest['reservation']): boolean {
	const row = findRow(sql, key);
	return row !== null && textOf(row, 'reservation_id') !== id;
}

/** Stores the answer of a settled call, unless another worker's is stored; returns the one to give. */
export function rememberAnswer(
	sql: Sql,
	reservation: SettleRequest['reservation'],
	{ key, result, requestId }: NonNullable<SettleRequest['remember']>,
	{ charged, balance }: Settled,
): RememberedAnswer {
	// The caller knows what its answers are about: another call under the key has another fingerprint.
	const answer = { result, requestId, charged, remaining: balance.availableCredits } as RememberedAnswer;
	const row = findRow(sql, key);
	if (row === null || isTakenAnew(sql, key, reservation)) return answer;
	if (row['answer'] !== null) return jsonOf<RememberedAnswer>(row, 'answer');
	sql.rows('UPDATE keyed_calls SET answer = ? WHERE key = ?', JSON.stringify(answer), key);
	return answer;
}

/** Deletes the calls whose time is over. Returns when the alarm has to look again; null: there is none. */
export function pruneCalls({ sql, credits }: AccountContext, now: number): number | null {
	if (!credits.exists) return null;
	sql.rows('DELETE FROM keyed_calls WHERE expires_at <= ?', now);
	const [row] = sql.rows('SELECT MIN(expires_at) AS at FROM keyed_calls');
	const endsAt = numberOrNull(row?.['at']);
	return endsAt === null ? null : roundUp(endsAt, MINUTE_MS);
}

/** Deletes all calls with their answers. */
export function forgetCalls(sql: Sql): void {
	sql.rows('DELETE FROM keyed_calls');
}

function findRow(sql: Sql, key: string): Row | null {
	const [row] = sql.rows('SELECT * FROM keyed_calls WHERE key = ?', key);
	return row ?? null;
}
