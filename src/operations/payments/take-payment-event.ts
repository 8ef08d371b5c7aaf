import { log } from '../../lib/log.ts';
import type { PaymentServices, Purchase, Purchases } from './port.ts';
import { settlePurchase } from './steps/settle-purchase.ts';

/** What a provider's event is about: a checkout or a payment, and the purchase for which we made it. */
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
		// The database went back to a time before it: somebody may have paid, and nobody will look by himself.
		if (purchaseId !== null) log('purchase_not_found', { eventId, type, purchase: purchaseId });
		return false;
	}
	const { state } = await settlePurchase(services, purchase);
	log('payment_event_taken', { eventId, type, purchase: purchase.id, state }, 'info');
	return true;
}

/** By its name last: where the payment was not noted yet. */
async function findPurchase(
	purchases: Purchases,
	{ sessionId, paymentId, purchaseId }: PaymentEvent,
): Promise<Purchase | null> {
	const bySession = sessionId === null ? null : await purchases.findBySession(sessionId);
	if (bySession !== null) return bySession;
	const byPayment = paymentId === null ? null : await purchases.findByPayment(paymentId);
	if (byPayment !== null) return byPayment;
	return purchaseId === null ? null : purchases.find(purchaseId);
}
