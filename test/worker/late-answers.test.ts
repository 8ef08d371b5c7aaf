import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { SILENT } from '../../src/core/metrics/metrics.ts';
import { decidedBy, renderResult } from '../../src/core/verification/render.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { listFacts } from '../../src/engine/refusal.ts';
import type { Examined } from '../../src/engine/case.ts';
import { verifyAddress } from '../../src/operations/verify/verify-address.ts';
import type { VerifyAddressServices } from '../../src/operations/verify/verify-address.ts';
import { KEY, openAccount } from '../support/account-jobs.ts';
import { addressOf } from '../support/unit/mail-servers.ts';

// POST /v1/verify with `timeoutMs`: the caller hears `timeout` for nothing, the question goes on, and the next call gets
// its end and pays for it, once. Whatever dies, no question is paid twice.

const ADA = addressOf('ada@x.test');
const CREDITS = 5;
const MINUTE_MS = 60_000;

async function world() {
	const account = await openAccount(CREDITS);
	const clock = { now: account.start };
	const asked: PromiseWithResolvers<Examined>[] = [];
	/** Runs each time that somebody waits. */
	let whileWaiting = (): void => {};
	const services: VerifyAddressServices = {
		clock: {
			now: () => clock.now,
			sleep: (ms) => {
				clock.now += ms;
				whileWaiting();
				return Promise.resolve();
			},
		},
		accounts: accountsOf(env.ACCOUNT),
		digestsOf: () => ['digest of ada'],
		metrics: SILENT,
		examine: () => {
			const question = Promise.withResolvers<Examined>();
			asked.push(question);
			return question.promise;
		},
	};
	let requests = 0;
	/** As the route does it. */
	const send = async (options: { timeoutMs?: number; key?: string; with?: VerifyAddressServices } = {}) => {
		requests += 1;
		const reservation = { id: `vfy_${requests}`, at: clock.now };
		const call = options.key === undefined ? null : { key: options.key, fingerprint: 'f' };
		const admission = await account.stub.admit({
			keyId: KEY.id,
			secretHash: KEY.secretHash,
			scopes: 'any key' as const,
			category: 'default',
			windowMs: 900_000,
			now: clock.now,
			reservation: { id: reservation.id, credits: 1 },
			outcomeOf: ['digest of ada'],
			takesLate: true,
			...(call === null ? {} : { call }),
		});
		if (admission.kind !== 'admitted') throw new Error(admission.kind);
		const { earlier = null, late = null, mayAsk = true, balance } = admission;
		const { timeoutMs = null } = options;
		const about = { address: ADA, mail: null, outcome: null, requestId: `req_${requests}` };
		return verifyAddress(
			options.with ?? services,
			{ accountId: account.accountId },
			{
				...about,
				reservation,
				mayAsk,
				call,
				earlier,
				late,
				timeoutMs,
				remaining: balance.availableCredits,
			},
		);
	};
	const end = (nth: number, subStatus: SubStatus): void =>
		asked[nth]?.resolve({
			result: renderResult(ADA, listFacts(ADA), decidedBy('smtp', subStatus), clock.now),
			breakdown: null,
		});
	const spent = async () => {
		const { totalConsumed, reservedCredits } = await account.balance();
		return [totalConsumed, reservedCredits];
	};
	const freeToday = () =>
		runInDurableObject(account.stub, (_: Account, state) =>
			state.storage.sql.exec('SELECT answers FROM free_answers').toArray().at(0),
		);
	const meanwhile = (work: () => void): void => {
		whileWaiting = work;
	};
	return { ...account, clock, services, asked, send, end, spent, freeToday, meanwhile };
}

/** A call whose time is up, and the end of its question. */
async function answeredLate(subStatus: SubStatus) {
	const made = await world();
	const first = await made.send({ timeoutMs: 500 });
	made.end(0, subStatus);
	await first.afterwards;
	return { ...made, first };
}

describe('a call whose time is up', () => {
	test('is unknown and free, and says when another call is worth it', async () => {
		const { send, spent, clock, start } = await world();
		const { answer } = await send({ timeoutMs: 500 });
		expect(answer).toMatchObject({ charged: 0, remaining: CREDITS });
		expect(answer.result).toMatchObject({ status: 'unknown', details: { sub_status: 'timeout' } });
		expect(answer.result.details.general.reason).toContain('timed out');
		expect(answer.result.retry_after).toBeGreaterThan(0);
		expect(clock.now).toBe(start + 500);
		expect(await spent()).toEqual([0, 0]);
	});

	test('has its end in the next call, without another question, charged once', async () => {
		const { send, asked, spent } = await answeredLate('accepted_email');
		const { answer } = await send();
		expect(answer.result).toMatchObject({ email: ADA.email, status: 'deliverable' });
		expect(answer.charged).toBe(1);
		const again = await send({ timeoutMs: 500 });
		expect(again.answer).toMatchObject({ charged: 0, result: answer.result, remaining: CREDITS - 1 });
		expect([asked.length, await spent()]).toEqual([1, [1, 0]]);
	});

	test('is paid once by calls that come at the same moment', async () => {
		const { send, asked, spent } = await answeredLate('rejected_email');
		const answers = await Promise.all([send(), send(), send()]);
		expect(answers.map(({ answer }) => answer.charged).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
		for (const { answer } of answers) expect(answer.result.status).toBe('undeliverable');
		expect([asked.length, await spent()]).toEqual([1, [1, 0]]);
	});

	test('is waited for by the next call while the question goes on', async () => {
		const { send, end, asked, spent, meanwhile } = await world();
		await send({ timeoutMs: 500 });
		meanwhile(() => end(0, 'accepted_email'));
		const { answer } = await send();
		expect([answer.result.status, answer.charged]).toEqual(['deliverable', 1]);
		expect([asked.length, await spent()]).toEqual([1, [1, 0]]);
	});

	test('is late for the next call, too, if that has no time either', async () => {
		const { send, asked, spent } = await world();
		await send({ timeoutMs: 500 });
		const { answer } = await send({ timeoutMs: 1_000 });
		expect([answer.result.details.sub_status, answer.charged]).toEqual(['timeout', 0]);
		expect([asked.length, await spent()]).toEqual([1, [0, 0]]);
	});

	test('whose question ends as an unknown that passes is asked about again when that is worth it', async () => {
		const { send, asked, end, freeToday, clock } = await answeredLate('no_capacity');
		const { answer } = await send();
		expect(answer.result).toMatchObject({ details: { sub_status: 'no_capacity' }, retry_after: 60 });
		expect(asked.length).toBe(1);
		// The recipients of the question, and not each answer that came of it.
		expect(await freeToday()).toEqual({ answers: 2 });
		clock.now += MINUTE_MS;
		const asking = send();
		await vi.waitUntil(() => asked.length === 2);
		end(1, 'accepted_email');
		expect((await asking).answer.charged).toBe(1);
	});

	test.each<[string, number]>([
		['failed', 0],
		['died with its Worker', 20_000],
		['was answered more than ten minutes ago', 10 * MINUTE_MS],
	])('is asked about anew where its question %s', async (what, passed) => {
		const { send, asked, end, spent, clock } = await world();
		const { afterwards } = await send({ timeoutMs: 500 });
		if (what === 'failed') asked[0]?.reject(new Error('no way out'));
		if (what.startsWith('was answered')) end(0, 'accepted_email');
		if (!what.startsWith('died')) await afterwards;
		clock.now += passed;
		const asking = send();
		await vi.waitUntil(() => asked.length === 2);
		end(1, 'rejected_email');
		const { answer } = await asking;
		expect([answer.result.status, answer.charged]).toEqual(['undeliverable', 1]);
		expect(await spent()).toEqual([1, 0]);
	});

	test('under an Idempotency-Key stays the answer of that key', async () => {
		const { send, end, spent } = await world();
		const first = await send({ timeoutMs: 500, key: 'k' });
		end(0, 'accepted_email');
		await first.afterwards;
		expect((await send({ timeoutMs: 500, key: 'k' })).answer).toEqual(first.answer);
		const other = await send({ timeoutMs: 500, key: 'another' });
		expect(other.answer).toMatchObject({ charged: 1, result: { status: 'deliverable' } });
		expect((await send({ timeoutMs: 500, key: 'another' })).answer).toEqual(other.answer);
		// Paid by now, and remembered under a third key without a charge.
		const third = await send({ timeoutMs: 500, key: 'third' });
		expect(third.answer).toMatchObject({ charged: 0, result: { status: 'deliverable' } });
		expect((await send({ timeoutMs: 500, key: 'third' })).answer).toEqual(third.answer);
		expect(await spent()).toEqual([1, 0]);
	});

	test('under an Idempotency-Key whose reservation a repeat had ended as failed is left to the next call, which pays', async () => {
		const { send, services, spent, clock } = await answeredLate('accepted_email');
		const overtaken: VerifyAddressServices = {
			...services,
			accounts: (id) => {
				const { findCall, takeCall, findLate, endLate, settle } = services.accounts(id);
				const settleSecond: typeof settle = async (about) => {
					const { reservation, now } = about;
					await settle({ reservation, ...(about.hold && { hold: about.hold }), outcome: 'failed', now });
					return settle(about);
				};
				return { findCall, takeCall, findLate, endLate, settle: settleSecond };
			},
		};
		expect((await send({ key: 'k', with: overtaken })).answer.charged).toBe(0);
		clock.now += 1_000;
		expect((await send()).answer).toMatchObject({ charged: 1, result: { status: 'deliverable' } });
		expect(await spent()).toEqual([1, 0]);
	});

	test('is kept without the address, and not a moment longer than ten minutes', async () => {
		const { stub, clock, ring } = await answeredLate('accepted_email');
		const rows = () =>
			runInDurableObject(stub, (_: Account, state) =>
				state.storage.sql.exec('SELECT * FROM keyed_calls').toArray(),
			);
		expect(await rows()).toHaveLength(1);
		expect(JSON.stringify(await rows())).not.toContain('ada@');
		clock.now += 10 * MINUTE_MS;
		await ring(clock.now);
		expect(await rows()).toEqual([]);
	});
});

test.each(['settle', 'endLate'] as const)(
	'a Worker that dies before or after %s leaves no charge, and the next call has an answer for one credit',
	async (step) => {
		for (const when of ['before', 'after']) {
			const { send, services, asked, end, spent, clock, ring } = await world();
			const dying = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
				if (name === step && when === 'before') throw new Error('dead');
				const done = await work();
				if (name === step) throw new Error('dead');
				return done;
			};
			const mortal: VerifyAddressServices = {
				...services,
				accounts: (id) => {
					const account = services.accounts(id);
					return {
						findCall: (about) => account.findCall(about),
						takeCall: (about) => account.takeCall(about),
						findLate: (about) => account.findLate(about),
						settle: (about) => dying('settle', () => account.settle(about)),
						endLate: (about) => dying('endLate', () => account.endLate(about)),
					};
				},
			};
			vi.spyOn(console, 'warn').mockImplementation(() => {});
			const first = await send({ timeoutMs: 500, with: mortal }).catch(() => null);
			end(0, 'accepted_email');
			await first?.afterwards;
			const asking = send();
			const isAsked = step === 'settle' || when === 'before';
			if (isAsked) await vi.waitUntil(() => asked.length === 2);
			if (isAsked) end(1, 'accepted_email');
			expect((await asking).answer.charged, when).toBe(1);
			// What the dead one had set aside comes back.
			clock.now += 6 * MINUTE_MS;
			await ring(clock.now);
			expect(await spent(), when).toEqual([1, 0]);
		}
	},
);
