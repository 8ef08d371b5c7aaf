import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { newClient, rateLimitOf } from './api.ts';

// GET /healthz. A service whose configuration is missing or wrong: test/worker/installations.test.ts.

const service = inject('service');

test('is 200 when all is well, and needs no key', async () => {
	const answer = await call(service.url, null, 'GET', '/healthz');
	expect([answer.status, answer.body]).toEqual([200, { status: 'ok', problems: [] }]);
	expect((await call(service.url, null, 'HEAD', '/healthz')).status).toBe(200);
});

test('says which version answers, so that a deploy knows whom it asked', async () => {
	const { headers } = await call(service.url, null, 'GET', '/healthz');
	expect(headers.get('mailsonar-version')).toMatch(/^[\w-]+$/);
});

test('is outside the limits: it counts down nothing', async () => {
	const client = newClient();
	const remaining = async (): Promise<number> =>
		rateLimitOf(await call(service.url, null, 'GET', '/healthz', undefined, client)).remaining;
	expect([await remaining(), await remaining()]).toEqual([300, 300]);
});

test('is a 429 for a client that asks more than 60 times a minute, and for no other', async () => {
	const [eager, other] = [newClient(), newClient()];
	const ask = (client: Readonly<Record<string, string>>) =>
		call(service.url, null, 'GET', '/healthz', undefined, client);
	const answers = await Promise.all(Array.from({ length: 65 }, () => ask(eager)));
	const counts = Map.groupBy(answers, ({ status }) => status);
	expect([counts.get(200)?.length, counts.get(429)?.length]).toEqual([60, 5]);
	const refused = await ask(eager);
	expect(rateLimitOf(refused)).toMatchObject({ limit: 60, remaining: 0 });
	expect(refused.headers.get('retry-after')).toMatch(/^[1-5]?\d$|^60$/);
	expect((await ask(other)).status).toBe(200);
});
