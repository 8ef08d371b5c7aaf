import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { useBrowser } from './browser.ts';
import { signedUp } from './person.ts';

// Credits are bought in a browser, which holds the page's policy against every place that its form leads to.

useBrowser();

const stripe = new FakeStripe();
let service: TestService;

beforeAll(async () => {
	await stripe.start();
	service = await startTestService({
		sandbox: null,
		vars: {
			CREDIT_PACKS: '5000=39EUR 25000=149EUR',
			STRIPE_SECRET_KEY: stripe.secretKey,
			STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
			STRIPE_API_URL: stripe.url,
		},
	});
});

afterAll(async () => {
	await service?.remove();
	await stripe.stop();
});

test('from Home to credits in three clicks', async () => {
	const page = await signedUp('/dashboard', { baseURL: service.url, javaScriptEnabled: false });
	await page.getByRole('link', { name: 'Add credits' }).click();
	await page.getByRole('button', { name: 'Buy 25,000 credits' }).click();
	await page.getByRole('heading', { name: '14900 eur' }).waitFor();

	await page.getByRole('link', { name: 'Back' }).click();
	await page.getByText('Nothing was charged').waitFor();
	await page.getByRole('button', { name: 'Buy 25,000 credits' }).click();
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByRole('heading', { name: 'Your credits are here' }).waitFor();
	expect(await page.getByRole('main').innerText()).toContain('You have 25,100 to spend now.');

	await page.goto('/dashboard/credits');
	await page.getByRole('link', { name: 'Bought 25,000 credits' }).click();
	await page.getByText('25,000 credits added').waitFor();
	await page.goto('/dashboard');
	expect(await page.locator('.balance').innerText()).toBe('25,100');
});

test('somebody who pays in one tab sees it in the other that waits', async () => {
	const page = await signedUp('/dashboard/credits/add', { baseURL: service.url });
	await page.getByRole('button', { name: 'Buy 5,000 credits' }).click();
	await page.getByRole('button', { name: 'Pay' }).waitFor();
	const session = stripe.sessionAt(page.url());
	await page.goto(session.fields.get('success_url') ?? '');
	await page.getByText('The payment is not confirmed yet').waitFor();
	stripe.pay(session);
	await page.getByRole('heading', { name: 'Your credits are here' }).waitFor();
});
