import { JOB_KINDS } from '../../core/jobs/kinds.ts';
import type { JobKind } from '../../core/jobs/kinds.ts';
import { HOUR_MS, roundUp } from '../../lib/time.ts';
import { AT_WORK_MS } from '../../operations/verify/port.ts';
import type {
	AdmitRequest,
	EarlierCall,
	KeptAnswer,
	KeyedCall,
	Remembered,
	ReservationRef,
	SettleRequest,
	Settled,
} from '../../operations/verify/port.ts';
import { ANSWER_KEPT_MS } from '../../core/jobs/retention.ts';
import type { Sql } from '../sql.ts';
import { HOLD_MS } from './credits/holds.ts';

// Requests under a key, with their answers. The key is an Idempotency-Key, or the form of a page. A row is made with the
// reservation, in one step. A job has its answer by then; a call gets it with the settlement, in one step. A Worker that dies
// in between leaves a row without an answer, and the next call under the key does its work, on the same reservation.

// Counted from the latest moment at which the answer may come.
const KEPT_MS = ANSWER_KEPT_MS + HOLD_MS;
const PRUNED_MAX = 1_000;
/** Forms of the Verify page, among the keys. No other key begins so, and the index of forms has the same words. */
const FORM_KEYS = "key >= 'form ' AND key < 'form!'";

/** Null: nothing was asked under the key, or its time is over. */
export function findRemembered(sql: Sql, key: string, now: number): Remembered | null {
	const found = sql.first<Remembered>('SELECT * FROM idempotency WHERE key = ?', key);
	return found === null || (found.expiresAt ?? Infinity) <= now ? null : found;
}

/** Sets when the answer of a job is forgotten, which has ended. One alarm, which costs as much as a call, forgets an hour's. */
export function expire(sql: Sql, key: string, at: number): void {
	sql.update('idempotency', { key }, { expiresAt: roundUp(at, HOUR_MS) });
}

/** Deletes what has expired, not all at once. Returns when the alarm has to look again; null: there is nothing left. */
export function prune(sql: Sql, now: number): number | null {
	const ended = 'FROM idempotency INDEXED BY idempotencyEnds WHERE expiresAt IS NOT NULL';
	sql.rows(
		`DELETE FROM idempotency WHERE key IN (SELECT key ${ended} AND expiresAt <= ? ORDER BY expiresAt LIMIT ?)`,
		now,
		PRUNED_MAX,
	);
	const next = sql.first<Remembered>(`SELECT * ${ended} ORDER BY expiresAt LIMIT 1`);
	return next?.expiresAt ?? null;
}

/** The stored form of a job's Idempotency-Key: each kind has keys of its own. */
export function keyOf(kind: JobKind, key: string): string {
	return `${JOB_KINDS[kind].keyPrefix}${key}`;
}

/** The earlier call under a key, of which this one is a repeat. Null: there is none, or it may begin anew. */
export function findEarlier(
	sql: Sql,
	{ call, reservation, now }: AdmitRequest,
): EarlierCall | { readonly kind: 'abandoned'; readonly reservation: ReservationRef } | null {
	const found = call === undefined ? null : findRemembered(sql, call.key, now);
	if (found === null || reservation === null) return null;
	const { ref: id, at, busyUntil, answer } = found;
	// A call that took the work over now could no longer settle it in time.
	const isLost = now + AT_WORK_MS > at + HOLD_MS && (busyUntil ?? 0) <= now;
	// Or this very call, repeated on its way to the object.
	if (answer === null && (id === reservation.id || isLost)) return null;
	if (found.fingerprint !== call?.fingerprint) return { kind: 'mismatch' };
	if (answer !== null) return { kind: 'answered', answer: JSON.parse(answer) as KeptAnswer };
	// A call that took the work over may be repeated on its way, too.
	const isOwn = at < now && busyUntil === now + AT_WORK_MS;
	if ((busyUntil ?? 0) > now && !isOwn) return { kind: 'under_way' };
	return { kind: 'abandoned', reservation: { id, at } };
}

/** Records a call that was admitted. On the reservation of an earlier one, this call does its work now. */
export function beginCall(
	{ sql, wakeBy }: { readonly sql: Sql; readonly wakeBy: (at: number) => void },
	{ key, fingerprint }: KeyedCall,
	{ id, at }: ReservationRef,
	now: number,
): void {
	const expiresAt = roundUp(at + KEPT_MS, HOUR_MS);
	const busyUntil = now + AT_WORK_MS;
	sql.put('idempotency', { key, fingerprint, ref: id, at, busyUntil, answer: null, expiresAt });
	wakeBy(expiresAt);
}

/**
 * Stores the answer of a settled call, unless that of another Worker is there; returns the one to give. After a failure the
 * key is free again. `kept`: the row of the call; null: it is forgotten, or another call has the key by now.
 */
export function endCall(
	sql: Sql,
	call: SettleRequest['call'],
	kept: Remembered | null,
	{ charged, balance }: Omit<Settled, 'answer'>,
): KeptAnswer | null {
	if (call === undefined) return null;
	const { key } = call;
	if (kept !== null && kept.answer !== null) return JSON.parse(kept.answer) as KeptAnswer;
	if (call.answer === null) {
		if (kept !== null) sql.rows('DELETE FROM idempotency WHERE key = ?', key);
		return null;
	}
	const answer = { ...call.answer, charged, remaining: balance.availableCredits };
	if (kept !== null) sql.update('idempotency', { key }, { answer: JSON.stringify(answer) });
	return answer;
}

/** A page of the answered forms of the Verify page, from 0, the newest first. */
export function listForms(
	{ sql }: { readonly sql: Sql },
	{ now, page, pageSize }: { readonly now: number; readonly page: number; readonly pageSize: number },
): { readonly forms: readonly Remembered[]; readonly total: number } {
	const listed = `FROM idempotency INDEXED BY forms WHERE ${FORM_KEYS} AND answer IS NOT NULL AND expiresAt > ?`;
	const counted = sql.first<{ total: number }>(`SELECT COUNT(*) AS total ${listed}`, now);
	const newest = `SELECT * ${listed} ORDER BY at DESC LIMIT ? OFFSET ?`;
	const forms = sql.all<Remembered>(newest, now, pageSize, page * pageSize);
	return { forms, total: counted?.total ?? 0 };
}
