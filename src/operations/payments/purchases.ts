import { formatMoney } from '../../core/payments/packs.ts';
import { judgeSession, lineIdOf, purchaseIdOf } from '../../core/payments/purchase.ts';
import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { PaymentServices, Services } from '../../services.ts';
import type { Purchase } from '../../storage/schema.ts';
import { throttle } from '../people/steps/throttle.ts';

export type { Purchase } from '../../storage/schema.ts';

// The provider repeats an event about a checkout that it does not have for so long. It gives up after three days by itself.
const TOLD_AGAIN_MS = 2 * DAY_MS;

/**
 * Writes down what an account is about to buy, and makes its checkout. If we die after either, the payer has not left
 * our page: the same form leads to the same purchase. `over`: that one has come to its end. `not_sold`: the pack is not
 * sold, or nothing is.
 */
export async function beginPurchase(
	services: PaymentServices,
	accountId: string,
	request: {
		/** Names the pack. */
		readonly credits: number;
		/** The name of the purchase: `10,000 Mailsonar credits`. */
		readonly what: string;
		/** The payer's address, filled in for them. */
		readonly email: string;
		readonly formId: string;
		/** Our own URL. */
		readonly base: string;
	},
) {
	const { checkout, clock, packs, purchases } = services;
	const { credits, formId, base, what, email } = request;
	const pack = packs.find((each) => each.credits === credits);
	if (checkout === null || pack === undefined) return { kind: 'not_sold' } as const;
	const purchase = await purchases.insert({
		id: purchaseIdOf(accountId, formId, credits),
		accountId,
		credits,
		...pack.price,
		state: 'open',
		createdAt: clock.now(),
		changedAt: null,
		sessionId: null,
		receiptUrl: null,
	});
	if (purchase.state !== 'open') return { kind: 'over', purchaseId: purchase.id } as const;
	// The form may come from a page with an older price.
	if (formatMoney(purchase) !== formatMoney(pack.price)) return { kind: 'not_sold' } as const;
	const session = await checkout.create({
		purchase,
		what,
		email,
		successUrl: new URL(`/dashboard/credits/purchases/${purchase.id}`, base).href,
		cancelUrl: new URL('/dashboard/credits/add?left=yes', base).href,
	});
	if (await purchases.attach(purchase.id, session.id)) return { kind: 'begun', url: session.url } as const;
	throw new ServiceError('upstream_unavailable', 'This purchase has another checkout already');
}

/**
 * A purchase of the account; null: it has none of this id. The provider is asked about an open one first: the payer
 * may be here before the provider's event. Repeated loads of the page are limited, since the provider answers us only
 * so often.
 */
export async function showPurchase(
	services: PaymentServices & Pick<Services, 'attempts'>,
	accountId: string,
	purchaseId: string,
): Promise<Purchase | null> {
	const purchase = await services.purchases.find(purchaseId);
	if (purchase === null || purchase.accountId !== accountId) return null;
	if (purchase.state !== 'open') return purchase;
	try {
		// The provider answers so many questions a second, of all accounts together.
		const throttled = await throttle(services, 'ask_payment', { account: accountId });
		return throttled === null ? await settlePurchase(services, purchase) : purchase;
	} catch (error) {
		// The page says that we do not know yet; the provider tells us by itself.
		log('purchase_not_settled', { purchase: purchase.id, ...describeError(error) });
		return purchase;
	}
}

/**
 * Brings a purchase to the state of its checkout. It asks the provider, so the source, number and order of events do
 * not matter. First the credits, under an id that grants once, then our own note: if we die between them, the next
 * reader does the rest. Returns the purchase.
 */
async function settlePurchase(services: PaymentServices, purchase: Purchase): Promise<Purchase> {
	const { checkout, clock, purchases } = services;
	if (checkout === null || purchase.sessionId === null) return purchase;
	const session = await checkout.read(purchase.sessionId);
	if (session === null) {
		// Made under another key, or in Stripe's test mode, so a person has to look. Where our key is wrong for a while, the
		// provider tells again once it is right; an old purchase is not repeated in vain.
		const { id, accountId: account, sessionId: checkoutId, createdAt } = purchase;
		log('purchase_not_settled', { purchase: id, account, checkout: checkoutId });
		if (clock.now() - createdAt < TOLD_AGAIN_MS)
			throw new ServiceError('upstream_unavailable', 'The payment provider has no such checkout');
		return purchase;
	}
	const judged = judgeSession(session, purchase);
	if (judged === 'open') return purchase;
	const isBooked =
		(judged !== 'paid' && judged !== 'refunded') || (await bookPurchase(services, purchase, judged));
	const state = isBooked ? judged : 'review';
	if (state === 'review' && purchase.state !== 'review' && purchase.state !== 'refunded')
		log('purchase_needs_review', {
			purchase: purchase.id,
			account: purchase.accountId,
			agreed: purchase.amount,
			paid: session.isPaid ? session.total.amount : 0,
			refunded: session.refunded,
		});
	const { receiptUrl } = session;
	if (purchase.state === state && purchase.receiptUrl === receiptUrl) return purchase;
	return purchases.change(purchase.id, { state, changedAt: clock.now(), receiptUrl });
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
	const book = async (what: 'bought' | 'refunded', amount: number): Promise<boolean> => {
		const grant = { id: lineIdOf(id, what), credits: amount, now: clock.now() };
		const { kind } = await accounts(accountId).grant(grant);
		return kind === 'granted' || kind === 'repeated';
	};
	if (!(await book('bought', credits))) return false;
	return state === 'paid' || book('refunded', -credits);
}

/**
 * Takes a signed event about a purchase. It only says where to look: what is granted follows from our own record and
 * from what the provider answers. False: it is none of ours. Throws where the provider has to tell again.
 */
export async function takePaymentEvent(
	services: PaymentServices,
	{
		id: eventId,
		type,
		purchaseId,
	}: { readonly id: string; readonly type: string; readonly purchaseId: string },
): Promise<boolean> {
	const purchase = await services.purchases.find(purchaseId);
	if (purchase === null) {
		// The database was restored to a time before it: the purchase may be paid.
		log('purchase_not_found', { eventId, type, purchase: purchaseId });
		return false;
	}
	const { state } = await settlePurchase(services, purchase);
	log('payment_event_taken', { eventId, type, purchase: purchase.id, state }, 'info');
	return true;
}
