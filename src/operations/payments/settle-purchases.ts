import { grantIdOf, judgeSession, refundIdOf } from '../../core/payments/purchase.ts';
import { log } from '../../lib/log.ts';
import type { Purchase } from './port.ts';
import type { PaymentServices, Services } from '../../services.ts';

/**
 * Brings a purchase to the state of its checkout. It asks the provider, so the source, number and order of events do
 * not matter. First the credits, under an id that grants once, then our own note: if we die between them, the next
 * reader does the rest. Returns the purchase.
 */
export async function settlePurchase(
	services: Pick<PaymentServices, 'accounts' | 'checkout' | 'clock' | 'purchases'>,
	purchase: Purchase,
): Promise<Purchase> {
	const { checkout, clock, purchases } = services;
	if (checkout === null || purchase.sessionId === null) return purchase;
	const session = await checkout.read(purchase.sessionId);
	if (session === null) return purchase;
	const judged = judgeSession(session, purchase.price);
	if (judged === 'open') return purchase;
	const isBooked =
		(judged !== 'paid' && judged !== 'refunded') || (await bookPurchase(services, purchase, judged));
	const state = isBooked ? judged : 'review';
	if (state === 'review' && purchase.state !== 'review' && purchase.state !== 'refunded')
		log('purchase_needs_review', {
			purchase: purchase.id,
			account: purchase.accountId,
			agreed: purchase.price.amount,
			paid: session.isPaid ? session.total.amount : 0,
			refunded: session.refunded,
		});
	const { paymentId, receiptUrl } = session;
	const isKnown = purchase.state === state && purchase.paymentId === paymentId;
	if (isKnown && purchase.receiptUrl === receiptUrl) return purchase;
	return purchases.change(purchase.id, { state, changedAt: clock.now(), paymentId, receiptUrl });
}

/**
 * Brings the credits of an account to where a purchase stands. Each change has an id of its own, so a repetition changes
 * nothing. False: the account did not take it, so that a person has to look.
 */
export async function bookPurchase(
	{ accounts, clock }: Pick<PaymentServices, 'accounts' | 'clock'>,
	{ id, accountId, credits }: Purchase,
	state: 'paid' | 'refunded',
): Promise<boolean> {
	const book = async (grantId: string, amount: number): Promise<boolean> => {
		const { kind } = await accounts(accountId).grant({ id: grantId, credits: amount, now: clock.now() });
		return kind === 'granted' || kind === 'repeated';
	};
	if (!(await book(grantIdOf(id), credits))) return false;
	return state === 'paid' || book(refundIdOf(id), -credits);
}

/** The content of a provider's event: a checkout or a payment, and the purchase for which we made it. */
export interface PaymentEvent {
	readonly id: string;
	readonly type: string;
	readonly sessionId: string | null;
	readonly paymentId: string | null;
	/** As we named it to the provider; null: it is none of ours, or the event does not say. */
	readonly purchaseId: string | null;
}

/**
 * Takes a signed event. It only says where to look: what is granted follows from our own record and from what the
 * provider answers. False: it is about none of our purchases. Throws where the provider has to tell again.
 */
export async function takePaymentEvent(services: PaymentServices, request: PaymentEvent): Promise<boolean> {
	const { id: eventId, type, purchaseId } = request;
	const purchase = await findPurchase(services.purchases, request);
	if (purchase === null) {
		// The database was restored to a time before it: the purchase may be paid.
		if (purchaseId !== null) log('purchase_not_found', { eventId, type, purchase: purchaseId });
		return false;
	}
	const { state } = await settlePurchase(services, purchase);
	log('payment_event_taken', { eventId, type, purchase: purchase.id, state }, 'info');
	return true;
}

/** By its name last: where the payment was not noted yet. */
async function findPurchase(
	purchases: Services['purchases'],
	{ sessionId, paymentId, purchaseId }: PaymentEvent,
): Promise<Purchase | null> {
	const bySession = sessionId === null ? null : await purchases.findBySession(sessionId);
	if (bySession !== null) return bySession;
	const byPayment = paymentId === null ? null : await purchases.findByPayment(paymentId);
	if (byPayment !== null) return byPayment;
	return purchaseId === null ? null : purchases.find(purchaseId);
}
