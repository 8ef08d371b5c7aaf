import { isExpired, isInScope } from '../../../core/keys/scopes.ts';
import { available, viewOfBalance } from '../../../core/credits/balance.ts';
import { admit, DEFAULT_LIMITS, viewOf } from '../../../core/rate-limit/window.ts';
import type { Limits } from '../../../core/rate-limit/window.ts';
import { equalInConstantTime } from '../../../lib/digest.ts';
import type { Admission, AdmitRequest, KeyRefusal } from '../../../operations/verify/port.ts';
import type { AccountContext } from '../context.ts';
import { beginCall, findEarlier } from '../idempotency.ts';
import { findJob } from '../jobs/record.ts';
import { findKey } from '../keys.ts';
import { findOutcome } from '../outcomes.ts';
import { freeAnswersLeftOf, patienceOf } from './books.ts';
import { payerOf } from './grants.ts';
import { countVisit } from './settle.ts';
import type { AccountState } from './storage.ts';

/**
 * Admits a request: key not revoked, then window, then the credits, which a single call holds in memory. Says whether
 * the request may put a question to a mail host, and reads the job that it asks about. A repeat under a key reserves
 * nothing again.
 */
export function admitRequest(account: AccountContext, request: AdmitRequest): Admission {
	const { sql, credits } = account;
	const { keyId, category, windowMs, now, reservation, call } = request;
	const state = credits.read();
	// Nothing is written for an account that was never opened.
	if (state === null) return refusalOf(request, 'unknown');
	const { holds } = credits;
	const limit = state.limits[category] ?? DEFAULT_LIMITS[category];
	const window = holds.windowOf(category, state.windows[category] ?? null);
	const balance = viewOfBalance(state);
	const ref = reservation === null ? null : { id: reservation.id, at: now };
	// This very call, repeated on its way to the object.
	const repeated = ref === null ? null : holds.find(ref);
	if (ref !== null && repeated !== null) {
		const begun = { reservation: ref, hold: repeated, window: viewOf(window, limit, windowMs, now) };
		return { kind: 'admitted', balance, ...begun, ...findAlong(account, request) };
	}
	// A refused request uses up nothing of the account: neither window, nor usage, nor a written row.
	const because = refusalFor(account, state, request);
	if (because !== null) return refusalOf(request, because);
	const entered = admit(window, limit, windowMs, now);
	const view = viewOf(entered.window, limit, windowMs, now);
	// Nothing is written for a refused request: a flood of them must not cost a row each.
	if (!entered.admitted) return { kind: 'rate_limited', window: view };
	const { startedAt } = entered.window;
	const countedOn = { category, startedAt, endsAt: startedAt + windowMs };

	const earlier = findEarlier(sql, request);
	const taken = earlier?.kind === 'abandoned' ? earlier.reservation : null;
	const held = taken === null ? null : holds.find(taken);
	const left = available(state);
	const begins = earlier === null || taken !== null ? (taken ?? ref) : null;
	// The object may have left memory since, and with it the credits that a dead Worker held.
	const isPoor = begins !== null && held === null && left < (reservation?.credits ?? 0);
	// A new call is counted with its settlement.
	const isCounted = begins === null || taken !== null || isPoor;
	if (isCounted) credits.write(countVisit(credits, state, { keyId, countedOn }, now));
	if (isPoor) return { kind: 'insufficient_credits', window: view, available: left };
	const admitted = { kind: 'admitted', window: view, balance, ...findAlong(account, request) } as const;
	if (earlier !== null && earlier.kind !== 'abandoned') return { ...admitted, earlier };
	if (begins === null || reservation === null) return admitted;
	const hold = held ?? { keyId, credits: reservation.credits, countedOn: isCounted ? null : countedOn };
	holds.take(begins, hold);
	if (call !== undefined) beginCall(account, call, begins, now);
	const after = viewOfBalance({ ...state, held: holds.credits });
	return { ...admitted, balance: after, reservation: begins, hold };
}

/** Whether the request may put a question to a mail host, and for whom; the records that it asks for. */
function findAlong(account: AccountContext, { reservation, now, jobId, outcomeOf }: AdmitRequest) {
	const payer = () => ({ ...payerOf(account), ...patienceOf(account, now) });
	return {
		...(reservation === null ? {} : { mayAsk: freeAnswersLeftOf(account, now) > 0, payer: payer() }),
		job: jobId === undefined ? null : findJob(account, jobId),
		...(outcomeOf === undefined ? {} : { outcome: findOutcome(account.sql, outcomeOf, now) }),
	};
}

/** Why the key of a request is refused, or null. Only the account's own keys learn of its suspension or end. */
function refusalFor(
	{ sql }: AccountContext,
	{ closedAt, suspendedAt }: AccountState,
	{ keyId, secretHash, scopes, now }: AdmitRequest,
): KeyRefusal | null {
	const key = findKey(sql, keyId);
	if (secretHash !== null && (key === null || !equalInConstantTime(key.secretHash, secretHash)))
		return 'unknown';
	if ((key?.revokedAt ?? null) !== null) return 'revoked';
	if (closedAt !== null) return 'unknown';
	if (key !== null && isExpired(key, now)) return 'expired';
	if (suspendedAt !== null) return 'suspended';
	return key === null || isInScope(key.scopes, scopes) ? null : 'out_of_scope';
}

/** Reveals nothing of the account's windows: the one it tells is unused. */
function refusalOf({ category, windowMs, now }: AdmitRequest, because: KeyRefusal): Admission {
	const window = viewOf(null, DEFAULT_LIMITS[category], windowMs, now);
	return { kind: 'unauthenticated', window, because };
}

/** Replaces the given limits and returns all limits. */
export function setLimits({ credits }: AccountContext, limits: Partial<Limits>): Limits {
	const state = credits.require();
	const next = { ...state, limits: { ...state.limits, ...limits } };
	credits.write(next);
	return { ...DEFAULT_LIMITS, ...next.limits };
}
