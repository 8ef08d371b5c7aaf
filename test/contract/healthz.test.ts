import { expect, inject, test, describe } from 'vitest';
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

/** Sends a request as it stands, and gives the status of the answer. */
async function statusOf(head: readonly string[]): Promise<number> {
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	socket.write([...head, 'Connection: close', '', ''].join('\r\n'));
	const answer = await text(socket);
	return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}

describe('on the wire', () => {
	test('one Host is served', async () => {
		expect(await statusOf(['GET /healthz HTTP/1.1', `Host: ${host}`])).toBe(200);
	});

	test.each(['/healthz', '/v1/credits', '/dashboard/sign-in'])('two Hosts never are: %s', async (path) => {
		for (const hosts of [
			[host, 'evil.test'],
			['evil.test', host],
			[host, host],
		]) {
			const status = await statusOf([`GET ${path} HTTP/1.1`, ...hosts.map((name) => `Host: ${name}`)]);
			// `wrangler dev` has a Worker of its own in front, which fails at such a name before ours is asked.
			expect([400, 500]).toContain(status);
		}
	});

	test('a name that somebody had lead here finds no mailbox', async () => {
		const ask = async (name: string) => statusOf(['GET /dashboard/dev/mailbox HTTP/1.1', `Host: ${name}`]);
		expect(await ask('rebound.evil.test')).toBe(404);
		expect(await ask(host)).toBe(200);
	});
});
