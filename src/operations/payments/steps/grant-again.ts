import { grantIdOf, refundIdOf } from '../../../core/payments/purchase-ids.ts';
import type { AccountRef } from '../../accounts/port.ts';
import type { PaymentServices } from '../port.ts';

// The newest; whatever is older than a month stands in the account at any time that it can go back to.
const MOST = 1_000;

/**
 * Grants what the account has paid for and does not know of, and takes back what was refunded: the daily work asks about
 * open purchases alone. Each has its id, so what stands in the account counts once. Returns the ids of the purchases that
 * were granted or taken back now, and of those that a person has to look at.
 */
export async function grantAgain(
	{ accounts, clock, purchases }: Pick<PaymentServices, 'accounts' | 'clock' | 'purchases'>,
	{ accountId }: AccountRef,
): Promise<{ readonly granted: readonly string[]; readonly toReview: readonly string[] }> {
	const account = accounts(accountId);
	const granted: string[] = [];
	const toReview: string[] = [];
	for (const { id, credits, state } of await purchases.listOf(accountId, MOST)) {
		const changes = state === 'paid' || state === 'refunded' ? [{ id: grantIdOf(id), credits }] : [];
		if (state === 'refunded') changes.push({ id: refundIdOf(id), credits: -credits });
		const kinds: string[] = [];
		for (const change of changes) kinds.push((await account.grant({ ...change, now: clock.now() })).kind);
		if (state === 'review' || kinds.some((kind) => kind !== 'granted' && kind !== 'repeated'))
			toReview.push(id);
		else if (kinds.includes('granted')) granted.push(id);
	}
	return { granted, toReview };
}
