import { available, reserve } from '../../../core/credits/balance.ts';
import { countRequest } from '../../../core/credits/usage.ts';
import { DEFAULT_LIMITS } from '../../../core/rate-limit/policy.ts';
import type { Category } from '../../../core/rate-limit/policy.ts';
import { admit, viewOf } from '../../../core/rate-limit/window.ts';
import { equalInConstantTime } from '../../../lib/constant-time.ts';
import type { Admission, AdmitRequest } from '../../../operations/verify/port.ts';
import { usageAt, viewOfBalance } from './books.ts';
import { findWaiting, withReservation } from './reservations.ts';
import type { AccountState, LedgerLine } from './row.ts';
import type { Visit } from '../storage.ts';

/** What a request is answered, and what has to be written for it: nothing where `next` is null. */
export interface Decision {
	readonly admission: Admission;
	readonly next: AccountState | null;
	/** An open line that has no place in the row. */
	readonly spilled: LedgerLine | null;
}

/** Decides on a request: key not revoked, then usage, then window, then the reservation. Writes nothing. */
export function decideAdmission({ state, key, isShut, isInLedger }: Visit, request: AdmitRequest): Decision {
	const { keyId, secretHash, category, windowMs, now, reservation } = request;
	const view = (at: AccountState) =>
		viewOf(at.windows[category] ?? null, limitOf(at, category), windowMs, now);
	const admitted = (at: AccountState): Admission => {
		return { kind: 'admitted', window: view(at), balance: viewOfBalance(at), job: null };
	};
	const waiting = reservation === null ? null : findWaiting(state, { id: reservation.id, at: now });
	if (isInLedger || waiting !== null) return unchanged(admitted(state));

	const known = secretHash === null || (key !== null && equalInConstantTime(key.secretHash, secretHash));
	const isRevoked = known && (key?.revokedAt ?? null) !== null;
	// Whoever is refused uses up nothing of the account: neither its window nor its usage, nor a row.
	if (!known || isRevoked || isShut) return unchanged(refusalOf(request, isRevoked));

	const entered = admit(state.windows[category] ?? null, limitOf(state, category), windowMs, now);
	const windows = { ...state.windows, [category]: entered.window };
	// Nothing is stored for a refused request: a flood of them must not cost a row each.
	if (!entered.admitted) {
		return unchanged({ kind: 'rate_limited', window: view({ ...state, windows }) });
	}
	const counted = { ...state, windows, today: countRequest(usageAt(state.today, now), keyId, now) };
	const window = view(counted);
	if (reservation === null) return { admission: admitted(counted), next: counted, spilled: null };
	const { id, credits } = reservation;
	const balance = reserve(counted.balance, credits);
	if (balance === null) {
		const admission = {
			kind: 'insufficient_credits',
			window,
			available: available(counted.balance),
		} as const;
		return { admission, next: counted, spilled: null };
	}
	const line = { at: now, id, keyId, credits, charged: null, closedAt: null };
	// A clock that went back makes reservations in a time that was closed: it is open again, or they would not be found.
	const settledBefore = Math.min(state.settledBefore, now);
	const { next, spilled } = withReservation({ ...counted, balance, settledBefore }, line);
	return { admission: admitted(next), next, spilled };
}

/** The answer to somebody whose account was never opened: nothing is written for it. */
export function refuseStranger(request: AdmitRequest): Admission {
	return refusalOf(request, false);
}

/** Tells nothing of the account: the window is one that nobody has used. */
function refusalOf({ category, windowMs, now }: AdmitRequest, isRevoked: boolean): Admission {
	const window = viewOf(null, DEFAULT_LIMITS[category], windowMs, now);
	return { kind: 'unauthenticated', window, isRevoked };
}

function unchanged(admission: Admission): Decision {
	return { admission, next: null, spilled: null };
}

function limitOf(state: AccountState, category: Category): number {
	return state.limits[category] ?? DEFAULT_LIMITS[category];
}
