import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts';
import type { SettleRequest } from '../../src/operations/verify/port.ts';
import {
	KEY,
	admissionOf,
	admitCall,
	errorOf,
	jobOf,
	ledgerOf,
	openAccount,
	sqlIn,
} from '../support/account-jobs.ts';

// What a single call sets aside is in the object's memory. Its settlement is one transaction, which needs no memory.

const LIFETIME_MS = 5 * MINUTE_MS;
type Outcome = SettleRequest['outcome'];
type Opened = Awaited<ReturnType<typeof openAccount>>;

async function open(credits: number, ahead = 0) {
	const opened = await openAccount(credits);
	const { stub, start } = opened;
	await stub.setLimits({ default: 100_000 });
	await runInDurableObject(stub, async (account: Account) => {
		for (let n = 0; n < ahead; n += 1) await account.admit(admissionOf(`ahead ${n}`, start));
	});
	return opened;
}

const requestsOf = async ({ stub }: Pick<Opened, 'stub'>): Promise<number | undefined> =>
	(await stub.show()).keys[0]?.usage?.requests;

describe('a single call', () => {
	test.each([0, 64])('beside %i others: two rows, both at its settlement', async (ahead) => {
		const { stub, start, rowsOf } = await open(1_000, ahead);
		let call = await admitCall(stub, 'first', start);
		expect(await rowsOf(async () => void (call = await admitCall(stub, 'r', start)))).toBe(0);
		expect(await rowsOf(() => call.settle('deliverable'))).toBe(2);
	});

	test('sets no alarm, and its line has one that deletes it', async () => {
		const { stub, start, nextAlarm, evict } = await open(10);
		await runInDurableObject(stub, async (_: Account, state) => state.storage.deleteAlarm());
		await evict();
		const call = await admitCall(stub, 'r', start);
		expect(await nextAlarm()).toBeNull();
		await call.settle('deliverable');
		expect(await nextAlarm()).toBe(start + DAY_MS);
	});

	test('is admitted once, however often it is asked for, and the balance shows what it has set aside', async () => {
		const { stub, start, balance, evict } = await open(5);
		const { admission, settle } = await admitCall(stub, 'r', start);
		expect((await admitCall(stub, 'r', start)).admission).toEqual(admission);
		expect(await balance()).toMatchObject({ availableCredits: 4, reservedCredits: 1 });
		await evict();
		expect((await admitCall(stub, 'r', start)).admission).toEqual(admission);
		await settle('deliverable');
		expect(await balance()).toMatchObject({ availableCredits: 4, reservedCredits: 0, totalConsumed: 1 });
	});

	test.each<[Outcome, charged: number, refunded: number, transactions: number]>([
		['deliverable', 1, 0, 2],
		['undeliverable', 1, 0, 2],
		['risky', 1, 0, 2],
		['unknown', 0, 1, 2],
		['failed', 0, 0, 1],
	])('that ended as %s stays so, whatever comes later', async (outcome, charged, refunded, transactions) => {
		const { stub, start, balance, evict } = await open(100, 3);
		const { settle } = await admitCall(stub, 'r', start);
		const settled = await settle(outcome, start + 9);
		expect(settled.charged).toBe(charged);
		const ended = await balance();
		expect(ended).toMatchObject({ totalConsumed: charged, totalRefunded: refunded });
		expect(ended.transactionCount).toBe(transactions);
		for (const again of ['deliverable', 'unknown', 'failed'] as const)
			expect(await settle(again, start + 20)).toEqual({ charged, balance: ended, answer: null });
		await evict();
		expect(await settle('deliverable', start + 20)).toMatchObject({ charged });
		const [line] = (await stub.listLedger({ before: null, pageSize: 1 })).entries;
		expect(line).toMatchObject({ id: 'r', outcome, charged, closedAt: start + 9, keyId: KEY.id });
		expect(await balance()).toMatchObject({ availableCredits: 100 - charged, reservedCredits: 0 });
	});

	test('whose Worker died sets nothing aside after five minutes, and what comes later charges nothing', async () => {
		const { stub, start, clock, balance } = await open(1_000, 999);
		const late = await admitCall(stub, 'late', start);
		expect((await admitCall(stub, 'one more', start)).kind).toBe('insufficient_credits');
		clock.now = start + LIFETIME_MS - 1;
		expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 1_000 });
		clock.now = start + LIFETIME_MS;
		expect(await balance()).toMatchObject({ availableCredits: 1_000, reservedCredits: 0 });
		expect(await late.settle('deliverable', start + LIFETIME_MS + 1)).toMatchObject({ charged: 0 });
		expect(await ledgerOf(stub)).toMatchObject([{ id: 'late', charged: 0, outcome: 'failed' }, {}]);
	});

	test('whose credits went to a list while the object was away is free; the balance is never below zero', async () => {
		const { stub, start, evict, balance } = await open(3);
		const call = await admitCall(stub, 'r', start);
		expect((await stub.openJob(jobOf(start, [3]))).kind).toBe('insufficient_credits');
		await evict();
		expect((await stub.openJob(jobOf(start, [3]))).kind).toBe('opened');
		expect(await call.settle('deliverable')).toMatchObject({ charged: 0 });
		expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 3, totalConsumed: 0 });
	});

	test('counts on its own window, and on one that began after the object came back', async () => {
		const { stub, start, evict, clock } = await open(9);
		const call = await admitCall(stub, 'r', start);
		expect(call.admission.window).toMatchObject({ remaining: 99_999 });
		await evict();
		await (await admitCall(stub, 'other', start + MINUTE_MS)).settle('deliverable', start + MINUTE_MS);
		await call.settle('deliverable', start + MINUTE_MS);
		const counted = await sqlIn(stub, "SELECT windows ->> '$.default.count' AS requests FROM account");
		expect(counted).toEqual([{ requests: 2 }]);
		clock.now = start + 16 * MINUTE_MS;
		const next = await admitCall(stub, 'next', clock.now);
		expect(next.admission.window).toMatchObject({ remaining: 99_999, resetSeconds: 900 });
	});

	test.each(['account', 'ledger'] as const)(
		'ends whole or not at all where the table %s fails',
		async (table) => {
			const { stub, start, balance } = await open(100, 3);
			const { settle } = await admitCall(stub, 'r', start);
			await sqlIn(
				stub,
				`CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
			);
			const reservation = { id: 'r', at: start };
			const failing = (account: Account) =>
				account.settle({ reservation, outcome: 'deliverable', now: start });
			expect(await errorOf(stub, failing)).toContain('the disk is full');
			expect(await balance()).toMatchObject({ totalConsumed: 0, transactionCount: 1, reservedCredits: 4 });
			expect(await ledgerOf(stub)).toHaveLength(1);
			await sqlIn(stub, 'DROP TRIGGER full');
			expect(await settle('deliverable')).toMatchObject({ charged: 1 });
		},
	);

	test('has a line that is no other’s: a grant in the same millisecond needs an id of its own', async () => {
		const { stub, start, balance } = await open(5);
		const { settle } = await admitCall(stub, 'same', start);
		await settle('risky');
		const refusal = await errorOf(stub, (account) => account.grant({ id: 'same', credits: 1, now: start }));
		expect(refusal).toContain('Broken promise');
		expect(await balance()).toMatchObject({ totalPurchased: 5, totalConsumed: 1 });
	});
});

test('an opening that failed leaves nothing behind, and can be made good', async () => {
	const stub = env.ACCOUNT.getByName('acc_reservations_not_opened');
	const now = Date.now();
	const failed = await errorOf(stub, (account) => account.open({ now, initialCredits: -1, key: KEY }));
	expect(failed).toContain('a grant adds credits');
	expect((await admitCall(stub, 'r', now)).kind).toBe('unauthenticated');
	await stub.open({ now, initialCredits: 1, key: KEY });
	expect((await admitCall(stub, 'r', now)).kind).toBe('admitted');
});

const NAME = fc.integer({ min: 0, max: 7 }).map((n) => `r${n}`);
const OUTCOME = fc.constantFrom<Outcome>('deliverable', 'unknown', 'failed');
const STEP = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ do: fc.constant('admit' as const), id: NAME }) },
	{ weight: 5, arbitrary: fc.record({ do: fc.constant('settle' as const), id: NAME, outcome: OUTCOME }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('die' as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(-6, 1, 6) }),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const) }) },
);

interface Modelled {
	readonly at: number;
	readonly settle: Awaited<ReturnType<typeof admitCall>>['settle'];
	/** By the object's clock; 0 once the object has left memory. */
	heldUntil: number;
	charged: number | null;
}

test('wherever the object dies: each call is charged at most once, counted once, and the balance adds up', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 30 }), async (steps) => {
			const opened = await open(4);
			const { stub, clock, evict, balance } = opened;
			const calls = new Map<string, Modelled>();
			let granted = 4;
			let turnedAway = 0;
			const all = (): Modelled[] => [...calls.values()];
			const held = () => all().filter(({ heldUntil }) => heldUntil > clock.now).length;
			const charged = () => all().reduce((sum, call) => sum + (call.charged ?? 0), 0);
			const left = () => granted - charged() - held();

			for (const [n, step] of steps.entries()) {
				if (step.do === 'die') {
					await evict();
					for (const call of all()) call.heldUntil = 0;
				} else if (step.do === 'wait') clock.now += step.minutes * MINUTE_MS;
				else if (step.do === 'withdraw') {
					const { kind } = await stub.grant({ id: `back ${n}`, credits: -1, now: clock.now });
					expect(kind).toBe(left() > 0 ? 'granted' : 'insufficient_credits');
					if (kind === 'granted') granted -= 1;
				} else if (step.do === 'admit' && !calls.has(step.id)) {
					const isAdmitted = left() > 0;
					const { kind, settle } = await admitCall(stub, step.id, clock.now);
					expect(kind).toBe(isAdmitted ? 'admitted' : 'insufficient_credits');
					if (!isAdmitted) turnedAway += 1;
					else
						calls.set(step.id, {
							at: clock.now,
							settle,
							heldUntil: clock.now + LIFETIME_MS,
							charged: null,
						});
				} else if (step.do === 'settle') {
					const call = calls.get(step.id);
					if (call === undefined) continue;
					const isCharged =
						step.outcome === 'deliverable' &&
						clock.now <= call.at + LIFETIME_MS &&
						(call.heldUntil > clock.now || left() > 0);
					call.charged ??= isCharged ? 1 : 0;
					call.heldUntil = 0;
					expect((await call.settle(step.outcome, clock.now)).charged).toBe(call.charged);
				}
				const view = await balance();
				// What has been set free stays so, though the clock goes back.
				for (const call of all()) if (call.heldUntil <= clock.now) call.heldUntil = 0;
				expect(view).toMatchObject({ availableCredits: left(), reservedCredits: held() });
				expect(view.totalConsumed).toBe(charged());
				const ended = all().filter((call) => call.charged !== null).length;
				const counted = ended + turnedAway;
				expect(await requestsOf(opened)).toBe(counted || undefined);
				const { entries } = await stub.listLedger({ before: null, pageSize: 100 });
				expect(await stub.check()).toEqual([]);
				expect(entries.filter(({ kind }) => kind === 'verification')).toHaveLength(ended);
			}
		}),
		{ numRuns: 25 },
	);
});
