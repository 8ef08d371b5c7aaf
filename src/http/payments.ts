import type { Hono } from 'hono';
import * as z from 'zod';
import { readPurchaseId } from '../core/payments/purchase.ts';
import { isSignedByStripe } from '../core/payments/stripe-signature.ts';
import { discard, readOctets } from '../lib/streams.ts';
import { parseJson } from '../lib/text.ts';
import { takePaymentEvent } from '../operations/payments/purchases.ts';
import type { AppEnv } from './context.ts';

// An event holds one object of Stripe's, some kilobytes.
const BODY_OCTETS_MAX = 512 * 1024;

const stripeEvent = z.object({
	id: z.string().max(255),
	type: z.string().max(255),
	data: z.object({
		// A session and a charge name the purchase as we named it when we made the checkout.
		object: z.object({ metadata: z.object({ purchase: z.unknown() }).nullish().catch(null) }),
	}),
});

/**
 * Where Stripe tells of payments. Not a part of the API: it has no key, and its answers are read by Stripe alone. A
 * failure that may pass is a 5xx, so that Stripe tells again, for up to three days.
 */
export function addStripeEvents(app: Hono<AppEnv>): void {
	app.post('/webhooks/stripe', async (c, next) => {
		const { services } = c.var;
		const { STRIPE_WEBHOOK_SECRET: secrets } = services.config;
		if (secrets === undefined) return next();
		const { octets: body, isWhole } = await readOctets(c.req.raw, BODY_OCTETS_MAX);
		await discard(c.req.raw.body);
		const header = c.req.header('stripe-signature') ?? null;
		if (!isWhole || !isSignedByStripe({ body, header, secrets, now: services.clock.now() }))
			return c.json({ received: false, error: 'The signature is not good, or too old' }, 400);
		const event = stripeEvent.safeParse(parseJson(new TextDecoder().decode(body)));
		if (!event.success) return c.json({ received: false, error: 'This is no event' }, 400);
		const { id, type, data } = event.data;
		const isPayment = type.startsWith('checkout.session.') || type.startsWith('charge.');
		const purchaseId = isPayment ? readPurchaseId(data.object.metadata?.purchase) : null;
		const ours = purchaseId !== null && (await takePaymentEvent(services, { id, type, purchaseId }));
		return c.json({ received: true, ours });
	});
}
