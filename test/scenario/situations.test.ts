import { afterAll, beforeAll, expect, test } from 'vitest';
import { scoreWithin } from '../../src/core/verification/sub-status.ts';
import { Slots } from '../../src/lib/slots.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { balanceOf } from '../contract/api.ts';
import { SANDBOX_DOMAINS } from '../sandbox/domains.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { eventually } from '../support/patience.ts';
import { verify } from './access.ts';
import type { Access, Verification } from './access.ts';

// Every address of the sandbox through the running service, over real sockets: what is said of it, what its mail server
// hears of us, and what it costs, also where clients hang up.

const PARALLEL = 12;
// Servers that never stop talking have no conversation to look at.
const isNoisy = ({ domain }: { readonly domain: string }) => /^(?:endless|flood|babbles)\.test$/.test(domain);
const ROWS = SANDBOX_DOMAINS.filter((row) => !isNoisy(row));

let service: TestService;
let sandbox: Sandbox;
let access: Access;
const verdicts = new Map<string, Verification>();

beforeAll(async () => {
	service = await startTestService();
	if (service.sandbox === null) throw new Error('this service has a sandbox');
	sandbox = service.sandbox;
	access = { url: service.url, ...(await makeAccount(service)) };
	const slots = new Slots(PARALLEL);
	const ask = async ({ address }: (typeof ROWS)[number]) =>
		verdicts.set(address, await verify(access, address));
	await Promise.all(ROWS.map((row) => slots.run(() => ask(row))));
});
afterAll(() => service?.remove());

test.each(ROWS)('$address: $does', ({ address, expect: promised }) => {
	const { status, deliverability_score: likely, catch_all_score: scored, details } = verdicts.get(address)!;
	const { sub_status: subStatus, attributes } = details;
	const catchAll = 'catch_all' in promised ? { catch_all: attributes.catch_all } : {};
	expect({ status, sub_status: subStatus, ...catchAll }).toEqual(promised);
	expect(scored !== undefined).toBe(attributes.catch_all === true);
	expect(likely).toBe(scoreWithin(status, scored ?? (status === 'unknown' ? 50 : likely)));
	// Public clients take these words for a verdict.
	if (status === 'unknown')
		expect(details.general.reason).not.toMatch(
			/policy|address rejected|access denied|user unknown|does not exist/i,
		);
});

// What each hears in which order: test/unit/prober/walk.test.ts.
test('no server hears DATA, VRFY or EXPN, or a command before its time, and no proxy of a place that is none', () => {
	expect(sandbox.counters.smtp).toMatchObject({ forbidden: 0, early: 0 });
	expect(sandbox.counters.socks).toMatchObject({ notAllowed: 0, badCredentials: 0 });
});

/** The balance once nothing is reserved any more. */
const settledCredits = ({ url, apiKey }: Access) =>
	eventually(async () => {
		const credits = await balanceOf(apiKey, url);
		expect(credits.reservedCredits).toBe(0);
		return credits;
	}, 250);

test('servers that never stop talking are unknown; what was charged is what was answered', async () => {
	const noisy = SANDBOX_DOMAINS.filter(isNoisy);
	const said = await Promise.all(noisy.map(({ address }) => verify(access, address)));
	expect(said.map(({ status, details }) => ({ status, sub_status: details.sub_status }))).toMatchObject(
		noisy.map((row) => row.expect),
	);
	const answered = [...verdicts.values(), ...said];
	const unknown = answered.filter(({ status }) => status === 'unknown').length;
	const charged = { totalConsumed: answered.length - unknown, totalRefunded: unknown };
	expect(await settledCredits(access)).toMatchObject(charged);
	expect(sandbox.counters.smtp.forbidden).toBe(0);
});

const SLOW = 'ada@tarpit nobody@slow-primary ada@greylist-short ada@silent ada@drips ada@dns-timeout';

test('clients that hang up pay for what was found out, once, and leave nothing reserved', async () => {
	const { accountId, apiKey } = await makeAccount(service, 500);
	const names = Array.from({ length: 4 }, () => SLOW.split(' ')).flat();
	const leaving = new AbortController();
	const calls = names.map((name) =>
		call(service.url, apiKey, 'POST', '/v1/verify', { email: `${name}.test` }, {}, leaving.signal),
	);
	const ended = Promise.allSettled(calls);
	// More than half have begun, so some of those with a definite answer and some of the others. The rest may never begin.
	const of = { url: service.url, apiKey };
	await eventually(async () =>
		expect((await balanceOf(apiKey, of.url)).reservedCredits).toBeGreaterThan(calls.length / 2),
	);
	leaving.abort();
	expect((await ended).map(({ status }) => status)).toContain('rejected');
	const { totalConsumed, totalRefunded, availableCredits } = await settledCredits(of);
	const { keys } = await callOperator<Shown>(service, 'GET', `/accounts/${accountId}`);
	const { unknown = 0, ...definite } = keys[0]?.outcomes ?? {};
	expect(Object.values(definite).reduce((sum, count) => sum + count, 0)).toBe(totalConsumed);
	expect([totalRefunded, availableCredits, keys[0]?.credits]).toEqual([
		unknown,
		500 - totalConsumed,
		totalConsumed,
	]);
	// Half of the addresses have a definite answer.
	expect(totalConsumed).toBeLessThanOrEqual(calls.length / 2);
	expect([totalConsumed, unknown]).not.toContain(0);
	expect(totalConsumed + unknown).toBeLessThanOrEqual(calls.length);
});

interface Shown {
	readonly keys: readonly { readonly credits: number; readonly outcomes: Record<string, number> | null }[];
}
