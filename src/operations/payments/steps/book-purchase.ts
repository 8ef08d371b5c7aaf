import { grantIdOf, heldIdOf, lostIdOf, refundIdOf, returnedIdOf } from '../../../core/payments/purchase.ts';
import type { PurchaseState } from '../../../core/payments/purchase.ts';
import type { GrantResult } from '../../accounts/port.ts';
import type { PaymentServices, Purchase } from '../port.ts';

/** The credits of a purchase after its booking. */
export interface Booked {
	/** False: the account did not take a change, so that a person has to look. */
	readonly isDone: boolean;
	/** Something was changed now. */
	readonly isNew: boolean;
	/** Credits of a disputed purchase that the account has spent. */
	readonly missing: number;
}

/**
 * Brings the credits of an account to where a purchase stands. Each change has an id of its own, so a repetition changes
 * nothing, and a step that was left out is caught up.
 */
export async function bookPurchase(
	{ accounts, clock }: Pick<PaymentServices, 'accounts' | 'clock'>,
	{ id, accountId, credits }: Purchase,
	state: Exclude<PurchaseState, 'open' | 'ended' | 'review'>,
): Promise<Booked> {
	const account = accounts(accountId);
	let isDone = true;
	let isNew = false;
	const book = async (grantId: string, amount: number, atMost = false): Promise<number> => {
		const booked: GrantResult = await account.grant({
			id: grantId,
			credits: amount,
			now: clock.now(),
			atMost,
		});
		isNew ||= booked.kind === 'granted';
		if (booked.kind === 'granted' || booked.kind === 'repeated') return booked.credits;
		isDone = false;
		return 0;
	};
	await book(grantIdOf(id), credits);
	const end = (missing = 0): Booked => ({ isDone, isNew, missing });
	if (!isDone || state === 'paid') return end();
	if (state === 'refunded') {
		await book(refundIdOf(id), -credits);
		return end();
	}
	// Also where the dispute is over before we heard of it: a late request that still saw it open finds this id taken.
	const held = 0 - (await book(heldIdOf(id), -credits, true));
	if (state === 'dispute_won') {
		if (held > 0) await book(returnedIdOf(id), held);
		return end();
	}
	if (state === 'disputed' || held === credits) return end(credits - held);
	// Credits that were in work when the dispute began may be free by now.
	const rest = 0 - (await book(lostIdOf(id), held - credits, true));
	return end(credits - held - rest);
}
