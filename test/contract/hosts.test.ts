import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, test } from 'vitest';

// By which name the service is called, on the wire. What the Worker itself answers: test/worker/hosts.test.ts.

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
