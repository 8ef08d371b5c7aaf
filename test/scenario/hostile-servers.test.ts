import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { inParallel } from '../../tools/sandbox-report.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { create, ended } from './access.ts';
import type { Job } from './access.ts';
import { readCredits, settledCredits, withoutLimits } from './credits.ts';
import { eventually } from '../support/patience.ts';

// Hostile mail servers, and clients that hang up or have no credits left: no credit appears or disappears.

const CREDITS = 500;

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
