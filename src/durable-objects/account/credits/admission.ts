import type { BegunVerification } from '../../../operations/verify/history-port.ts';
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
import { countFreeAnswers, freeAnswersLeftOf, patienceOf } from './free-answers.ts';
import { readSuspension } from '../suspension.ts';
import type { Suspension } from '../suspension.ts';
import { findBegun, recordVerification, unansweredSince } from '../verifications/calls.ts';
import { payerOf } from './grants.ts';
import { findCall, recordCall } from './keyed-calls.ts';
import { findLate } from './late-answers.ts';
import { countVisit, releaseReservation } from './reservations.ts';
import { requireState, usageAt, viewOfBalance } from './books.ts';
import type { AccountState } from './row.ts';
import type { CreditStorage } from './storage.ts';

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
 * the request may put a question to a mail host, and reads the job that it asks about. A request that was begun before
 * reserves nothing again.
 */
export function admitRequest(account: AccountContext, request: AdmitRequest): Admission {
	const { call, keyId, reservation, now, jobId, outcomeOf, inHistory = false, takesLate = false } = request;
	const found = call === undefined ? null : findCall(account, { call, now });
	// This very call, repeated on its way to the object, is no earlier one.
	const isOwn = found?.kind === 'under_way' && found.reservation.id === reservation?.id;
	const earlier = isOwn ? null : found;
	const begun = earlier === null && inHistory ? begunBefore(account, request) : null;
	const isLateAsked = takesLate && earlier === null && begun === null && outcomeOf !== undefined;
	const late = isLateAsked ? findLate(account, { digests: outcomeOf, now }) : null;
	// Under an Idempotency-Key the answer is remembered with a reservation, which is released.
	const isPaid = late?.kind === 'answered' && late.isPaid && call === undefined;
	const isRepeat = earlier !== null || begun !== null || isPaid;
	const admission = admitVisit(account, isRepeat ? { ...request, reservation: null } : request);
	if (admission.kind !== 'admitted') return admission;
	const asking = reservation === null ? {} : askingOf(account, now);
	if (earlier !== null) {
		// A repeat may do the work of the call, whose reservation only the memory knows.
		const taken = reservation === null ? null : { keyId, credits: reservation.credits, countedOn: null };
		return { ...admission, ...asking, earlier, ...(taken === null ? {} : { hold: taken }) };
	}
	if (begun !== null) return { ...admission, ...asking, begun };
	if (isPaid) return { ...admission, ...asking, late };
	if (reservation !== null) {
		const made = { id: reservation.id, at: now };
		if (call !== undefined && !isOwn) recordCall(account, call, made);
		if (inHistory) recordVerification(account, made);
	}
	return {
		...admission,
		...asking,
		...(jobId === undefined ? {} : { job: account.jobs.findJob(jobId) }),
		...(outcomeOf === undefined ? {} : { outcome: findOutcome(account.sql, outcomeOf, now) }),
		...(late === null ? {} : { late }),
	};
}

/** Whether the request may put a question to a mail host, and for whom. */
function askingOf(account: AccountContext, now: number) {
	const payer = { ...payerOf(account), ...patienceOf(account, now) };
	return { mayAsk: freeAnswersLeftOf(account, now) > 0, payer };
}

/** The state of the verification that another call began before; null: none. Ends that of a Worker that died. */
function begunBefore(account: AccountContext, request: AdmitRequest): BegunVerification | null {
	const { sql } = account;
	const { keyId, reservation, now } = request;
	if (reservation === null) return null;
	const { id, credits } = reservation;
	const since = unansweredSince(sql, id);
	// This very call, repeated on its way to the object.
	if (since === now) return null;
	const begun = findBegun(account, { id, now });
	if (begun !== null || since === null) return begun;
	const hold = { keyId, credits, countedOn: null };
	// Its Worker may have put the question, and may still be at work.
	if (releaseReservation(account, { reservation: { id, at: since }, hold, now }))
		countFreeAnswers(sql, 1, now);
	return null;
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
	if (countedOn !== null) countOnly(credits, state, { keyId, countedOn }, now);
	else if (call !== null && admission.kind === 'admitted' && admission.hold !== undefined)
		credits.holds.take(call, admission.hold);
	return admission;
}

/** Counts a request that spends nothing. The first one of a day is written at once: it ends the day before. */
function countOnly(
	credits: CreditStorage,
	state: AccountState,
	{ keyId, countedOn }: { readonly keyId: string; readonly countedOn: CountedOn },
	now: number,
): void {
	const isSameDay = usageAt(state.today, now) === state.today;
	if (isSameDay && credits.visits.mayWait) credits.visits.count(keyId, countedOn, state, now);
	else credits.write(countVisit(credits, state, { keyId, countedOn }, now));
}

/** Writes the requests that were counted in memory. */
export function writeVisits({ credits }: Pick<AccountContext, 'credits'>): void {
	const state = credits.visits.isEmpty ? null : credits.read();
	if (state !== null) credits.write(state);
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
