import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import type { PlayedSession } from '../support/stripe/fake-stripe.ts';
import { useBrowser } from '../browser/browser.ts';
import { signedUp } from '../browser/person.ts';
import { creditsOf } from './operator.ts';
import { newPerson } from './people.ts';

// Credits are bought: the pages and the endpoint for Stripe's events, with a Stripe of ours on loopback. Without Stripe:
// test/worker/installations.test.ts, test/unit/dashboard/credits.test.tsx.

const ADD = '/dashboard/credits/add';
const COMPLETED = 'checkout.session.completed';
const TRIAL = 100;

const service = inject('service');
const stripe = new FakeStripe(service.stripe);
const endpoint = `${service.url}/webhooks/stripe`;

beforeAll(() => stripe.start());
afterAll(() => stripe.stop());

/** Somebody who stands on the payment page. */
async function beginPurchase() {
	const buyer = await newPerson();
	const { status, location, text } = await buyer.visitor.submit(ADD, { credits: '10000' });
	expect(status, text).toBe(303);
	const session = stripe.sessionAt(location ?? '');
	const { pathname } = new URL(session.fields.get('success_url') ?? '');
	return { ...buyer, session, receipt: pathname };
}

const balanceOf = async (email: string) => (await creditsOf(email)).balance;

async function tell(session: PlayedSession, type = COMPLETED): Promise<unknown> {
	return stripe.tell(endpoint, stripe.eventOf(session, type));
}

const TAKEN = { status: 200, body: { received: true, ours: true } };

describe('buying credits', () => {
	test('leads from the price table by the payment page to a receipt, and to a line of the ledger', async () => {
		const buyer = await newPerson();
		const shop = await buyer.visitor.get(ADD);
		expect(shop.text).toMatch(
			/10,000<\/strong> credits.*€69\.50.*€6\.95 per 1,000.*25,000<\/strong>.*€149\.00/s,
		);
		expect(shop.headers.get('content-security-policy')).toContain(
			`form-action 'self' https://checkout.stripe.com ${stripe.url}`,
		);
		const { location } = await buyer.visitor.submit(ADD, { credits: '10000' });
		const session = stripe.sessionAt(location ?? '');
		expect(session).toMatchObject({ total: 6_950, currency: 'eur' });
		expect(session.fields.get('customer_email')).toBe(buyer.email);
		expect(session.fields.get('line_items[0][price_data][product_data][name]')).toBe(
			'10,000 Mailsonar credits',
		);
		stripe.pay(session);
		expect(await tell(session)).toEqual(TAKEN);
		expect(await tell(session, 'charge.succeeded')).toEqual(TAKEN);
		expect(await balanceOf(buyer.email)).toBe(TRIAL + 10_000);
		const receipt = await buyer.visitor.get(new URL(session.fields.get('success_url') ?? '').pathname);
		expect(receipt.text).toContain('10,000 credits added');
		expect(receipt.text).toContain('€69.50');
		expect(receipt.text).toContain(`href="https://pay.stripe.com/receipts/payment/${session.id}"`);
		expect((await buyer.visitor.get('/dashboard/credits')).text).toContain('Bought 10,000 credits');
		expect((await buyer.visitor.get(ADD)).text).toContain('Your purchases');
	});

	test('of what is not sold is refused, and Stripe is not asked', async () => {
		const { visitor } = await newPerson();
		for (const credits of ['1', '10001', '-10000', '1e4', ''])
			expect((await visitor.submit(ADD, { credits })).status, credits).toBe(422);
	});

	test('while Stripe is away says so; an event then is asked for again', async () => {
		const { email, session, visitor, receipt } = await beginPurchase();
		stripe.pay(session);
		stripe.isDown = true;
		try {
			const page = await visitor.submit(ADD, { credits: '10000' });
			expect(page.status).toBe(503);
			expect(page.text).toContain('Nothing was bought');
			expect(await tell(session)).toMatchObject({ status: 503 });
			expect((await visitor.get(receipt)).text).toContain('not confirmed yet');
		} finally {
			stripe.isDown = false;
		}
		expect(await tell(session)).toEqual(TAKEN);
		expect(await balanceOf(email)).toBe(TRIAL + 10_000);
	});
});

describe('an event', () => {
	test('with a signature that is not good, or none, is refused, and grants nothing', async () => {
		const { email, session } = await beginPurchase();
		stripe.pay(session);
		const body = stripe.eventOf(session, COMPLETED);
		for (const signature of [stripe.sign(body, { secret: 'whsec_somebody' }), '']) {
			const answer = await stripe.tell(endpoint, body, signature);
			expect(answer).toMatchObject({ status: 400, body: { received: false } });
		}
		expect(await balanceOf(email)).toBe(TRIAL);
		for (const none of ['nonsense', '{"id": 1}'])
			expect(await stripe.tell(endpoint, none)).toMatchObject({ status: 400 });
	});

	test('about something else of the same Stripe account is taken and left alone', async () => {
		const { session } = await beginPurchase();
		for (const [id, type] of [
			['cs_test_other', COMPLETED],
			['cs_test_other', 'charge.refunded'],
			[session.id, 'customer.created'],
		] as const) {
			// Whoever made it named none of our purchases, but in the last, which is about no payment.
			const fields = id === session.id ? session.fields : new Map<string, string>();
			const answer = await stripe.tell(endpoint, stripe.eventOf({ ...session, id, fields }, type));
			expect(answer).toEqual({ status: 200, body: { received: true, ours: false } });
		}
	});
});

// A browser holds the page's policy against every place that its form leads to.
describe('in a browser', () => {
	useBrowser();

	test('from Home to credits in three clicks', async () => {
		const page = await signedUp('/dashboard', { javaScriptEnabled: false });
		await page.getByRole('link', { name: 'Add credits' }).click();
		await page.getByRole('button', { name: 'Buy 10,000 credits' }).click();
		await page.getByRole('heading', { name: '6950 eur' }).waitFor();

		await page.getByRole('link', { name: 'Back' }).click();
		await page.getByText('Nothing was charged').waitFor();
		await page.getByRole('button', { name: 'Buy 10,000 credits' }).click();
		await page.getByRole('button', { name: 'Pay' }).click();
		await page.getByRole('heading', { name: 'Your credits are here' }).waitFor();
		expect(await page.getByRole('main').innerText()).toContain('You have 10,100 to spend now.');

		await page.goto('/dashboard/credits');
		await page.getByRole('link', { name: 'Bought 10,000 credits' }).click();
		await page.getByText('10,000 credits added').waitFor();
		await page.goto('/dashboard');
		expect(await page.locator('.balance').innerText()).toBe('10,100');
	});

	test('somebody who pays in one tab sees it in the other that waits', async () => {
		const page = await signedUp('/dashboard/credits/add');
		await page.getByRole('button', { name: 'Buy 10,000 credits' }).click();
		await page.getByRole('button', { name: 'Pay' }).waitFor();
		const session = stripe.sessionAt(page.url());
		await page.goto(session.fields.get('success_url') ?? '');
		await page.getByText('The payment is not confirmed yet').waitFor();
		stripe.pay(session);
		await page.getByRole('heading', { name: 'Your credits are here' }).waitFor();
	});
});
