import { freeAnswersPerDay } from '../../src/core/credits/free-answers.ts';
import { priceOfDomains } from '../../src/core/credits/price.ts';
import { SILENT } from '../../src/core/metrics/metrics.ts';
import { noDomain } from '../../src/engine/describe-domains.ts';
import { runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { decidedBy, listFacts } from '../../src/core/verification/render.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';
import { ServiceError } from '../../src/errors.ts';
import { secureRandom } from '../../src/lib/encodings.ts';
import { describeDomains, verifyAddress } from '../../src/operations/verify/verify.ts';
import type { VerifyAddressServices } from '../../src/operations/verify/verify.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import { addressOf } from '../support/unit/mail-servers.ts';
import { admissionOf, openAccount, sqlIn } from '../support/account-jobs.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';
import { env } from 'cloudflare:workers';

// POST /v1/verify with an Idempotency-Key: whatever dies and however often it is sent, one answer and one charge.

const ADA = addressOf('ada@x.test');
const CALL = { key: 'once', fingerprint: 'f1' };
const CREDITS = 5;
const SIGNING = { version: 1, secret: new Uint8Array(32).fill(7) };
/** By then a Worker without an answer is taken for dead. */
const AT_WORK_MS = 20_000;

failsOnPurpose();

/** An account, and calls of it with a price and, unless it is null, a key. */
async function openCalls(credits: number, price = 1) {
	// A test's waits last minutes, and the free answers are those of a day: it begins at noon of tomorrow.
	const account = await openAccount(credits, Math.ceil(Date.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS);
	const clock = { now: account.start };
	let requests = 0;
	const base = {
		clock: {
			now: () => clock.now,
			sleep: (ms: number) => {
				clock.now += ms;
				return Promise.resolve();
			},
		},
		accounts: accountsOf(env.ACCOUNT),
		metrics: SILENT,
		secureRandom,
		signing: SIGNING,
		signingSecrets: [SIGNING],
	};
	const admit = async (call: typeof CALL | null = CALL) => {
		requests += 1;
		const own = { id: `vfy_${requests}`, at: clock.now };
		const keyed = call === null ? {} : { call };
		const admission = await account.stub.admit({ ...admissionOf(own.id, clock.now, price), ...keyed });
		if (admission.kind !== 'admitted') throw new Error(admission.kind);
		const { earlier, hold, mayAsk = true, reservation = own } = admission;
		if (earlier?.kind === 'mismatch' || earlier?.kind === 'under_way') throw new Error(earlier.kind);
		return {
			reservation,
			answered: earlier?.kind === 'answered' ? earlier.answer : null,
			...(hold === undefined ? {} : { hold }),
			calledAt: clock.now,
			requestId: `req_${requests}`,
			mayAsk,
			call,
		};
	};
	const spent = async () => {
		const { totalConsumed, reservedCredits, totalRefunded } = await account.balance();
		return [totalConsumed, reservedCredits, totalRefunded];
	};
	return { ...account, clock, base, admit, spent };
}

async function world(says: (nth: number) => SubStatus | 'fault' = () => 'accepted_email') {
	const { base, ...account } = await openCalls(CREDITS);
	let asked = 0;
	const services: VerifyAddressServices = {
		...base,
		later: () => {},
		examineAddresses: () => {
			const said = says((asked += 1));
			if (said === 'fault') return Promise.reject(new ServiceError('upstream_unavailable', 'no way out'));
			const outcome = decidedBy('smtp', said);
			return Promise.resolve([{ lists: listFacts(ADA), outcome, judgement: null }]);
		},
	};
	const { accountId, admit } = account;
	const work = (admitted: Awaited<ReturnType<typeof admit>>, with_ = services) =>
		verifyAddress(with_, { accountId }, { ...admitted, address: ADA, mail: null, outcome: null });
	/** As the route does it. */
	const send = async (call = CALL, with_ = services) => work(await admit(call), with_);
	const rows = () => sqlIn(account.stub, 'SELECT * FROM idempotency');
	return { ...account, services, work, send, rows, asked: () => asked };
}

describe('a call under an Idempotency-Key', () => {
	test('that is repeated gets the first answer, charged once, for 48 hours and to the end of their hour', async () => {
		const { send, spent, clock, asked, ring } = await world();
		const first = await send();
		expect(first).toMatchObject({ replayed: false, answer: { charged: 1, remaining: CREDITS - 1 } });
		expect(await send()).toEqual({ ...first, replayed: true });
		clock.now += 48 * HOUR_MS;
		expect(await send()).toEqual({ ...first, replayed: true });
		await ring(clock.now);
		expect(await send()).toEqual({ ...first, replayed: true });
		expect([await spent(), asked()]).toEqual([[1, 0, 0], 1]);
		clock.now += HOUR_MS;
		expect((await send()).replayed).toBe(false);
		expect(await spent()).toEqual([2, 0, 0]);
	});

	test('is repeated for nothing where no credit is left, and an unknown stays refunded', async () => {
		const { send, spent } = await world(() => 'greylisted');
		const first = await send();
		expect(first.answer).toMatchObject({ charged: 0, remaining: CREDITS });
		for (let n = 0; n < CREDITS + 1; n += 1) expect(await send()).toEqual({ ...first, replayed: true });
		expect(await spent()).toEqual([0, 0, 1]);
	});

	test('that failed is forgotten: the next one is a call of its own', async () => {
		const { send, spent } = await world((nth) => (nth === 1 ? 'fault' : 'accepted_email'));
		await expect(send()).rejects.toMatchObject({ code: 'upstream_unavailable' });
		expect(await spent()).toEqual([0, 0, 0]);
		expect(await send()).toMatchObject({ replayed: false, answer: { charged: 1 } });
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('that a Worker took up and died with is under way for 20 s, and then carried on, on the same reservation', async () => {
		const { admit, send, spent, clock, asked } = await world();
		const { reservation } = await admit();
		clock.now += AT_WORK_MS - 1;
		await expect(send()).rejects.toThrow('under_way');
		clock.now += 1;
		const taken = await admit();
		expect(taken.reservation).toEqual(reservation);
		// The repeat has its own time.
		clock.now += AT_WORK_MS - 1;
		await expect(send()).rejects.toThrow('under_way');
		expect(await spent()).toEqual([0, 1, 0]);
		clock.now += 1;
		const answer = await send();
		expect(answer).toMatchObject({ replayed: false, answer: { charged: 1 } });
		expect(await send()).toEqual({ ...answer, replayed: true });
		expect([await spent(), asked()]).toEqual([[1, 0, 0], 1]);
	});

	test('whose Worker died holds its credit as long as somebody works at it, or five minutes', async () => {
		const { admit, send, spent, clock, ring, stub, evict } = await world();
		await admit();
		clock.now += AT_WORK_MS;
		await ring(clock.now);
		// The object leaves memory, and with it what the dead Worker had set aside.
		await evict();
		await stub.grant({ id: 'back', credits: 1 - CREDITS, now: clock.now });
		await admit({ ...CALL, key: 'takes the last one' });
		await expect(send()).rejects.toThrow('insufficient_credits');
		clock.now += 6 * 60_000;
		await ring(clock.now);
		expect(await spent()).toEqual([0, 0, 0]);
		expect((await send()).answer.charged).toBe(1);
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('that is repeated shortly before those five minutes end begins anew, so that its answer is charged', async () => {
		const { admit, work, send, spent, clock } = await world();
		await admit();
		clock.now += 5 * 60_000 - 1;
		const repeat = await admit();
		clock.now += 2_000;
		const answer = await work(repeat);
		expect(answer.answer.charged).toBe(1);
		expect(await send()).toEqual({ ...answer, replayed: true });
		// What the dead Worker holds ends by itself, in a second.
		expect(await spent()).toEqual([1, 1, 0]);
	});

	test('of two that work side by side the one that settles first answers for both', async () => {
		const { admit, work, spent, clock, asked } = await world((nth) =>
			nth === 1 ? 'accepted_email' : 'rejected_email',
		);
		const slow = await admit();
		clock.now += AT_WORK_MS;
		const repeat = await admit();
		const [first, second] = await Promise.all([work(slow), work(repeat)]);
		expect(first.answer).toEqual(second.answer);
		expect(new Set([first.replayed, second.replayed])).toEqual(new Set([false, true]));
		expect([await spent(), asked()]).toEqual([[1, 0, 0], 2]);
	});

	test('that fails late, after another took its work over, leaves the key and the credit to that one', async () => {
		const { admit, work, send, spent, clock } = await world((nth) =>
			nth === 1 ? 'fault' : 'accepted_email',
		);
		const slow = await admit();
		clock.now += AT_WORK_MS;
		const taken = await admit();
		clock.now += 1;
		await expect(work(slow)).rejects.toMatchObject({ code: 'upstream_unavailable' });
		await expect(send()).rejects.toThrow('under_way');
		const answer = await work(taken);
		expect(answer.answer.charged).toBe(1);
		expect(await send()).toEqual({ ...answer, replayed: true });
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('that comes back after another has its key anew is charged to the other', async () => {
		const { admit, work, send, spent, clock, ring } = await world();
		const lost = await admit();
		clock.now += 6 * 60_000;
		await ring(clock.now);
		const anew = await admit();
		expect(anew.reservation).not.toEqual(lost.reservation);
		expect((await work(lost)).answer.charged).toBe(0);
		const answer = await work(anew);
		expect(answer.answer.charged).toBe(1);
		expect(await send()).toEqual({ ...answer, replayed: true });
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('is kept sealed: without the address nothing of it can be read, and an older secret still opens it', async () => {
		const { send, rows, services } = await world();
		const first = await send();
		const stored = JSON.stringify(await rows());
		for (const word of ['ada', 'x.test', 'accepted', 'deliverable']) expect(stored).not.toContain(word);
		const rotated = { version: 2, secret: new Uint8Array(32).fill(8) };
		const later = { ...services, signing: rotated, signingSecrets: [rotated, SIGNING] };
		expect((await send(CALL, later)).answer).toEqual(first.answer);
		const without = { ...later, signingSecrets: [rotated] };
		await expect(send(CALL, without)).rejects.toMatchObject({ code: 'upstream_unavailable' });
	});

	test('is itself when its admission is repeated on the way', async () => {
		const { stub, clock, send, spent } = await world();
		const request = { ...admissionOf('vfy_again', clock.now), call: CALL };
		const first = await stub.admit(request);
		const again = await stub.admit(request);
		expect([first, again]).toMatchObject([{ kind: 'admitted' }, { kind: 'admitted' }]);
		expect(again).not.toHaveProperty('earlier');
		clock.now += AT_WORK_MS;
		// A repeat that takes the work over, as well.
		const repeat = { ...admissionOf('vfy_repeat', clock.now), call: CALL };
		const taken = [await stub.admit(repeat), await stub.admit(repeat)];
		for (const one of taken) expect(one).toMatchObject({ reservation: { id: 'vfy_again' } });
		clock.now += AT_WORK_MS;
		await send();
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('leaves no address behind when its account is closed', async () => {
		const { send, stub, clock, nextAlarm, rows } = await world();
		await send();
		await stub.close({ now: clock.now });
		expect(await rows()).toEqual([]);
		expect(await nextAlarm()).not.toBeNull();
		await runDurableObjectAlarm(stub);
	});
});

// The money of POST /v1/domains. What a death leaves behind is that of any call with a charge.

const FOR_DOMAINS = 500;
const NAMES = Array.from({ length: 995 }, (_, n) => `d${n}.test`);
const PRICE = priceOfDomains(NAMES.length);
const PAUSE_MS = 5_000;

async function domainsWorld(exists: true | null = true) {
	const { base, ...account } = await openCalls(FOR_DOMAINS, PRICE);
	const describing = (names: readonly string[]) =>
		Promise.resolve(names.map((name) => ({ ...noDomain(name), exists })));
	const send = async () => {
		// Far enough apart for the window of calls.
		account.clock.now += PAUSE_MS;
		const admitted = await account.admit(null);
		const { accountId } = account;
		return describeDomains(
			{ ...base, describeDomains: describing },
			{ accountId },
			{ ...admitted, names: NAMES },
		);
	};
	return { ...account, send };
}

describe('a look-up of domains', () => {
	test('is charged as a whole, in the ledger and in the usage of its key, and counts as no verification', async () => {
		const { send, spent, stub, start } = await domainsWorld();
		expect((await send()).answer).toMatchObject({ charged: PRICE, remaining: FOR_DOMAINS - PRICE });
		expect(await spent()).toEqual([PRICE, 0, 0]);
		const { entries } = await stub.listLedger({ before: null, pageSize: 1 });
		expect(entries).toMatchObject([{ id: 'vfy_1', charged: PRICE, outcome: 'described' }]);
		expect(await stub.check()).toEqual([]);
		const day = new Date(start).toISOString().slice(0, 10);
		const none = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
		expect(await stub.usageSince(day)).toMatchObject([{ usage: { credits: PRICE, outcomes: none } }]);
	});

	test('is free where nothing was told, and counts as so many free answers', async () => {
		const { send, spent } = await domainsWorld(null);
		const calls = Math.ceil(freeAnswersPerDay(FOR_DOMAINS) / PRICE);
		for (let n = 0; n < calls; n += 1) await send();
		expect(await spent()).toEqual([0, 0, 0]);
		await expect(send()).rejects.toMatchObject({
			code: 'rate_limited',
			retryAfterSeconds: 12 * 3600 - ((calls + 1) * PAUSE_MS) / 1000,
		});
		expect(await spent()).toEqual([0, 0, 0]);
	});
});
