// The answers of Stripe's API, as its reference documents them (version 2025-06-30.basil), with the fields that
// matter here.

/** A checkout and its payment, as the fake keeps them. */
export interface PlayedSession {
	readonly id: string;
	/** The fields of the request that made it. */
	readonly fields: ReadonlyMap<string, string>;
	paid: boolean;
	readonly total: number;
	readonly currency: string;
}

/** `checkout.session`. `expanded`: with the payment and its charge inside. */
export function sessionShape(session: PlayedSession, url: string | null, expanded: boolean): object {
	const { id, fields, paid, total, currency } = session;
	const text = (name: string): string | null => fields.get(name) ?? null;
	return {
		id,
		object: 'checkout.session',
		amount_total: total,
		client_reference_id: text('client_reference_id'),
		currency,
		metadata: metadataOf(fields, 'metadata'),
		mode: text('mode'),
		payment_intent: !paid ? null : expanded ? paymentShape(session) : paymentIdOf(session),
		payment_status: paid ? 'paid' : 'unpaid',
		status: paid ? 'complete' : 'open',
		url: paid ? null : url,
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
		amount_refunded: 0,
		metadata: metadataOf(session.fields, 'payment_intent_data[metadata]'),
		paid: session.paid,
		payment_intent: paymentIdOf(session),
		receipt_url: session.paid ? `https://pay.stripe.com/receipts/payment/${session.id}` : null,
		refunded: false,
		status: session.paid ? 'succeeded' : 'pending',
	};
}

function paymentShape(session: PlayedSession): object {
	return {
		id: paymentIdOf(session),
		object: 'payment_intent',
		latest_charge: chargeShape(session),
		status: 'succeeded',
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
