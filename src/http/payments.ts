import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import { readPurchaseId } from '../core/payments/purchase.ts';
import { isSignedByStripe } from '../core/payments/stripe-signature.ts';
import { discard, readOctets } from '../lib/streams.ts';
import { takePaymentEvent } from '../operations/payments/settle-purchases.ts';
import type { PaymentEvent } from '../operations/payments/settle-purchases.ts';
import type { AppEnv } from './context.ts';

// An event holds one object of Stripe's, some kilobytes.
const BODY_OCTETS_MAX = 512 * 1024;

const stripeEvent = z.object({
	id: z.string().max(255),
	type: z.string().max(255),
	data: z.object({
		object: z.object({
			id: z.string().optional(),
			payment_intent: z.unknown(),
			metadata: z.object({ purchase: z.unknown() }).nullish().catch(null),
		}),
	}),
});

/**
 * Where Stripe tells of payments. Not a part of the API: it has no key, and its answers are read by Stripe alone. A
 * failure that may pass is a 5xx, so that Stripe tells again, for up to three days.
 */
export function addStripeEvents(app: OpenAPIHono<AppEnv>): void {
	app.post('/webhooks/stripe', async (c, next) => {
		const { services } = c.var;
		const { STRIPE_WEBHOOK_SECRET: secrets } = services.config;
		if (secrets === undefined) return next();
		const { octets: body, isWhole } = await readOctets(c.req.raw, BODY_OCTETS_MAX);
		await discard(c.req.raw.body);
		const header = c.req.header('stripe-signature') ?? null;
		if (!isWhole || !isSignedByStripe({ body, header, secrets, now: services.clock.now() }))
			return c.json({ received: false, error: 'The signature is not good, or too old' }, 400);
		const event = readEvent(body);
		if (event === null) return c.json({ received: false, error: 'This is no event' }, 400);
		return c.json({ received: true, ours: await takePaymentEvent(services, event) });
	});
}

/** The content of an event; null: it can't be read. */
function readEvent(body: Uint8Array): PaymentEvent | null {
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(body));
	} catch {
		return null;
	}
	const parsed = stripeEvent.safeParse(json);
	if (!parsed.success) return null;
	const { id, type, data } = parsed.data;
	const { object } = data;
	const isSession = type.startsWith('checkout.session.');
	const isCharge = type.startsWith('charge.');
	const paymentId = isCharge ? object.payment_intent : null;
	return {
		id,
		type,
		sessionId: isSession ? (object.id ?? null) : null,
		paymentId: typeof paymentId === 'string' ? paymentId : null,
		purchaseId: isSession || isCharge ? readPurchaseId(object.metadata?.purchase) : null,
	};
}
