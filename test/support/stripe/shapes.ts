// The answers of Stripe's API, as its reference documents them (version 2025-06-30.basil), with the fields that
// matter here.

/** A checkout and its payment, as the fake keeps them. */
export interface PlayedSession {
	readonly id: string;
	readonly createdAt: number;
	/** The fields of the request that made it. */
	readonly fields: ReadonlyMap<string, string>;
	status: 'open' | 'complete' | 'expired';
	paid: boolean;
	/** Null: nothing was tried yet. */
	payment: 'processing' | 'succeeded' | 'requires_payment_method' | null;
	/** The charged amount; it may differ from the requested one. */
	total: number;
	currency: string;
	refunded: number;
}

/** `checkout.session`. `expanded`: with the payment and its charge inside. */
export function sessionShape(session: PlayedSession, url: string | null, expanded: boolean): object {
	const { id, fields, status, paid, payment, total, currency } = session;
	const text = (name: string): string | null => fields.get(name) ?? null;
	return {
		id,
		object: 'checkout.session',
		adaptive_pricing: { enabled: text('adaptive_pricing[enabled]') === 'true' },
		after_expiration: null,
		allow_promotion_codes: null,
		amount_subtotal: total,
		amount_total: total,
		automatic_tax: { enabled: false, liability: null, provider: null, status: null },
		billing_address_collection: null,
		cancel_url: text('cancel_url'),
		client_reference_id: text('client_reference_id'),
		client_secret: null,
		created: session.createdAt,
		currency,
		currency_conversion: null,
		customer: null,
		customer_creation: 'if_required',
		customer_details: null,
		customer_email: text('customer_email'),
		discounts: [],
		expires_at: session.createdAt + 86_400,
		invoice: null,
		livemode: false,
		locale: null,
		metadata: metadataOf(fields, 'metadata'),
		mode: text('mode'),
		payment_intent: payment === null ? null : expanded ? paymentShape(session) : paymentIdOf(session),
		payment_link: null,
		payment_method_types: ['card', 'sepa_debit'],
		payment_status: paid ? 'paid' : 'unpaid',
		recovered_from: null,
		status,
		success_url: text('success_url'),
		total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
		ui_mode: 'hosted',
		url: status === 'open' ? url : null,
	};
}

function paymentIdOf({ id }: PlayedSession): string {
	return id.replace('cs_test_', 'pi_');
}

/** `charge`. */
export function chargeShape(session: PlayedSession): object {
	return {
		id: session.id.replace('cs_test_', 'ch_'),
		object: 'charge',
		amount: session.total,
		amount_captured: session.paid ? session.total : 0,
		amount_refunded: session.refunded,
		captured: session.paid,
		currency: session.currency,
		disputed: false,
		livemode: false,
		metadata: metadataOf(session.fields, 'payment_intent_data[metadata]'),
		paid: session.paid,
		payment_intent: paymentIdOf(session),
		receipt_url: session.paid ? `https://pay.stripe.com/receipts/payment/${session.id}` : null,
		refunded: session.refunded >= session.total,
		status: session.paid ? 'succeeded' : 'pending',
	};
}

function paymentShape(session: PlayedSession): object {
	return {
		id: paymentIdOf(session),
		object: 'payment_intent',
		amount: session.total,
		amount_received: session.paid ? session.total : 0,
		currency: session.currency,
		latest_charge: session.payment === 'requires_payment_method' ? null : chargeShape(session),
		livemode: false,
		metadata: metadataOf(session.fields, 'payment_intent_data[metadata]'),
		status: session.payment,
	};
}

/** `event`. */
export function eventShape(id: string, type: string, created: number, object: object): object {
	return {
		id,
		object: 'event',
		// An older one than ours: an endpoint has a version of its own.
		api_version: '2023-10-16',
		created,
		data: { object },
		livemode: false,
		pending_webhooks: 1,
		request: { id: null, idempotency_key: null },
		type,
	};
}

/** An error's body. */
export function errorShape(type: string, message: string, code?: string): object {
	return { error: { ...(code === undefined ? {} : { code }), message, type } };
}

function metadataOf(fields: ReadonlyMap<string, string>, prefix: string): Record<string, string> {
	const entries = [...fields].filter(([name]) => name.startsWith(`${prefix}[`) && name.endsWith(']'));
	return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));
}
