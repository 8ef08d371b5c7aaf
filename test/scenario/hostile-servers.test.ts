import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { inParallel } from '../../tools/sandbox-report.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { create, ended } from './access.ts';
import type { Job } from './access.ts';
import { readCredits, settledCredits, withoutLimits } from './credits.ts';
import { eventually } from '../support/patience.ts';

// Whatever comes in, and whoever hangs up: no credit appears or disappears, and nothing of it reaches a mail server.

const CREDITS = 500;
const PARALLEL = 12;

let service: TestService;
let sandbox: Sandbox;
let account: TestAccount;

beforeAll(async () => {
	service = await startTestService({ vars: { RETRY_DELAYS_SECONDS: '2' } });
	if (service.sandbox === null) throw new Error('this service has a sandbox');
	sandbox = service.sandbox;
});
beforeEach(async () => {
	account = await makeAccount(service, CREDITS);
	await withoutLimits(service, account.accountId);
});
afterAll(() => service?.remove());

async function verify(address: unknown) {
	return call(service.url, account.apiKey, 'POST', '/v1/verify', { email: address });
}

const json = (email: unknown): string => JSON.stringify({ email });

const BAD_BODIES: readonly [what: string, body: string | Uint8Array][] = [
	['no body at all', ''],
	['half a document', '{"email":"ada@inbox.test"'],
	['two documents', '{"email":"ada@inbox.test"}{"email":"ada@inbox.test"}'],
	['a single quote', "{'email':'ada@inbox.test'}"],
	['a form', 'email=ada%40inbox.test'],
	['a list', '["ada@inbox.test"]'],
	['a bare string', '"ada@inbox.test"'],
	['null', 'null'],
	['no email', '{"address":"ada@inbox.test"}'],
	['a number', json(12)],
	['a boolean', json(true)],
	['null as the email', json(null)],
	['a list as the email', json(['ada@inbox.test'])],
	['an object as the email', json({ toString: 'ada@inbox.test' })],
	['a prototype', '{"__proto__":{"email":"ada@inbox.test"}}'],
	['nothing in it', json('')],
	['white space in it', json(' \t\r\n ')],
	['no at sign', json('ada.inbox.test')],
	['a local part of 1 MB', json(`${'a'.repeat(1_000_000)}@inbox.test`)],
	['a domain of 1 MB', json(`ada@${'a.'.repeat(500_000)}test`)],
	['2 MB beside the email', JSON.stringify({ email: 'ada@inbox.test', comment: 'x'.repeat(2_000_000) })],
	['60 KB in the email', json(`${'a'.repeat(60_000)}@inbox.test`)],
	['30,000 at signs', json('@'.repeat(30_000))],
	['30,000 quotes', json(`${'"'.repeat(30_000)}@inbox.test`)],
	['depth without end', '['.repeat(60_000)],
	['a header behind the address', json('a@b.com\r\nRCPT TO:<x@inbox.test>')],
	['a header in the local part', json('a>\r\nRCPT TO:<x@inbox.test')],
	['a line feed in the domain', json('ada@inbox.test\nDATA\n.test')],
	['a NUL', json('ada\0@inbox.test')],
	['DEL', json('ada\u007f@inbox.test')],
	['a C1 control', json('ada\u0085@inbox.test')],
	['a bell as it is', '{"email":"ada\u0007@inbox.test"}'],
	['half a surrogate pair', '{"email":"ada\\ud800@inbox.test"}'],
	['the other half', '{"email":"\\udc00ada@inbox.test"}'],
	['half a pair in the domain', '{"email":"ada@in\\ud800box.test"}'],
	['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d)],
	['an angle bracket alone', json('<ada@inbox.test')],
	['two at signs', json('ada@grace@inbox.test')],
	['an address literal', json('ada@[127.0.0.1]')],
	['a right-to-left override', json('ada\u202e@inbox.test')],
	['a source route', json('@relay.test:ada@inbox.test')],
	['a percent hack with a space', json('ada%x y@inbox.test')],
	['a domain of one label', json('ada@localhost')],
	['an unknown escape', '{"email":"\\x41da@inbox.test"}'],
	['not a number', '{"email":NaN}'],
];

describe('input that is no address', () => {
	test.each(BAD_BODIES)('%s is a 400 that says why, and costs nothing', async (_, body) => {
		const {
			status,
			headers,
			body: answer,
		} = await call(service.url, account.apiKey, 'POST', '/v1/verify', body);
		expect(status).toBe(400);
		const { param, docs, ...told } = answer as { error: string; param?: string; docs?: string };
		// A page is named where one field is meant, and only there.
		expect([param, docs]).toEqual(
			param === undefined ? [undefined, undefined] : ['email', '/docs/reference/verifyAddress'],
		);
		expect(told).toEqual({
			success: false,
			error: expect.stringMatching(/^[^\r\n]{5,200}$/),
			message: told.error,
			code: expect.stringMatching(/^[a-z_]+$/),
			requestId: headers.get('x-request-id'),
		});
		expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
		expect(headers.get('x-request-id')).toMatch(/^req_/);
	});

	test('another media type is a 400', async () => {
		const type = { 'content-type': 'text/plain' };
		const body = json('ada@inbox.test');
		expect((await call(service.url, account.apiKey, 'POST', '/v1/verify', body, type)).status).toBe(400);
	});

	test('a storm of it reaches neither DNS nor a mail server, and leaves the balance alone', async () => {
		sandbox.reset();
		const storm = Array.from({ length: 4 }, () => BAD_BODIES).flat();
		const answers = await inParallel(storm, PARALLEL, async ([what, body]) => {
			const { status, text } = await call(service.url, account.apiKey, 'POST', '/v1/verify', body);
			return { what, status, text };
		});
		expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
		expect(sandbox.counters.dns.queries).toBe(0);
		expect(sandbox.counters.smtp.connections).toBe(0);
		expect(await readCredits(service.url, account.apiKey)).toMatchObject({
			availableCredits: CREDITS,
			reservedCredits: 0,
			totalConsumed: 0,
			totalRefunded: 0,
		});
	});
});

const HOSTILE = [
	'ada@babbles.test',
	'ada@flood.test',
	'ada@endless.test',
	'ada@drips.test',
	'ada@silent.test',
	'ada@half-reply.test',
	'ada@hangs-up.test',
	'ada@invalid-utf8.test',
	'ada@black-hole.test',
	'ada@dns-timeout.test',
	'ada@dns-garbage.test',
	'ada@servfail.test',
	'ada@shuts-down.test',
	'ada@private-mx.test',
] as const;

test('hostile servers and bad input at once: what is charged is what was answered', async () => {
	const addresses = [
		...HOSTILE,
		...HOSTILE,
		...HOSTILE,
		'ada@inbox.test',
		'nobody@inbox.test',
		'a\r\n@b.test',
	];
	const answers = await inParallel(addresses, addresses.length, async (address) => {
		const { status, body } = await verify(address);
		const { data, meta } = body as { data?: { status: string }; meta?: { creditsUsed: number } };
		return { address, status, verdict: data?.status ?? null, creditsUsed: meta?.creditsUsed ?? 0 };
	});
	for (const { address, status } of answers) {
		const expected = address.includes('\r') ? 400 : address === 'ada@dns-garbage.test' ? 502 : 200;
		expect({ address, status }).toEqual({ address, status: expected });
	}
	const definite = answers.filter(({ verdict }) => verdict !== null && verdict !== 'unknown');
	const unknowns = answers.filter(({ verdict }) => verdict === 'unknown');
	for (const { creditsUsed } of definite) expect(creditsUsed).toBe(1);
	for (const { creditsUsed } of unknowns) expect(creditsUsed).toBe(0);
	const credits = await settledCredits(service.url, account.apiKey);
	expect(credits).toMatchObject({ totalConsumed: definite.length, totalRefunded: unknowns.length });
	expect(credits.availableCredits).toBe(CREDITS - definite.length);
	expect(sandbox.counters.smtp.forbidden).toBe(0);
});

test('one hostile address among sixty is an unknown, and holds up no list', async () => {
	const emails = ['ada@babbles.test', ...Array.from({ length: 59 }, (_, n) => `ada+${n}@inbox.test`)];
	const access = { url: service.url, apiKey: account.apiKey };
	const { id } = await create(access, '/v1/verify-batch', { emails });
	const { statusCounts, creditsUsed } = await ended<Job>(access, `/v1/jobs/${id}`);
	expect([statusCounts, creditsUsed]).toMatchObject([{ deliverable: 59, unknown: 1 }, 59]);
});

const SLOW = [
	'ada@tarpit.test',
	'nobody@slow-primary.test',
	'ada@greylist-short.test',
	'ada@silent.test',
	'ada@drips.test',
	'ada@dns-timeout.test',
] as const;

interface Shown {
	readonly keys: readonly {
		readonly credits: number;
		readonly outcomes: Readonly<Record<string, number>> | null;
	}[];
}

test('clients that hang up pay for what was found out, once, and leave nothing reserved', async () => {
	const calls = Array.from({ length: 4 }, () => SLOW).flat();
	await inParallel(calls, calls.length, async (email) => {
		const hungUp = fetch(new URL('/v1/verify', service.url), {
			method: 'POST',
			headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ email }),
			signal: AbortSignal.timeout(50),
		});
		await expect(hungUp).rejects.toThrow('timeout');
	});
	// A call that was still on its way when its client left may never have begun; one that began is settled.
	await eventually(async () => {
		expect((await readCredits(service.url, account.apiKey)).reservedCredits).toBeGreaterThan(0);
	});
	const credits = await settledCredits(service.url, account.apiKey);
	const { keys } = await callOperator<Shown>(service, 'GET', `/accounts/${account.accountId}`);
	const outcomes = keys[0]?.outcomes ?? {};
	const { unknown = 0, deliverable = 0, undeliverable = 0, risky = 0 } = outcomes;
	expect(credits.totalConsumed).toBe(deliverable + undeliverable + risky);
	expect(credits.totalRefunded).toBe(unknown);
	expect(credits.availableCredits).toBe(CREDITS - credits.totalConsumed);
	expect(keys[0]?.credits).toBe(credits.totalConsumed);
	// Half of the addresses have a definite answer.
	expect(credits.totalConsumed).toBeLessThanOrEqual(calls.length / 2);
	expect(credits.totalConsumed).toBeGreaterThan(0);
	expect(unknown).toBeGreaterThan(0);
	expect(credits.totalConsumed + unknown).toBeLessThanOrEqual(calls.length);
});

test('of twenty calls at once that five credits can pay for, five are charged and fifteen are refused', async () => {
	const poor = await makeAccount(service, 5);
	const statuses = await inParallel(Array.from({ length: 20 }), 20, async () => {
		return (await call(service.url, poor.apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' })).status;
	});
	const counted = Map.groupBy(statuses, (status) => status);
	expect([counted.get(200)?.length, counted.get(402)?.length]).toEqual([5, 15]);
	expect(await settledCredits(service.url, poor.apiKey)).toMatchObject({
		availableCredits: 0,
		totalConsumed: 5,
	});
});

test('a refund can be spent again at once', async () => {
	const poor = await makeAccount(service, 1);
	const ask = async (email: string) =>
		(await call(service.url, poor.apiKey, 'POST', '/v1/verify', { email })).status;
	for (const email of ['ada@blocked.test', 'ada@policy.test', 'ada@inbox.test'])
		expect(await ask(email)).toBe(200);
	expect(await ask('ada@inbox.test')).toBe(402);
	expect(await settledCredits(service.url, poor.apiKey)).toMatchObject({
		totalConsumed: 1,
		totalRefunded: 2,
	});
});
