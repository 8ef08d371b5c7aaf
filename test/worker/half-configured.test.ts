import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { compose } from '../../src/compose.ts';
import { createDashboard } from '../../src/dashboard/app.ts';
import { createApp } from '../../src/http/app.ts';
import { withInvocation } from '../../src/lib/invocation.ts';
import { createAccount } from '../../src/operations/accounts/accounts.ts';

// A secret of an optional feature that is live alone, as between the two steps of docs/payments.md.

const app = createApp(
	compose,
	() => Promise.resolve(createDashboard(compose)),
	() => Promise.reject(new Error('no tool is asked for')),
);

test('half of an optional feature switches that feature off, is logged once and shown, and stops nothing else', async () => {
	const lines = vi.spyOn(console, 'warn').mockImplementation(() => {});
	const SECRET = 'sk_test_alone_and_a_secret';
	const half = {
		...env,
		STRIPE_SECRET_KEY: SECRET,
		LEGAL_NAME: 'Half Ltd',
	};
	const { apiKey } = await createAccount(compose(half), { email: 'half@example.com', credits: 5 });
	const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
		const context = createExecutionContext();
		const request = new Request(`https://mailsonar.test${path}`, init);
		const response = await withInvocation(async () => app.fetch(request, half, context));
		await waitOnExecutionContext(context);
		return response;
	};
	const health = await ask('/healthz');
	const text = await health.text();
	expect([health.status, JSON.parse(text)]).toEqual([
		200,
		{
			status: 'ok',
			problems: [],
			switchedOff: [
				'Buying credits is off without STRIPE_WEBHOOK_SECRET and CREDIT_PACKS',
				'The legal pages are off without LEGAL_ADDRESS',
			],
		},
	]);
	const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
	const verify = { method: 'POST', headers, body: '{"email":"ada@inbox.test"}' };
	expect(await (await ask('/v1/verify', verify)).json()).toMatchObject({ data: { status: 'deliverable' } });
	// No feature works by halves: no event is taken, and no page names the company.
	expect((await ask('/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(404);
	expect((await ask('/imprint')).status).toBe(404);
	const logged = lines.mock.calls.map(([line]) => String(line));
	expect(logged.filter((line) => line.includes('"feature_off"'))).toHaveLength(2);
	expect(text + logged.join('')).not.toContain(SECRET);
});
