import { isExpired, isInScope } from '../../../core/keys/scopes.ts';
import { available, reserve } from '../../../core/credits/balance.ts';
import { countRequest } from '../../../core/credits/usage.ts';
import { admit, DEFAULT_LIMITS, viewOf } from '../../../core/rate-limit/window.ts';
import type { Category, Limits } from '../../../core/rate-limit/window.ts';
import { equalInConstantTime } from '../../../lib/digest.ts';
import type { Admission, AdmitRequest, KeyRefusal } from '../../../operations/verify/port.ts';
import type { AccountContext } from '../context.ts';
import { findKey } from '../keys.ts';
import type { StoredKey } from '../keys.ts';
import { keptOutcome } from '../outcomes/calls.ts';
import { countFreeAnswers, freeAnswersLeftOf } from './free-answers.ts';
import { readSuspension } from '../suspension.ts';
import type { Suspension } from '../suspension.ts';
import { findBegun, recordVerification, unansweredSince } from '../verifications/calls.ts';
import { trialOf } from './grants.ts';
import { findCall, recordCall } from './keyed-calls.ts';
import { findLate } from './late-answers.ts';
import { releaseReservation } from './reservations.ts';
import { requireState, usageAt, viewOfBalance } from './books.ts';
import { RESERVATION_LIFETIME_MS } from './row.ts';
import type { AccountState, LedgerLine } from './row.ts';

/** The account's knowledge about an incoming request. */
export interface Visit {
	readonly state: AccountState;
	readonly key: StoredKey | null;
	readonly suspension: Suspension;
	/** The ledger has a line of the reservation. */
	readonly isInLedger: boolean;
}

/** The answer to a request, and what has to be written for it: nothing where `next` is null. */
export interface Decision {
	readonly admission: Admission;
	readonly next: AccountState | null;
	/** The open line of the reservation. */
	readonly line: LedgerLine | null;
}

/** Decides on a request: key not revoked, then usage, then window, then the reservation. Writes nothing. */
export function decideAdmission(visit: Visit, request: AdmitRequest): Decision {
	const { state, isInLedger } = visit;
	const { keyId, category, windowMs, now, reservation } = request;
	const view = (at: AccountState) =>
		viewOf(at.windows[category] ?? null, limitOf(at, category), windowMs, now);
	const admitted = (at: AccountState): Admission => {
		return { kind: 'admitted', window: view(at), balance: viewOfBalance(at), job: null };
	};
	if (isInLedger) return unchanged(admitted(state));

	const because = refusalFor(visit, request);
	// A refused request uses up nothing of the account: neither window, nor usage, nor a written row.
	if (because !== null) return unchanged(refusalOf(request, because));

	const entered = admit(state.windows[category] ?? null, limitOf(state, category), windowMs, now);
	const windows = { ...state.windows, [category]: entered.window };
	// Nothing is written for a refused request: a flood of them must not cost a row each.
	if (!entered.admitted) {
		return unchanged({ kind: 'rate_limited', window: view({ ...state, windows }) });
	}
	const counted = { ...state, windows, today: countRequest(usageAt(state.today, now), keyId, now) };
	const window = view(counted);
	if (reservation === null) return { admission: admitted(counted), next: counted, line: null };
	const { id, credits } = reservation;
	const balance = reserve(counted.balance, credits);
	if (balance === null) {
		const admission = {
			kind: 'insufficient_credits',
			window,
			available: available(counted.balance),
		} as const;
		return { admission, next: counted, line: null };
	}
	const line = { at: now, id, keyId, credits, charged: null, closedAt: null, outcome: null };
	// If the clock went back, this reservation may be older than `settledBefore`: move that back, or it is not found.
	const settledBefore = Math.min(state.settledBefore, now);
	const next = { ...counted, balance, settledBefore };
	return { admission: admitted(next), next, line };
}

/** The answer for an account that was never opened: nothing is written for it. */
export function refuseUnopened(request: AdmitRequest): Admission {
	return refusalOf(request, 'unknown');
}

/** Why the key of a request is refused, or null. Only the account's own keys learn of its suspension or end. */
export function refusalFor(
	{ key, suspension }: Pick<Visit, 'key' | 'suspension'>,
	request: Pick<AdmitRequest, 'secretHash' | 'scopes' | 'now'>,
): KeyRefusal | null {
	const { secretHash, scopes, now } = request;
	if (secretHash !== null && (key === null || !equalInConstantTime(key.secretHash, secretHash)))
		return 'unknown';
	if ((key?.revokedAt ?? null) !== null) return 'revoked';
	if (suspension.closedAt !== null) return 'unknown';
	if (key !== null && isExpired(key, now)) return 'expired';
	if (suspension.suspendedAt !== null) return 'suspended';
	return key === null || isInScope(key.scopes, scopes) ? null : 'out_of_scope';
}

/** Reveals nothing of the account's windows: the one it tells is unused. */
function refusalOf({ category, windowMs, now }: AdmitRequest, because: KeyRefusal): Admission {
	const window = viewOf(null, DEFAULT_LIMITS[category], windowMs, now);
	return { kind: 'unauthenticated', window, because };
}

function unchanged(admission: Admission): Decision {
	return { admission, next: null, line: null };
}

/**
 * Admits a request: key not revoked, then usage, window and reservation. Says whether the request may put a question to a
 * mail host, and reads the job that it asks about. A request that was begun before reserves nothing again.
 */
export function admitRequest(account: AccountContext, request: AdmitRequest): Admission {
	const { call, reservation, now, jobId, outcomeOf, inHistory = false, takesLate = false } = request;
	const found = call === undefined ? null : findCall(account, { call, now });
	// This very call, repeated on its way to the object, is no earlier one.
	const isOwn = found?.kind === 'under_way' && found.reservation.id === reservation?.id;
	const earlier = isOwn ? null : found;
	const isBegun =
		earlier === null && inHistory && reservation !== null && isBegunBefore(account, reservation.id, now);
	const isLateAsked = takesLate && earlier === null && !isBegun && outcomeOf !== undefined;
	const late = isLateAsked ? findLate(account, { digests: outcomeOf, now }) : null;
	// Under an Idempotency-Key the answer is remembered with a reservation, which is released.
	const isPaid = late?.kind === 'answered' && late.isPaid && call === undefined;
	const isRepeat = earlier !== null || isBegun || isPaid;
	const admission = admitVisit(account, isRepeat ? { ...request, reservation: null } : request);
	if (admission.kind !== 'admitted') return admission;
	const asking =
		reservation === null ? {} : { mayAsk: freeAnswersLeftOf(account, now) > 0, ...trialOf(account) };
	if (earlier !== null) return { ...admission, ...asking, earlier };
	if (isBegun) return { ...admission, ...asking, isBegun };
	if (isPaid) return { ...admission, ...asking, late };
	if (reservation !== null) {
		const made = { id: reservation.id, at: now };
		if (call !== undefined && !isOwn) recordCall(account, call, made);
		if (inHistory) recordVerification(account, made);
		account.wakeBy(releaseAt(now, account.now()));
	}
	return {
		...admission,
		...asking,
		...(jobId === undefined ? {} : { job: account.jobs.findJob(jobId) }),
		...(outcomeOf === undefined ? {} : { outcome: keptOutcome(account.sql, outcomeOf, now) }),
		...(late === null ? {} : { late }),
	};
}

/** Whether another call began the verification before. Releases the reservation of a call that died. */
function isBegunBefore(account: AccountContext, id: string, now: number): boolean {
	const { sql, credits } = account;
	const since = unansweredSince(sql, id);
	// This very call, repeated on its way to the object.
	if (since === now) return false;
	if (findBegun(account, { id, at: null, now }) !== null) return true;
	// Its Worker may have put the question, and may still be at work.
	if (since !== null && releaseReservation(credits, { id, at: since }, now)) countFreeAnswers(sql, 1, now);
	return false;
}

/** When an unsettled reservation is released. One made by a clock far behind ours still gets its full lifetime. */
function releaseAt(madeAt: number, now: number): number {
	return (madeAt + RESERVATION_LIFETIME_MS > now ? madeAt : now) + RESERVATION_LIFETIME_MS;
}

function admitVisit({ sql, credits }: AccountContext, request: AdmitRequest): Admission {
	const state = credits.exists ? credits.read() : null;
	if (state === null) return refuseUnopened(request);
	const { keyId, now, reservation } = request;
	const isInLedger = reservation !== null && credits.findLine(now, reservation.id) !== null;
	const found = findKey(sql, keyId);
	const key = found?.browser === null ? found : null;
	const visit = { state, key, suspension: readSuspension(sql), isInLedger };
	const { admission, next, line } = decideAdmission(visit, request);
	if (next === null) return admission;
	if (next.today.day !== state.today.day) credits.archiveDay(state.today);
	credits.write(line === null ? next : credits.insertLine(next, { ...line, kind: 'verification' }));
	return admission;
}

/** Replaces the given limits and returns all limits. */
export function setLimits({ credits }: AccountContext, limits: Partial<Limits>): Limits {
	const state = requireState(credits);
	const next = { ...state, limits: { ...state.limits, ...limits } };
	credits.write(next);
	return { ...DEFAULT_LIMITS, ...next.limits };
}

function limitOf(state: AccountState, category: Category): number {
	return state.limits[category] ?? DEFAULT_LIMITS[category];
}
