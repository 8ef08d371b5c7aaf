import { formatMoney } from '../../core/payments/packs.ts';
import { purchaseIdOf } from '../../core/payments/purchase.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Purchase } from './port.ts';
import { describeError, log } from '../../lib/log.ts';
import { throttle } from '../people/steps/throttle.ts';
import { settlePurchase } from './settle-purchases.ts';
import type { PaymentServices, Services } from '../../services.ts';

interface BeginPurchaseRequest {
	/** Names the pack. */
	readonly credits: number;
	/** The name of the purchase. */
	readonly what: string;
	readonly email: string;
	/** The form that was sent: the same one again leads to the same checkout. */
	readonly formId: string;
	/** Our own URL. */
	readonly base: string;
}

type BeginPurchaseResult =
	/** Where it is paid. */
	| { readonly kind: 'begun'; readonly url: string }
	/** The same form led to a purchase that has come to its end. */
	| { readonly kind: 'over'; readonly purchaseId: string }
	/** The pack is not sold, or nothing is. */
	| { readonly kind: 'not_sold' };

/**
 * Writes down what an account is about to buy, and makes its checkout. If we die after either, the payer has not left
 * our page: the same form leads to the same purchase.
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
	// The form may come from a page with an older price.
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

const SHOWN_MAX = 50;

/** The account's paid purchases, newest first. */
export async function listPurchases(
	services: Pick<PaymentServices, 'purchases'>,
	account: AccountRef,
): Promise<readonly Purchase[]> {
	return services.purchases.listOf(account.accountId, SHOWN_MAX);
}

/**
 * A purchase of the account; null: it has none of this id. The provider is asked about an open one first: the payer
 * may be here before the provider's event. Repeated loads of the page are limited, since the provider answers us only
 * so often.
 */
export async function showPurchase(
	services: PaymentServices & Pick<Services, 'attempts'>,
	account: AccountRef,
	request: { readonly purchaseId: string },
): Promise<Purchase | null> {
	const purchase = await services.purchases.find(request.purchaseId);
	if (purchase === null || purchase.accountId !== account.accountId) return null;
	if (purchase.state !== 'open') return purchase;
	try {
		// The provider answers so many questions a second, of all accounts together.
		const throttled = await throttle(services, 'ask_payment', { client: null, account: account.accountId });
		if (throttled !== null) return purchase;
		return await settlePurchase(services, purchase);
	} catch (error) {
		// The page says that we do not know yet; the provider tells us by itself.
		log('purchase_not_settled', { purchase: purchase.id, ...describeError(error) });
		return purchase;
	}
}
