import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { eventually } from '../support/patience.ts';
import { create, ended, readCredits } from './access.ts';
import type { Access } from './access.ts';

// Hostile mail servers, and clients that hang up: no credit appears or disappears.

const CREDITS = 500;

let service: TestService;
let sandbox: Sandbox;
let account: TestAccount;
let access: Access;

beforeAll(async () => {
	service = await startTestService({ vars: { RETRY_DELAYS_SECONDS: '2' } });
	if (service.sandbox === null) throw new Error('this service has a sandbox');
	sandbox = service.sandbox;
});
beforeEach(async () => {
	account = await makeAccount(service, CREDITS);
	access = { url: service.url, apiKey: account.apiKey };
	const path = `/accounts/${account.accountId}/limits`;
	await callOperator(service, 'PATCH', path, { default: 1_000_000 });
});
afterAll(() => service?.remove());

/** The balance once nothing is reserved any more. */
const settledCredits = () =>
	eventually(async () => {
		const credits = await readCredits(access);
		expect(credits.reservedCredits).toBe(0);
		return credits;
	}, 250);

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
	const answers = await Promise.all(
		addresses.map(async (address) => {
			const { status, body } = await call(service.url, account.apiKey, 'POST', '/v1/verify', {
				email: address,
			});
			const { data, meta } = body as { data?: { status: string }; meta?: { creditsUsed: number } };
			return { address, status, verdict: data?.status ?? null, creditsUsed: meta?.creditsUsed ?? 0 };
		}),
	);

	for (const { address, status } of answers) {
		const expected = address.includes('\r') ? 400 : address === 'ada@dns-garbage.test' ? 502 : 200;
		expect({ address, status }).toEqual({ address, status: expected });
	}
	const definite = answers.filter(({ verdict }) => verdict !== null && verdict !== 'unknown');
	const unknowns = answers.filter(({ verdict }) => verdict === 'unknown');
	for (const { creditsUsed } of definite) expect(creditsUsed).toBe(1);
	for (const { creditsUsed } of unknowns) expect(creditsUsed).toBe(0);
	const credits = await settledCredits();
	expect(credits).toMatchObject({ totalConsumed: definite.length, totalRefunded: unknowns.length });
	expect(credits.availableCredits).toBe(CREDITS - definite.length);
	expect(sandbox.counters.smtp.forbidden).toBe(0);
});

test('one hostile address among sixty is an unknown, and holds up no list', async () => {
	const emails = ['ada@babbles.test', ...Array.from({ length: 59 }, (_, n) => `ada+${n}@inbox.test`)];
	const id = await create(access, '/v1/verify-batch', { emails });
	const { statusCounts, creditsUsed } = await ended(access, `/v1/jobs/${id}`);
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
	await Promise.all(
		calls.map(async (email) => {
			const hungUp = fetch(new URL('/v1/verify', service.url), {
				method: 'POST',
				headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
				body: JSON.stringify({ email }),
				signal: AbortSignal.timeout(50),
			});
			await expect(hungUp).rejects.toThrow('timeout');
		}),
	);

	// A call that was still on its way when its client left may never have begun; one that began is settled.
	await eventually(async () => {
		expect((await readCredits(access)).reservedCredits).toBeGreaterThan(0);
	});
	const credits = await settledCredits();
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
