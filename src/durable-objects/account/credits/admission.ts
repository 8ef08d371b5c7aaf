import { isExpired, isInScope } from '../../../core/keys/scopes.ts';
import { available } from '../../../core/credits/balance.ts';
import { admit, DEFAULT_LIMITS, viewOf } from '../../../core/rate-limit/window.ts';
import type { Category, CountedOn, Limits, Window, WindowView } from '../../../core/rate-limit/window.ts';
import { equalInConstantTime } from '../../../lib/digest.ts';
import type { Admission, AdmitRequest, Hold, KeyRefusal } from '../../../operations/verify/port.ts';
import type { AccountContext } from '../context.ts';
import { findKey } from '../keys.ts';
import type { StoredKey } from '../keys.ts';
import { findOutcome } from '../outcomes/storage.ts';
import { freeAnswersLeftOf, patienceOf } from './free-answers.ts';
import { readSuspension } from '../suspension.ts';
import type { Suspension } from '../suspension.ts';
import { beginCall, findEarlier } from '../idempotency.ts';
import { payerOf } from './grants.ts';
import { countVisit } from './reservations.ts';
import { requireState, viewOfBalance } from './books.ts';
import type { AccountState } from './row.ts';

/** The account's knowledge about an incoming request. */
export interface Visit {
	readonly state: AccountState;
	/** The window of the request's category, with the calls under way. */
	readonly window: Window | null;
	readonly key: StoredKey | null;
	readonly suspension: Suspension;
	/** This very call, repeated on its way to the object. */
	readonly held: Hold | null;
}

/** The answer to a request, and on what it is counted at once: on nothing where `countedOn` is null. */
export interface Decision {
	readonly admission: Admission;
	readonly countedOn: CountedOn | null;
}

/** Decides on a request: key not revoked, then usage, then window, then the credits. Writes nothing. */
export function decideAdmission(visit: Visit, request: AdmitRequest): Decision {
	const { state, window, held } = visit;
	const { keyId, category, windowMs, now, reservation } = request;
	const limit = limitOf(state, category);
	const balance = viewOfBalance(state);
	const view = (at: Window | null): WindowView => viewOf(at, limit, windowMs, now);
	const admitted = { kind: 'admitted', balance, job: null } as const;
	if (held !== null) return uncounted({ ...admitted, window: view(window), hold: held });

	const because = refusalFor(visit, request);
	// A refused request uses up nothing of the account: neither window, nor usage, nor a written row.
	if (because !== null) return uncounted(refusalOf(request, because));

	const entered = admit(window, limit, windowMs, now);
	// Nothing is written for a refused request: a flood of them must not cost a row each.
	if (!entered.admitted) return uncounted({ kind: 'rate_limited', window: view(entered.window) });
	const { startedAt } = entered.window;
	const countedOn = { category, startedAt, endsAt: startedAt + windowMs };
	const entry = { ...admitted, window: view(entered.window) };
	if (reservation === null) return { admission: entry, countedOn };
	const { credits } = reservation;
	const left = available(state.balance);
	if (left < credits)
		return { admission: { kind: 'insufficient_credits', window: entry.window, available: left }, countedOn };
	const { availableCredits, reservedCredits } = balance;
	const after = {
		...balance,
		availableCredits: availableCredits - credits,
		reservedCredits: reservedCredits + credits,
	};
	return uncounted({ ...entry, balance: after, hold: { keyId, credits, countedOn } });
}

/** The answer for an account that was never opened: nothing is written for it. */
export function refuseUnopened(request: AdmitRequest): Admission {
	return refusalOf(request, 'unknown');
}

/** Why the key of a request is refused, or null. Only the account's own keys learn of its suspension or end. */
function refusalFor(
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

function uncounted(admission: Admission): Decision {
	return { admission, countedOn: null };
}

/**
 * Admits a request: key not revoked, then usage, window and credits, which a single call holds in memory. Says whether
 * the request may put a question to a mail host, and reads the job that it asks about. A repeat under a key reserves
 * nothing again.
 */
export function admitRequest(account: AccountContext, request: AdmitRequest): Admission {
	const { call, keyId, reservation, now, jobId, outcomeOf } = request;
	const earlier = findEarlier(account, request);
	const admission = admitVisit(account, earlier === null ? request : { ...request, reservation: null });
	if (admission.kind !== 'admitted') return admission;
	const entered = {
		...admission,
		...(reservation === null ? {} : askingOf(account, now)),
		...(jobId === undefined ? {} : { job: account.jobs.findJob(jobId) }),
		...(outcomeOf === undefined ? {} : { outcome: findOutcome(account.sql, outcomeOf, now) }),
	};
	if (reservation === null) return entered;
	if (earlier === null) {
		if (call !== undefined) beginCall(account, call, { id: reservation.id, at: now }, now);
		return entered;
	}
	if (earlier.kind !== 'abandoned' || call === undefined) return { ...entered, earlier };
	const { holds } = account.credits;
	const held = holds.find(earlier.reservation);
	const { window, balance } = admission;
	// The object has left memory since, and with it what the dead Worker held.
	if (held === null && balance.availableCredits < reservation.credits)
		return { kind: 'insufficient_credits', window, available: balance.availableCredits };
	const hold = held ?? { keyId, credits: reservation.credits, countedOn: null };
	holds.take(earlier.reservation, hold);
	beginCall(account, call, earlier.reservation, now);
	return { ...entered, earlier, hold };
}

/** Whether the request may put a question to a mail host, and for whom. */
function askingOf(account: AccountContext, now: number) {
	const payer = { ...payerOf(account), ...patienceOf(account, now) };
	return { mayAsk: freeAnswersLeftOf(account, now) > 0, payer };
}

function admitVisit({ sql, credits }: AccountContext, request: AdmitRequest): Admission {
	const state = credits.exists ? credits.read() : null;
	if (state === null) return refuseUnopened(request);
	const { keyId, category, now, reservation } = request;
	const call = reservation === null ? null : { id: reservation.id, at: now };
	const { admission, countedOn } = decideAdmission(
		{
			state,
			window: credits.holds.windowOf(category, state.windows[category] ?? null),
			key: findKey(sql, keyId),
			suspension: readSuspension(sql),
			held: call === null ? null : credits.holds.find(call),
		},
		request,
	);
	if (countedOn !== null) credits.write(countVisit(credits, state, { keyId, countedOn }, now));
	else if (call !== null && admission.kind === 'admitted' && admission.hold !== undefined)
		credits.holds.take(call, admission.hold);
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
