import { SILENT } from '../../src/core/metrics/metrics.ts';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listFacts } from '../../src/engine/refusal.ts';
import { decidedBy, renderResult } from '../../src/core/verification/render.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';
import { ServiceError } from '../../src/errors.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import type { RememberedAnswer } from '../../src/operations/verify/port.ts';
import { verifyAddress } from '../../src/operations/verify/verify-address.ts';
import type { VerifyAddressServices } from '../../src/operations/verify/verify-address.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { addressOf } from '../support/unit/mail-servers.ts';
import { HOUR_MS, admissionOf, openAccount } from '../support/account-jobs.ts';
import { freeAnswersPerDay } from '../../src/core/credits/free-answers.ts';
import { env } from 'cloudflare:workers';

// POST /v1/verify with an Idempotency-Key: whatever dies and however often it is sent, one answer and one charge.

const ADA = addressOf('ada@x.test');
const CALL = { key: 'once', fingerprint: 'f1' };
const CREDITS = 5;
const DAY_MS = 24 * HOUR_MS;

// What fails on purpose is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

async function world(says: (nth: number) => SubStatus | 'fault' = () => 'accepted_email') {
	// A test's waits last minutes, and the free answers are those of a day: it begins at noon of tomorrow.
	const account = await openAccount(CREDITS, Math.ceil(Date.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS);
	const clock = { now: account.start };
	let asked = 0;
	let requests = 0;
	let refused = 0;
	const services: VerifyAddressServices = {
		clock: {
			now: () => clock.now,
			sleep: (ms) => {
				clock.now += ms;
				return Promise.resolve();
			},
		},
		accounts: accountsOf(env.ACCOUNT),
		digestsOf: () => ['nobody'],
		metrics: SILENT,
		examine: (_, __, options) => {
			if (options?.mayAsk === false) refused += 1;
			const said = says((asked += 1));
			if (said === 'fault') return Promise.reject(new ServiceError('upstream_unavailable', 'no way out'));
			return Promise.resolve({
				result: renderResult(ADA, listFacts(ADA), decidedBy('smtp', said), clock.now),
				breakdown: null,
			});
		},
	};
	const admit = async (call = CALL) => {
		requests += 1;
		const reservation = { id: `vfy_${requests}`, at: clock.now };
		const admission = await account.stub.admit({ ...admissionOf(reservation.id, clock.now), call });
		const hold = admission.kind === 'admitted' ? admission.hold : undefined;
		const held = hold === undefined ? {} : { hold };
		return { admission, reservation, held, requestId: `req_${requests}` };
	};
	/** As the route does it. */
	const send = async (
		call = CALL,
		with_ = services,
	): Promise<{ answer: RememberedAnswer; replayed: boolean }> => {
		const { admission, reservation, held, requestId } = await admit(call);
		if (admission.kind !== 'admitted') throw new Error(admission.kind);
		const { earlier = null, mayAsk = true } = admission;
		return verifyAddress(
			with_,
			{ accountId: account.accountId },
			{ reservation, ...held, address: ADA, mail: null, outcome: null, mayAsk, call, requestId, earlier },
		);
	};
	const spent = async () => {
		const { totalConsumed, reservedCredits, totalRefunded } = await account.balance();
		return [totalConsumed, reservedCredits, totalRefunded];
	};
	const freeToday = () =>
		runInDurableObject(account.stub, (_: Account, state) =>
			state.storage.sql.exec('SELECT answers FROM free_answers').toArray().at(0),
		);
	const rows = () =>
		runInDurableObject(account.stub, (_: Account, state) =>
			state.storage.sql.exec('SELECT * FROM keyed_calls').toArray(),
		);
	const told = { rows, asked: () => asked, refused: () => refused };
	return { ...account, clock, services, admit, send, spent, freeToday, ...told };
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

	test('with another request is refused, and other keys are other calls', async () => {
		const { send, spent } = await world();
		await send();
		await expect(send({ ...CALL, fingerprint: 'f2' })).rejects.toMatchObject({
			code: 'idempotency_key_reused',
		});
		expect((await send({ ...CALL, key: 'twice' })).replayed).toBe(false);
		expect(await spent()).toEqual([2, 0, 0]);
	});

	test('that failed is forgotten: the next one is a call of its own', async () => {
		const { send, spent } = await world((nth) => (nth === 1 ? 'fault' : 'accepted_email'));
		await expect(send()).rejects.toMatchObject({ code: 'upstream_unavailable' });
		expect(await spent()).toEqual([0, 0, 0]);
		expect(await send()).toMatchObject({ replayed: false, answer: { charged: 1 } });
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('that a Worker took up and died with is carried on by the next, on the same reservation', async () => {
		const { admit, send, spent, clock, asked } = await world();
		await admit();
		const begun = clock.now;
		const taken = await send();
		expect(taken).toMatchObject({ replayed: false, answer: { charged: 1 } });
		// Waits for an answer first, and leaves itself time for the work.
		expect(clock.now - begun).toBeGreaterThanOrEqual(12_000);
		expect(clock.now - begun).toBeLessThan(14_000);
		expect(await send()).toEqual({ ...taken, replayed: true });
		expect([await spent(), asked()]).toEqual([[1, 0, 0], 1]);
	});

	test('that died long ago is not waited for, and one whose credit was released begins anew', async () => {
		const { admit, send, spent, clock, ring } = await world();
		await admit();
		clock.now += 20_000;
		const begun = clock.now;
		await send({ ...CALL });
		expect(clock.now).toBe(begun);
		await admit({ ...CALL, key: 'second' });
		expect(await spent()).toEqual([1, 1, 0]);
		clock.now += 6 * 60_000;
		await ring(clock.now);
		expect(await spent()).toEqual([1, 0, 0]);
		expect((await send({ ...CALL, key: 'second' })).replayed).toBe(false);
		expect(await spent()).toEqual([2, 0, 0]);
	});

	test('while the first is under way waits for its answer', async () => {
		const { admit, send, services, spent, accountId, asked } = await world();
		const { reservation, requestId } = await admit();
		let isFirstDone = false;
		const meanwhile: VerifyAddressServices = {
			...services,
			clock: {
				...services.clock,
				sleep: async (ms) => {
					await services.clock.sleep(ms);
					if (isFirstDone) return;
					isFirstDone = true;
					const own = {
						reservation,
						address: ADA,
						mail: null,
						outcome: null,
						call: CALL,
						requestId,
						earlier: null,
					};
					await verifyAddress(services, { accountId }, own);
				},
			},
		};
		const second = await send(CALL, meanwhile);
		expect(second).toMatchObject({ replayed: true, answer: { requestId, charged: 1 } });
		expect([await spent(), asked()]).toEqual([[1, 0, 0], 1]);
	});

	test('of two that work side by side the one that settles first answers for both', async () => {
		const { admit, send, services, spent, accountId } = await world((nth) =>
			nth === 1 ? 'accepted_email' : 'rejected_email',
		);
		const { reservation, requestId } = await admit();
		const [late, own] = await Promise.all([
			send(),
			verifyAddress(
				{ ...services, clock: { ...services.clock, sleep: () => Promise.resolve() } },
				{ accountId },
				{ reservation, address: ADA, mail: null, outcome: null, call: CALL, requestId, earlier: null },
			),
		]);
		expect(late.answer).toEqual(own.answer);
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('puts no question beyond the free answers of the day, however many repeat it side by side', async () => {
		const { admit, send, spent, freeToday, refused, stub, clock } = await world(() => 'greylisted');
		await admit();
		await Promise.all([send(), send(), send()]);
		// One question of each of the three, and that of the one which died.
		expect(await freeToday()).toEqual({ answers: 4 });
		const taken = { call: { ...CALL, key: 'taken twice' }, by: 'vfy_taker', now: clock.now };
		await admit(taken.call);
		for (let n = 0; n < 2; n += 1) expect(await stub.takeCall(taken)).toEqual({ mayAsk: true });
		expect(await freeToday()).toEqual({ answers: 5 });
		await runInDurableObject(stub, (_: Account, state) => {
			state.storage.sql.exec('UPDATE free_answers SET answers = ?', freeAnswersPerDay(CREDITS) - 1);
		});
		const last = { ...CALL, key: 'last' };
		await admit(last);
		await Promise.all([send(last), send(last), send(last)]);
		expect(refused()).toBe(2);
		expect(await spent()).toEqual([0, 1, 2]);
	});

	test('is itself when its admission is repeated on the way', async () => {
		const { stub, clock, send, spent } = await world();
		const request = { ...admissionOf('vfy_again', clock.now), call: CALL };
		const first = await stub.admit(request);
		const again = await stub.admit(request);
		expect([first, again]).toMatchObject([{ kind: 'admitted' }, { kind: 'admitted' }]);
		expect(again).not.toHaveProperty('earlier');
		await send();
		expect(await spent()).toEqual([1, 0, 0]);
	});

	test('is forgotten with all others of its hour, by one alarm', async () => {
		const { send, start, clock, ring, nextAlarm, rows } = await world();
		for (const key of ['a', 'b', 'c']) {
			await send({ ...CALL, key });
			clock.now += 10 * 60_000;
		}
		const alarms: number[] = [];
		for (let at = start; (await rows()).length > 0;) {
			at = (await nextAlarm()) ?? Infinity;
			await ring(at);
			if (at >= start + 48 * HOUR_MS) alarms.push(at - start);
		}
		expect(alarms).toEqual([49 * HOUR_MS]);
	});

	test('leaves no address behind when its time is over, or its account is closed', async () => {
		const { send, stub, clock, ring, nextAlarm, rows } = await world();
		await send();
		expect(await rows()).toHaveLength(1);
		clock.now += 49 * HOUR_MS;
		await ring(clock.now);
		expect(await rows()).toEqual([]);
		await send();
		await stub.close({ now: clock.now });
		expect(await rows()).toEqual([]);
		expect(await nextAlarm()).not.toBeNull();
		await runDurableObjectAlarm(stub);
	});
});

test('a process that dies between any two steps of such a call: repeated, it is one answer and one charge', async () => {
	for (const when of ['before', 'after'] as const) {
		for (const step of ['examine', 'settle'] as const) {
			const { send, services, spent } = await world();
			let isDead = false;
			const dying = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
				if (isDead) throw new Error('dead');
				if (name === step && when === 'before') isDead = true;
				if (isDead) throw new Error('dead');
				const answer = await work();
				if (name === step) isDead = true;
				if (isDead) throw new Error('dead');
				return answer;
			};
			const mortal: VerifyAddressServices = {
				...services,
				examine: (...about) => dying('examine', () => services.examine(...about)),
				accounts: (id) => {
					const account = services.accounts(id);
					return {
						findCall: (about) => account.findCall(about),
						takeCall: (about) => account.takeCall(about),
						findLate: (about) => account.findLate(about),
						endLate: (about) => account.endLate(about),
						settle: (about) => dying('settle', () => account.settle(about)),
					};
				},
			};
			await expect(send(CALL, mortal)).rejects.toThrow('dead');
			const repeated = await send();
			expect(repeated.answer.charged, `${when} ${step}`).toBe(1);
			expect(repeated.replayed, `${when} ${step}`).toBe(step === 'settle' && when === 'after');
			expect(await send()).toEqual({ ...repeated, replayed: true });
			expect(await spent(), `${when} ${step}`).toEqual([1, 0, 0]);
		}
	}
});
