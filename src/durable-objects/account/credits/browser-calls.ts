import { available } from '../../../core/credits/balance.ts';
import { PRICE } from '../../../core/credits/price.ts';
import { countOutcome, countRequest } from '../../../core/credits/usage.ts';
import type { BrowserKey } from '../../../core/keys/browser-key.ts';
import type {
	BrowserCall,
	BrowserCallSettled,
	BrowserCaller,
	KeyRefusal,
} from '../../../operations/verify/port.ts';
import type { AccountContext } from '../context.ts';
import { findKey } from '../keys.ts';
import { readSuspension } from '../suspension.ts';
import { refusalFor } from './admission.ts';
import { requireState, runningDay } from './books.ts';
import { settleReservation } from './reservations.ts';

/** The settings of a key for browsers, or why it is refused. Writes nothing. */
export function findBrowserKey(
	{ sql, credits }: AccountContext,
	{ keyId, secretHash, now }: BrowserCaller,
): BrowserKey | { readonly because: KeyRefusal } {
	const key = credits.exists ? findKey(sql, keyId) : null;
	if (key === null || key.browser === null) return { because: 'unknown' };
	const visit = { key, suspension: readSuspension(sql) };
	const because = refusalFor(visit, { secretHash, scopes: 'any key', now });
	return because === null ? key.browser : { because };
}

/**
 * Counts a call with a key for browsers, and charges what it proved, in one step. It counts on the key's own day and
 * neither on the account's windows nor on its free answers: visitors of a page can't slow down their owner's programs.
 *
 * A call that proved nothing writes one row. The same charged call again changes nothing.
 */
export function settleBrowserCall(account: AccountContext, call: BrowserCall): BrowserCallSettled {
	const { keyId, origin, outcome, id, now } = call;
	const { credits } = account;
	const settings = findBrowserKey(account, call);
	if ('because' in settings) return { kind: 'refused', because: settings.because };
	if (!settings.origins.includes(origin)) return { kind: 'other_origin' };
	const charges = outcome !== null && outcome !== 'unknown';
	if (charges && credits.findLine(now, id) !== null) return { kind: 'counted', isPaid: true };
	const state = requireState(credits);
	const today = runningDay(credits, state, now);
	if ((today.keys[keyId]?.requests ?? 0) >= settings.dailyLimit) return { kind: 'day_is_over' };
	const requested = countRequest(today, keyId, now);
	const counted = {
		...state,
		today: outcome === 'unknown' ? countOutcome(requested, keyId, outcome, 0) : requested,
	};
	credits.write(counted);
	if (!charges) return { kind: 'counted', isPaid: true };
	if (available(state.balance) < PRICE.single) return { kind: 'counted', isPaid: false };
	const hold = { keyId, credits: PRICE.single, countedOn: null };
	settleReservation(account, { reservation: { id, at: now }, hold, outcome, now });
	return { kind: 'counted', isPaid: true };
}
