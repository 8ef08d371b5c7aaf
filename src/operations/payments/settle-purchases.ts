import {
	ASKED_UNTIL_MS,
	judgeSession,
	grantIdOf,
	heldIdOf,
	lostIdOf,
	refundIdOf,
	returnedIdOf,
} from '../../core/payments/purchase.ts';
import type { CheckoutSession, PurchaseState } from '../../core/payments/purchase.ts';
import { describeError, log } from '../../lib/log.ts';
import type { PaymentServices, Purchase, Purchases } from './port.ts';
import type { GrantResult } from '../accounts/port.ts';

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

const HOUR_MS = 3_600_000;
const YOUNGEST_MS = HOUR_MS;
const OPEN_PURCHASES_MAX = 200;
// The rest of the night's work waits for it, and a provider that keeps silent takes ten seconds each time.
const TIME_MS = 100_000;

/** Asks about open purchases, in case the provider's events do not reach us. */
export async function settleOpenPurchases(
	services: PaymentServices,
): Promise<{ asked: number; settled: number }> {
	if (services.checkout === null) return { asked: 0, settled: 0 };
	const now = services.clock.now();
	const open = await services.purchases.openBetween(
		now - ASKED_UNTIL_MS,
		now - YOUNGEST_MS,
		OPEN_PURCHASES_MAX,
	);
	let checked = 0;
	let settled = 0;
	for (const purchase of open) {
		if (services.clock.now() - now >= TIME_MS) break;
		checked += 1;
		try {
			if ((await settlePurchase(services, purchase)).state !== 'open') settled += 1;
		} catch (error) {
			log('purchase_not_settled', { purchase: purchase.id, ...describeError(error) });
		}
	}
	return { asked: checked, settled };
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
		// The database was restored to a time before it: the purchase may be paid, and no cron will find it.
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
