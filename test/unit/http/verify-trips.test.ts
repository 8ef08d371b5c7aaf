import { SILENT } from '../../../src/core/metrics/metrics.ts';
import { expect, test } from 'vitest';
import type { Resolver } from '../../../src/core/dns/resolver.ts';
import { lookUpMail } from '../../../src/engine/case.ts';
import { examineAddresses } from '../../../src/engine/examine.ts';
import type { Services } from '../../../src/services.ts';
import type { Asked } from '../../../src/wire/prober.ts';
import { ADMITTED, apiApp, apiKey } from '../../support/unit/api-app.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { fakeRandomness } from '../../support/unit/mail-servers.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';

// The long trips of POST /v1/verify, on a clock that counts nothing else: to the account and back, to the resolver, to
// the prober, and to the account again.

interface Distances {
	readonly accountMs: number;
	readonly resolverMs: number;
	readonly proberMs: number;
}

function worldOf({ accountMs, resolverMs, proberMs }: Distances, admission: object = {}) {
	const clock = virtualClock();
	const steps: string[] = [];
	const trip = async <T>(what: string, ms: number, answer: T): Promise<T> => {
		steps.push(what);
		await clock.sleep(ms);
		return answer;
	};
	const zones = fakeResolver({
		'x.test': { mx: ['10 mx1.x.test', '20 mx2.x.test'] },
		'mx1.x.test': { a: ['8.8.8.1'] },
		'mx2.x.test': { a: ['8.8.8.2'] },
	});
	const resolver: Resolver = {
		mx: async (domain) => trip('dns', resolverMs, await zones.mx(domain)),
		look: async (name, type) => trip('dns', resolverMs, await zones.look(name, type)),
	};
	const said: Asked = { answers: [{ kind: 'no_connect', tried: 1 }], evidence: [], recipients: 0 };
	const prober = { ask: () => trip('question', proberMs, said) };
	const randomness = fakeRandomness();
	const ports = { ...fakeLookups(), clock, resolver, prober, randomness, addressPolicy: PUBLIC_ONLY };
	const account = {
		admit: () => trip('admit', accountMs, { ...ADMITTED, ...admission }),
		settle: () => trip('settle', accountMs, { charged: 0, balance: ADMITTED.balance, answer: null }),
	};
	const call = apiApp({
		digestsOf: () => ['digest'],
		metrics: SILENT,
		clock,
		accounts: () => account,
		examineAddresses: (...[addresses, how]: Parameters<Services['examineAddresses']>) =>
			examineAddresses(ports, { budgetMs: 15_000 }, addresses, how),
		lookUpMail: ({ domain }: { domain: string }, { quick }: { quick: boolean }) =>
			lookUpMail(ports, { domain }, { quick }),
	});
	const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
	const verify = async (mode: 'full' | 'quick' = 'full'): Promise<{ status: number; ms: number }> => {
		const begun = clock.now();
		const body = JSON.stringify({ email: 'ada@x.test', mode });
		const response = await call('/v1/verify', { method: 'POST', headers, body });
		return { status: response.status, ms: clock.now() - begun };
	};
	/** As an account that was admitted a moment ago. */
	const verifyAgain = async (mode?: 'full' | 'quick') => {
		await clock.run(verify(mode));
		steps.length = 0;
		return clock.run(verify(mode));
	};
	return { verify: () => clock.run(verify()), verifyAgain, steps };
}

test.each<[string, Distances]>([
	['the account is far', { accountMs: 80, resolverMs: 10, proberMs: 300 }],
	['the resolver is slow', { accountMs: 20, resolverMs: 100, proberMs: 300 }],
	['all are near', { accountMs: 1, resolverMs: 1, proberMs: 1 }],
])('an address takes as long as admission or DNS, one question, and settling: %s', async (_, distances) => {
	const { verifyAgain } = worldOf(distances);
	const { accountMs, resolverMs, proberMs } = distances;
	// MX, and then all hosts at once.
	const dnsMs = 2 * resolverMs;
	expect(await verifyAgain()).toEqual({
		status: 200,
		ms: Math.max(accountMs, dnsMs) + proberMs + accountMs,
	});
});

test('a quick check takes one trip to the resolver beside those to the account, and asks no prober', async () => {
	const { verifyAgain, steps } = worldOf({ accountMs: 20, resolverMs: 50, proberMs: 300 });
	expect(await verifyAgain('quick')).toEqual({ status: 200, ms: 50 + 20 });
	expect(steps.toSorted()).toEqual(['admit', 'dns', 'settle']);
});

test('an account that is not let in has no names looked up either', async () => {
	const { verify, steps } = worldOf(
		{ accountMs: 50, resolverMs: 1, proberMs: 1 },
		{ kind: 'insufficient_credits', available: 0 },
	);
	await verify();
	steps.length = 0;
	expect((await verify()).status).toBe(402);
	expect(steps).toEqual(['admit']);
});

test.each([
	['no credits', { kind: 'insufficient_credits', available: 0 }, 402],
	['its window is used up', { kind: 'rate_limited' }, 429],
	['its key is revoked', { kind: 'unauthenticated', because: 'revoked' }, 401],
])('the mail hosts are asked for nobody who is not let in: %s', async (_, admission, status) => {
	await worldOf({ accountMs: 1, resolverMs: 1, proberMs: 1 }).verify();
	// The answer about DNS comes first: it has to wait.
	const { verify, steps } = worldOf({ accountMs: 50, resolverMs: 1, proberMs: 1 }, admission);
	expect((await verify()).status).toBe(status);
	expect(steps).toEqual(expect.arrayContaining(['admit', 'dns']));
	expect(steps).not.toContain('question');
});
