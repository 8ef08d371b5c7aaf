import { judgeSession } from '../../../core/payments/judge-session.ts';
import type { CheckoutSession } from '../../../core/payments/judge-session.ts';
import { grantIdOf, refundIdOf } from '../../../core/payments/purchase-ids.ts';
import { log } from '../../../lib/log.ts';
import type { PaymentServices, Purchase, PurchaseState } from '../port.ts';

/**
 * Brings a purchase to where its checkout is. Asks the provider itself, so that it does not matter who tells, how often
 * and in which order. First the credits, under an id that grants once, then our own note: if we die between them, the
 * next one who looks does the rest. Returns the purchase as it stands.
 */
export async function settlePurchase(
	services: Pick<PaymentServices, 'accounts' | 'checkout' | 'clock' | 'purchases'>,
	purchase: Purchase,
): Promise<Purchase> {
	const { checkout, clock, purchases } = services;
	if (checkout === null || purchase.sessionId === null) return purchase;
	const session = await checkout.read(purchase.sessionId);
	if (session === null) return purchase;
	const state = await carryOut(services, purchase, session);
	if (state === 'open') return purchase;
	if (state === 'review' && purchase.state !== 'review')
		log('purchase_needs_review', {
			purchase: purchase.id,
			account: purchase.accountId,
			agreed: purchase.price.amount,
			paid: session.isPaid ? session.total.amount : 0,
			refunded: session.refunded,
		});
	const { paymentId, receiptUrl } = session;
	const change = { state, changedAt: clock.now(), paymentId, receiptUrl };
	const isKnown = purchase.state === state && purchase.paymentId === paymentId;
	if (isKnown && purchase.receiptUrl === receiptUrl) return purchase;
	await purchases.change(purchase.id, change);
	return { ...purchase, ...change };
}

async function carryOut(
	{ accounts, clock }: Pick<PaymentServices, 'accounts' | 'clock'>,
	{ id, accountId, credits, price, state }: Purchase,
	session: CheckoutSession,
): Promise<PurchaseState> {
	const account = accounts(accountId);
	const change = async (grantId: string, amount: number): Promise<boolean> => {
		const { kind } = await account.grant({ id: grantId, credits: amount, now: clock.now() });
		return kind === 'granted' || kind === 'repeated';
	};
	switch (judgeSession(session, price)) {
		case 'wait':
			return 'open';
		case 'end':
			return 'ended';
		case 'grant':
			return (await change(grantIdOf(id), credits)) ? 'paid' : 'review';
		case 'take_back': {
			// Granted first where it was not: we may have died before our note of it.
			const isGiven = await change(grantIdOf(id), credits);
			return isGiven && (await change(refundIdOf(id), -credits)) ? 'refunded' : 'review';
		}
		case 'review':
			return state === 'refunded' ? state : 'review';
	}
}
