import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { freeAnswersPerDay } from '../../src/core/credits/free-answers.ts';
import { priceOfDomains } from '../../src/core/credits/price.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { ServiceError } from '../../src/errors.ts';
import { secureRandom } from '../../src/lib/encodings.ts';
import { noDomain } from '../../src/engine/describe-domains.ts';
import { describeDomains } from '../../src/operations/domains/describe-domains.ts';
import type { DescribeDomainsServices } from '../../src/operations/domains/describe-domains.ts';
import { HOUR_MS, admissionOf, openAccount } from '../support/account-jobs.ts';

// The money of POST /v1/domains. What a death leaves behind is that of any call with a charge: verify-once.test.ts.

const CREDITS = 500;
const NAMES = Array.from({ length: 995 }, (_, n) => `d${n}.test`);
const PRICE = priceOfDomains(NAMES.length);
const PAUSE_MS = 5_000;
const CALL = { key: 'domains once', fingerprint: 'f1' };
const SIGNING = { version: 1, secret: new Uint8Array(32).fill(7) };
const SECRETS = { secureRandom, signing: SIGNING, signingSecrets: [SIGNING] };

async function world(says: (nth: number) => 'told' | 'silent' | 'fault' = () => 'told') {
	// At noon of tomorrow: no alarm rings by itself, and the free answers are those of one day.
	const start = Math.ceil(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS + 12 * HOUR_MS;
	const account = await openAccount(CREDITS, start);
	const clock = { now: start };
	let asked = 0;
	let requests = 0;
	const services: DescribeDomainsServices = {
		clock: {
			now: () => clock.now,
			sleep: (ms) => {
				clock.now += ms;
				return Promise.resolve();
			},
		},
		accounts: accountsOf(env.ACCOUNT),
		...SECRETS,
		describeDomains: (names) => {
			const said = says((asked += 1));
			if (said === 'fault') return Promise.reject(new ServiceError('upstream_unavailable', 'no resolver'));
			return Promise.resolve(
				names.map((name) => ({ ...noDomain(name), exists: said === 'told' ? true : null })),
			);
		},
	};
	const send = async (call: typeof CALL | null = CALL) => {
		requests += 1;
		// Far enough apart for the window of calls.
		clock.now += PAUSE_MS;
		const own = { id: `dom_${requests}`, at: clock.now };
		const admission = await account.stub.admit({
			...admissionOf(own.id, clock.now, PRICE),
			...(call === null ? {} : { call }),
		});
		if (admission.kind !== 'admitted') throw new Error(admission.kind);
		const { earlier, mayAsk = true, hold, reservation = own } = admission;
		return describeDomains(
			services,
			{ accountId: account.accountId },
			{
				reservation,
				...(hold === undefined ? {} : { hold }),
				answered: earlier?.kind === 'answered' ? earlier.answer : null,
				mayAsk,
				call,
				names: NAMES,
				calledAt: clock.now,
				requestId: `req_${requests}`,
			},
		);
	};
	const spent = async () => {
		const { totalConsumed, reservedCredits } = await account.balance();
		return [totalConsumed, reservedCredits];
	};
	return { ...account, send, spent };
}

describe('a look-up of domains', () => {
	test('is charged as a whole, in the ledger and in the usage of its key, and counts as no verification', async () => {
		const { send, spent, stub, start } = await world();
		expect((await send(null)).answer).toMatchObject({ charged: PRICE, remaining: CREDITS - PRICE });
		expect(await spent()).toEqual([PRICE, 0]);
		const { entries } = await stub.listLedger({ before: null, pageSize: 1 });
		expect(entries).toMatchObject([{ id: 'dom_1', charged: PRICE, outcome: 'described' }]);
		expect(await stub.check()).toEqual([]);
		const day = new Date(start).toISOString().slice(0, 10);
		const none = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
		expect(await stub.usageSince(day)).toMatchObject([{ usage: { credits: PRICE, outcomes: none } }]);
	});

	test('is free where nothing was told, and counts as so many free answers', async () => {
		const { send, spent } = await world(() => 'silent');
		const calls = Math.ceil(freeAnswersPerDay(CREDITS) / PRICE);
		for (let n = 0; n < calls; n += 1) await send(null);
		expect(await spent()).toEqual([0, 0]);
		await expect(send(null)).rejects.toMatchObject({
			code: 'rate_limited',
			retryAfterSeconds: 12 * 3600 - ((calls + 1) * PAUSE_MS) / 1000,
		});
		expect(await spent()).toEqual([0, 0]);
	});
});
