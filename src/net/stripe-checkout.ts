import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/time.ts';
import { describeError, log } from '../lib/log.ts';
import type { CheckoutSession } from '../core/payments/purchase.ts';
import type { Money } from '../core/payments/packs.ts';
import type { Fetcher } from './invocation-fetch.ts';

/** Where Stripe's API is. */
export const STRIPE_API_URL = 'https://api.stripe.com';

// The shapes that are read here. Without it, those of the account's own version come.
const API_VERSION = '2025-06-30.basil';
const TIMEOUT_MS = 10_000;
// Stripe, "Errors": a conflict with another request, perhaps under the same idempotency key.
const IN_USE = 409;
const NOT_FOUND = 404;
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 1_000;
// After a payment was gone through and not made.
const FAILED: ReadonlySet<unknown> = new Set(['requires_payment_method', 'canceled']);

/** Stripe Checkout by its REST API: two calls, for which its SDK would be a third of the Worker. */
export function stripeCheckout(
	secretKey: string,
	apiUrl: string,
	{ fetcher, clock }: { readonly fetcher: Fetcher; readonly clock: Pick<Clock, 'sleep'> },
) {
	const ask = async (
		path: string,
		request: { method?: string; headers?: Record<string, string>; body?: URLSearchParams } = {},
	): Promise<Answer | null> => {
		for (let attempt = 1; ; attempt += 1) {
			let response: Response;
			let answer: Answer | null;
			try {
				response = await fetcher(new URL(path, apiUrl).href, {
					...request,
					headers: {
						...request.headers,
						Authorization: `Bearer ${secretKey}`,
						'Stripe-Version': API_VERSION,
					},
					redirect: 'manual',
					signal: AbortSignal.timeout(TIMEOUT_MS),
				});
				answer = await response.json<Answer | null>();
			} catch (error) {
				throw unavailable('no answer', error);
			}
			if (response.ok && answer !== null) return answer;
			const { type, code, param, message } = answer?.error ?? {};
			if (response.status === NOT_FOUND && code === 'resource_missing') return null;
			// The same form, sent twice at once: the other one's checkout is being made, and is ours as well.
			if (response.status !== IN_USE || attempt === ATTEMPTS_MAX) {
				// Stripe's own words, which name parameters and no secrets, are for the operator.
				const words = [type, code, param, message].filter((word) => typeof word === 'string');
				throw unavailable(`${response.status} ${words.join(' ')}`);
			}
			await clock.sleep(PAUSE_MS);
		}
	};
	return {
		/** Makes the checkout of a purchase. A repeated call within a day gets the same one. */
		create: async (checkout: NewCheckout): Promise<{ id: string; url: string }> => {
			const session = await ask('/v1/checkout/sessions', {
				method: 'POST',
				headers: { 'Idempotency-Key': checkout.purchase.id },
				body: fieldsOf(checkout),
			});
			const { id, url } = session ?? {};
			if (typeof id === 'string' && typeof url === 'string') return { id, url };
			throw unavailable('a session without an address');
		},
		/** How a checkout stands now. Null: Stripe has none of this id under our key, and will have none. */
		read: async (sessionId: string): Promise<CheckoutSession | null> => {
			const path = `/v1/checkout/sessions/${encodeURIComponent(sessionId)}?expand[]=payment_intent.latest_charge`;
			const session = await ask(path);
			return session === null ? null : sessionOf(session);
		},
	};
}

interface NewCheckout {
	readonly purchase: Money & { readonly id: string; readonly accountId: string };
	/** The name of the purchase. */
	readonly what: string;
	/** The payer's address, filled in for them. */
	readonly email: string;
	/** Our pages after the payment, and after it was broken off. */
	readonly successUrl: string;
	readonly cancelUrl: string;
}

type Fields<Name extends string> = { readonly [name in Name]?: unknown };

/** What is read of Stripe's answers: each field may be missing, or of another kind. */
interface Answer extends Fields<'id' | 'url' | 'status' | 'payment_status' | 'amount_total' | 'currency'> {
	readonly payment_intent?:
		| (Fields<'status'> & { readonly latest_charge?: Fields<'amount_refunded' | 'receipt_url'> | null })
		| null;
	readonly error?: Fields<'type' | 'code' | 'param' | 'message'> | null;
}

function fieldsOf({ purchase, what, email, successUrl, cancelUrl }: NewCheckout): URLSearchParams {
	const { id, accountId, amount, currency } = purchase;
	return new URLSearchParams({
		mode: 'payment',
		client_reference_id: id,
		customer_email: email,
		success_url: successUrl,
		cancel_url: cancelUrl,
		'line_items[0][quantity]': '1',
		'line_items[0][price_data][currency]': currency.toLowerCase(),
		'line_items[0][price_data][unit_amount]': String(amount),
		'line_items[0][price_data][product_data][name]': what,
		'metadata[purchase]': id,
		'metadata[account]': accountId,
		'payment_intent_data[description]': what,
		'payment_intent_data[metadata][purchase]': id,
		'payment_intent_data[metadata][account]': accountId,
		// The purchase is one amount in one currency.
		'adaptive_pricing[enabled]': 'false',
	});
}

function sessionOf(session: Answer): CheckoutSession {
	const { status, payment_status: paid, amount_total: amount, currency } = session;
	const isKnown = status === 'open' || status === 'complete' || status === 'expired';
	if (!isKnown || typeof amount !== 'number' || typeof currency !== 'string')
		throw unavailable('a session that cannot be read');
	const payment = session.payment_intent;
	const { amount_refunded: refunded, receipt_url: receiptUrl } = payment?.latest_charge ?? {};
	return {
		status,
		// The third word, no_payment_required, is for sessions of no amount: none of ours.
		isPaid: paid === 'paid',
		total: { amount, currency: currency.toUpperCase() },
		refunded: typeof refunded === 'number' ? refunded : 0,
		hasFailed: status === 'complete' && FAILED.has(payment?.status),
		receiptUrl: typeof receiptUrl === 'string' && receiptUrl.startsWith('https://') ? receiptUrl : null,
	};
}

function unavailable(why: string, cause?: unknown): ServiceError {
	log('stripe_unavailable', { why, ...(cause === undefined ? {} : describeError(cause)) });
	return new ServiceError('upstream_unavailable', 'The payment provider does not answer', { cause });
}
