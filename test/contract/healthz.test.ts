import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { newClient, rateLimitOf } from './api.ts';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

// GET /healthz. A service whose configuration is missing or wrong: test/worker/installations.test.ts.

const service = inject('service');

test('is 200 when all is well, needs no key, counts down nothing, and says which version answers', async () => {
	const client = newClient();
	for (let times = 0; times < 2; times += 1) {
		const answer = await call(service.url, null, 'GET', '/healthz', undefined, client);
		expect([answer.status, answer.body]).toEqual([200, { status: 'ok', problems: [] }]);
		expect(rateLimitOf(answer).remaining).toBe(300);
		// So that a deploy knows whom it asked.
		expect(answer.headers.get('mailsonar-version')).toMatch(/^[\w-]+$/);
	}
	expect((await call(service.url, null, 'HEAD', '/healthz')).status).toBe(200);
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

// By which name the service is called, on the wire. What the Worker itself answers: test/worker/installations.test.ts.

const { hostname, port, host } = new URL(inject('service').url);

test('a name that somebody had lead here finds no mailbox, on the wire', async () => {
	const ask = async (name: string) => {
		const socket = connect(Number(port), hostname);
		await once(socket, 'connect');
		socket.write(`GET /dashboard/dev/mailbox HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
		return (await text(socket)).split(' ')[1];
	};
	expect([await ask('rebound.evil.test'), await ask(host)]).toEqual(['404', '200']);
});
