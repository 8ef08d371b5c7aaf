import { log } from '../../lib/log.ts';
import type { PaymentServices } from './port.ts';
import { settlePurchase } from './steps/settle-purchase.ts';

/** What a provider's event is about: one of the two is named. */
export interface PaymentEvent {
	readonly id: string;
	readonly type: string;
	readonly sessionId: string | null;
	readonly paymentId: string | null;
}

/**
 * Takes a signed event. It only says where to look: what is granted follows from our own record and from what the
 * provider answers. False: it is about none of our purchases. Throws where the provider has to tell again.
 */
export async function takePaymentEvent(services: PaymentServices, request: PaymentEvent): Promise<boolean> {
	const { purchases } = services;
	const { sessionId, paymentId } = request;
	const purchase =
		sessionId === null
			? paymentId === null
				? null
				: await purchases.findByPayment(paymentId)
			: await purchases.findBySession(sessionId);
	if (purchase === null) return false;
	const { state } = await settlePurchase(services, purchase);
	log('payment_event_taken', { event: request.id, type: request.type, purchase: purchase.id, state });
	return true;
}
