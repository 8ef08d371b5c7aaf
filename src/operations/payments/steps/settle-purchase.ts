import { judgeSession } from '../../../core/payments/judge-session.ts';
import type { CheckoutSession } from '../../../core/payments/judge-session.ts';
import type { PurchaseState } from '../../../core/payments/purchase-state.ts';
import { log } from '../../../lib/log.ts';
import type { PaymentServices, Purchase } from '../port.ts';
import { bookPurchase } from './book-purchase.ts';

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
	const { paymentId, receiptUrl } = session;
	const isKnown = purchase.state === state && purchase.paymentId === paymentId;
	if (isKnown && purchase.receiptUrl === receiptUrl) return purchase;
	return purchases.change(purchase.id, { state, changedAt: clock.now(), paymentId, receiptUrl });
}

/** Carries out what the checkout says, and tells the operator what a person has to know. */
async function carryOut(
	services: Pick<PaymentServices, 'accounts' | 'clock'>,
	purchase: Purchase,
	session: CheckoutSession,
): Promise<PurchaseState> {
	const verdict = judgeSession(session, purchase.price);
	if (verdict === 'wait') return 'open';
	if (verdict === 'end') return 'ended';
	if (verdict === 'review') return review(purchase, session);
	// A dispute was won before: what was held is there again to be taken back.
	if (verdict === 'take_back' && session.dispute === 'won')
		await bookPurchase(services, purchase, 'dispute_won');
	const state = STATE_AFTER[verdict];
	const { isDone, missing } = await bookPurchase(services, purchase, state);
	if (!isDone) return review(purchase, session);
	const isDispute = state === 'disputed' || state === 'dispute_won' || state === 'dispute_lost';
	if (isDispute && purchase.state !== state)
		log('purchase_disputed', { purchase: purchase.id, account: purchase.accountId, state, missing });
	return state;
}

const STATE_AFTER = {
	grant: 'paid',
	hold: 'disputed',
	give_back: 'dispute_won',
	lose: 'dispute_lost',
	take_back: 'refunded',
} as const;

function review(purchase: Purchase, session: CheckoutSession): PurchaseState {
	if (purchase.state !== 'review' && purchase.state !== 'refunded')
		log('purchase_needs_review', {
			purchase: purchase.id,
			account: purchase.accountId,
			agreed: purchase.price.amount,
			paid: session.isPaid ? session.total.amount : 0,
			refunded: session.refunded,
		});
	return 'review';
}
