import type { AccountRef } from '../../accounts/port.ts';
import type { PaymentServices } from '../port.ts';
import { bookPurchase } from './book-purchase.ts';

// The newest; whatever is older than a month stands in the account at any time that it can go back to.
const MOST = 1_000;

/**
 * Grants what the account has paid for and does not know of, and takes back what was refunded or disputed: the daily work asks about
 * open purchases alone. Each has its id, so what stands in the account counts once. Returns the ids of the purchases that
 * were granted or taken back now, and of those that a person has to look at.
 */
export async function grantAgain(
	services: Pick<PaymentServices, 'accounts' | 'clock' | 'purchases'>,
	{ accountId }: AccountRef,
): Promise<{ readonly granted: readonly string[]; readonly toReview: readonly string[] }> {
	const granted: string[] = [];
	const toReview: string[] = [];
	for (const purchase of await services.purchases.listOf(accountId, MOST)) {
		const { id, state } = purchase;
		if (state === 'open' || state === 'ended') continue;
		const booked = state === 'review' ? null : await bookPurchase(services, purchase, state);
		if (booked === null || !booked.isDone) toReview.push(id);
		else if (booked.isNew) granted.push(id);
	}
	return { granted, toReview };
}
