import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { balanceOf, expectFailure, newClient, rateLimitOf, verified, verify } from './api.ts';
import { WEB_PAGE, startRelay } from './relay.ts';
import type { Condition, Relay } from './relay.ts';
import { eventually } from '../support/patience.ts';

// When our own means fail (DNS, the way out to mail servers), the answer is a 502 or 503 and nothing is charged.

let sandbox: Sandbox;
let dns: Relay;
let egress: Relay;
/** Reaches the sandbox through the two relays. */
let relayed: TestService;
/** Knows no prober. */
let walled: TestService;

beforeAll(async () => {
	sandbox = await startSandbox();
	const [dohUrl, socksUrl] = [new URL(sandbox.dohUrl), new URL(sandbox.socksUrl)];
	[dns, egress] = [await startRelay(Number(dohUrl.port)), await startRelay(Number(socksUrl.port))];
	const vars = {
		DOH_URL: `http://127.0.0.1:${dns.port}${dohUrl.pathname}`,
		SMTP_EGRESS: `socks5://${socksUrl.username}:${socksUrl.password}@127.0.0.1:${egress.port}`,
		HELO_NAME: 'probe.mailsonar.test',
		MAIL_FROM: 'verify@probe.mailsonar.test',
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
	};
	[relayed, walled] = await Promise.all([
		startTestService({ sandbox: null, vars }),
		startTestService({ sandbox: null, vars: { ...vars, DOH_URL: sandbox.dohUrl, SMTP_EGRESS: '' } }),
	]);
});

afterAll(async () => {
	await Promise.all([relayed?.remove(), walled?.remove()]);
	await Promise.all([dns?.close(), egress?.close(), sandbox?.close()]);
});

beforeEach(async () => {
	await Promise.all([dns.become('works'), egress.become('works')]);
});

/** Fails with the status, and the balance is as it was. Gives the text. */
async function expectOutage(service: TestService, address: string, status: 502 | 503): Promise<string> {
	const { apiKey } = await makeAccount(service, 2);
	const before = await balanceOf(apiKey, service.url);
	const answer = await verify(apiKey, address, service.url);
	const code = status === 502 ? 'upstream_nonsense' : 'upstream_unavailable';
	const error = expectFailure(answer, status, code);
	expect(answer.headers.get('retry-after')).toEqual(
		status === 503 ? expect.stringMatching(/^[1-9]\d*$/) : null,
	);
	// The request counted all the same.
	expect(rateLimitOf(answer)).toMatchObject({ limit: 300, remaining: 298 });
	expect(await balanceOf(apiKey, service.url)).toEqual(before);
	return error;
}

test('with both relays working, addresses are verified', async () => {
	const { apiKey } = await makeAccount(relayed, 1);
	expect((await verified(apiKey, 'ada@inbox.test', relayed.url)).data.status).toBe('deliverable');
});

const TROUBLED = Buffer.from('HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
const MOVED = Buffer.from(
	'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
);

describe('the DNS resolver', () => {
	// A name of its own for each row: answers are remembered.
	test.each<[string, Condition, string, 502 | 503]>([
		['nobody listens', 'closed', 'ada@shop-001.test', 503],
		['it hangs up', 'hangs_up', 'ada@shop-002.test', 503],
		['it says 500', TROUBLED, 'ada@shop-003.test', 503],
		['it answers with a web page', WEB_PAGE, 'ada@shop-004.test', 502],
		['it redirects', MOVED, 'ada@shop-005.test', 502],
	])('%s', async (_, condition, address, status) => {
		await dns.become(condition);
		expect(await expectOutage(relayed, address, status)).toContain('DNS resolver');
	});

	test('recovers without a restart', async () => {
		const { apiKey } = await makeAccount(relayed, 1);
		await dns.become('closed');
		expectFailure(await verify(apiKey, 'ada.adams@shop-006.test', relayed.url), 503, 'upstream_unavailable');
		await dns.become('works');
		expect((await verified(apiKey, 'ada.adams@shop-006.test', relayed.url)).meta.creditsUsed).toBe(1);
	});

	test('is not needed for what the lists decide', async () => {
		await dns.become('closed');
		const { apiKey } = await makeAccount(relayed, 1);
		expect((await verified(apiKey, 'ada@mailinator.com', relayed.url)).data.status).toBe('undeliverable');
	});
});

// SOCKS5 (RFC 1928 §3): none of the methods offered is acceptable.
const NO_METHOD = Uint8Array.of(5, 0xff);

describe('the way out to mail servers', () => {
	test.each<[string, Condition, 502 | 503]>([
		['nobody listens', 'closed', 503],
		['it hangs up', 'hangs_up', 503],
		['it refuses our credentials', NO_METHOD, 503],
		['it speaks HTTP', WEB_PAGE, 502],
		['it speaks SMTP', Buffer.from('220 mx.test ESMTP\r\n'), 502],
	])('%s', async (_, condition, status) => {
		await egress.become(condition);
		const error = await expectOutage(relayed, 'ada@inbox.test', status);
		expect(error).not.toMatch(/127\.0\.0\.1|sandbox/);
	});

	test('recovers without a restart', async () => {
		const { apiKey } = await makeAccount(relayed, 1);
		await egress.become('closed');
		expectFailure(await verify(apiKey, 'ada@inbox.test', relayed.url), 503, 'upstream_unavailable');
		await egress.become('works');
		expect((await verified(apiKey, 'ada@inbox.test', relayed.url)).meta.creditsUsed).toBe(1);
	});

	test('is not needed for what DNS decides', async () => {
		await egress.become('closed');
		const { apiKey } = await makeAccount(relayed, 1);
		const { data } = await verified(apiKey, 'ada@no-such-domain.test', relayed.url);
		expect(data.details.sub_status).toBe('invalid_domain');
	});

	test('is not configured', async () => {
		expect(await expectOutage(walled, 'ada@inbox.test', 503)).toContain('PROBERS');
	});

	test('one dead mail server is an unknown, never a 5xx', async () => {
		const { apiKey } = await makeAccount(relayed, 1);
		const { data, meta } = await verified(apiKey, 'ada@refused.test', relayed.url);
		expect(data).toMatchObject({ status: 'unknown', details: { sub_status: 'no_connect' } });
		expect(meta.creditsUsed).toBe(0);
	});
});

async function health(service: TestService): ReturnType<typeof call> {
	return call(service.url, null, 'GET', '/healthz', undefined, newClient());
}

describe('/healthz', () => {
	test('asks the egress once in ten seconds, however often and by however many it is asked', async () => {
		const before = egress.connections;
		const askers = Array.from({ length: 50 }, () => health(relayed));
		expect(new Set((await Promise.all(askers)).map(({ status }) => status))).toEqual(new Set([200]));
		expect(egress.connections - before).toBeLessThanOrEqual(1);
	});

	test('is 503 when it takes none, and names it without its credentials', async () => {
		await egress.become('closed');
		const { body, text } = await eventually(async () => {
			const answer = await health(relayed);
			expect(answer.status).toBe(503);
			return answer;
		}, 500);
		expect(body).toEqual({
			status: 'unavailable',
			problems: [`Egress socks5://127.0.0.1:${egress.port} does not take connections`],
		});
		expect(text).not.toContain(new URL(sandbox.socksUrl).password);
	});
});
