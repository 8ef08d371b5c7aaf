import { formatMoney } from '../../core/payments/packs.ts';
import { purchaseIdOf } from '../../core/payments/purchase-ids.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { PaymentServices } from './port.ts';

export interface BeginPurchaseRequest {
	/** Names the pack. */
	readonly credits: number;
	/** What is bought, in words. */
	readonly what: string;
	readonly email: string;
	/** The form that was sent: the same one again leads to the same checkout. */
	readonly formId: string;
	/** Our own URL. */
	readonly base: string;
}

export type BeginPurchaseResult =
	/** Where it is paid. */
	| { readonly kind: 'begun'; readonly url: string }
	/** The same form led to a purchase that has come to its end. */
	| { readonly kind: 'over'; readonly purchaseId: string }
	/** The pack is not sold, or nothing is. */
	| { readonly kind: 'not_sold' };

/**
 * Writes down what an account is about to buy, and makes its checkout. If we die after either, nobody was sent to pay:
 * the same form leads to the same purchase.
 */
export async function beginPurchase(
	services: PaymentServices,
	account: AccountRef,
	request: BeginPurchaseRequest,
): Promise<BeginPurchaseResult> {
	const { checkout, clock, packs, purchases } = services;
	const { accountId } = account;
	const { credits, formId, base, what, email } = request;
	const pack = packs.find((each) => each.credits === credits);
	if (checkout === null || pack === undefined) return { kind: 'not_sold' };
	const purchase = await purchases.insert({
		id: purchaseIdOf(accountId, formId, credits),
		accountId,
		credits,
		price: pack.price,
		state: 'open',
		createdAt: clock.now(),
		changedAt: null,
		sessionId: null,
		paymentId: null,
		receiptUrl: null,
	});
	if (purchase.state !== 'open') return { kind: 'over', purchaseId: purchase.id };
	// The page showed the old price to whoever sent its form before the price was changed.
	if (formatMoney(purchase.price) !== formatMoney(pack.price)) return { kind: 'not_sold' };
	const session = await checkout.create({
		purchase,
		what,
		email,
		successUrl: new URL(`/dashboard/credits/purchases/${purchase.id}`, base).href,
		cancelUrl: new URL('/dashboard/credits/add?left=yes', base).href,
	});
	if (await purchases.attach(purchase.id, session.id)) return { kind: 'begun', url: session.url };
	throw new ServiceError('upstream_unavailable', 'This purchase has another checkout already');
}
