import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import { stripeCheckout } from '../../../src/net/stripe-checkout.ts';
import type { Fetcher } from '../../../src/net/invocation-fetch.ts';

const CHECKOUT = {
	purchase: { id: 'pur_1', accountId: 'acc_1', amount: 6_950, currency: 'EUR' },
	what: '10,000 Mailsonar credits',
	email: 'ada@lovelace.example',
	successUrl: 'https://mailsonar.example/done',
	cancelUrl: 'https://mailsonar.example/left',
};
const SESSION = {
	id: 'cs_1',
	status: 'complete',
	payment_status: 'paid',
	amount_total: 6_950,
	currency: 'eur',
	payment_intent: {
		id: 'pi_1',
		status: 'succeeded',
		latest_charge: { amount_refunded: 0, receipt_url: 'https://pay.stripe.com/r/1' },
	},
};

// What fails on purpose is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

function stripeThat(answer: () => Response | Promise<Response>) {
	const asked: { readonly url: string; readonly init: RequestInit }[] = [];
	const fetcher: Fetcher = async (url, init) => {
		asked.push({ url, init });
		return answer();
	};
	const clock = { sleep: () => Promise.resolve() };
	const checkout = stripeCheckout('sk_test_secret', 'https://stripe.example', { fetcher, clock });
	return { checkout, asked };
}

test('a checkout is made under the purchase’s id, and for what was agreed', async () => {
	const { checkout, asked } = stripeThat(() => Response.json({ id: 'cs_1', url: 'https://pay.example' }));
	expect(await checkout.create(CHECKOUT)).toEqual({ id: 'cs_1', url: 'https://pay.example' });
	const { url, init } = asked[0]!;
	expect(url).toBe('https://stripe.example/v1/checkout/sessions');
	expect(init).toMatchObject({
		method: 'POST',
		redirect: 'manual',
		headers: { Authorization: 'Bearer sk_test_secret', 'Idempotency-Key': 'pur_1' },
	});
	expect(Object.fromEntries(new URLSearchParams(init.body as string))).toMatchObject({
		mode: 'payment',
		'line_items[0][quantity]': '1',
		'line_items[0][price_data][currency]': 'eur',
		'line_items[0][price_data][unit_amount]': '6950',
		'metadata[purchase]': 'pur_1',
		'adaptive_pricing[enabled]': 'false',
	});
});

describe('a form that is sent twice at once', () => {
	const busy = () => Response.json({ error: { code: 'idempotency_key_in_use' } }, { status: 409 });

	test('gets the checkout that the other one makes', async () => {
		const answers = [busy(), busy(), Response.json({ id: 'cs_1', url: 'https://pay.example' })];
		const { checkout, asked } = stripeThat(() => answers.shift() ?? busy());
		expect(await checkout.create(CHECKOUT)).toEqual({ id: 'cs_1', url: 'https://pay.example' });
		expect(asked).toHaveLength(3);
	});

	test('does not wait for it for ever', async () => {
		const { checkout, asked } = stripeThat(busy);
		await expect(checkout.create(CHECKOUT)).rejects.toBeInstanceOf(ServiceError);
		expect(asked).toHaveLength(5);
	});
});

describe('a session', () => {
	const OPEN = { isPaid: false, hasFailed: false };
	const intent = (status: string | null, charge: object | null) => ({
		payment_status: status === null ? 'paid' : 'unpaid',
		payment_intent: { id: 'pi_1', status: status ?? 'succeeded', latest_charge: charge },
	});
	test.each<[string, object, object]>([
		['that is paid', {}, { isPaid: true, refunded: 0, receiptUrl: 'https://pay.stripe.com/r/1' }],
		['of no amount was not paid', { payment_status: 'no_payment_required' }, { isPaid: false }],
		['that is open', { status: 'open', payment_status: 'unpaid', payment_intent: null }, OPEN],
		['that waits for a bank', intent('processing', null), OPEN],
		['that a bank refused', intent('requires_payment_method', null), { isPaid: false, hasFailed: true }],
		[
			'with a receipt of no web page',
			intent(null, { receipt_url: 'javascript:alert(1)' }),
			{ receiptUrl: null },
		],
		['that was given back', intent(null, { amount_refunded: 6_950 }), { refunded: 6_950 }],
	])('%s', async (_, more, expected) => {
		const { checkout } = stripeThat(() => Response.json({ ...SESSION, ...more }));
		expect(await checkout.read('cs_1')).toMatchObject({
			total: { amount: 6_950, currency: 'EUR' },
			...expected,
		});
	});

	test('that Stripe has not is none, and no reason to ask again', async () => {
		const missing = { error: { type: 'invalid_request_error', code: 'resource_missing' } };
		expect(await stripeThat(() => Response.json(missing, { status: 404 })).checkout.read('cs_1')).toBeNull();
	});

	test('is asked for by its own id alone', async () => {
		const { checkout, asked } = stripeThat(() => Response.json(SESSION));
		await checkout.read('../customers?x=');
		expect(asked[0]?.url).toContain('/v1/checkout/sessions/..%2Fcustomers%3Fx%3D?expand[]=');
	});
});

test.each<[string, () => Response | Promise<Response>]>([
	['hangs up', () => Promise.reject(new TypeError('network connection lost'))],
	['answers with a web page', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
	['does not know our key', () => Response.json({ error: { message: 'Invalid API Key' } }, { status: 401 })],
	['answers any other 404', () => Response.json({ error: {} }, { status: 404 })],
	['has too much to do', () => Response.json({ error: { type: 'rate_limit' } }, { status: 429 })],
	['answers with no object', () => Response.json(null)],
	['says nothing of what matters', () => Response.json({ object: 'checkout.session' })],
])('a Stripe that %s is an outage, and neither paid nor unpaid', async (_, answer) => {
	const { checkout } = stripeThat(answer);
	const outage = { name: 'ServiceError', code: 'upstream_unavailable' };
	for (const asking of [checkout.read('cs_1'), checkout.create(CHECKOUT)])
		await expect(asking).rejects.toMatchObject(outage);
});
