import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/core/keys/scopes.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import type { AdmitRequest, SettleRequest } from '../../src/operations/verify/port.ts';

const WINDOW_MS = 900_000;
const KEY = {
	id: 'key_first',
	secretHash: 'f'.repeat(64),
	version: 1,
	label: 'First key',
	ending: 'x7Kq',
	scopes: SCOPES,
	expiresAt: null,
};

let accounts = 0;

/** An account of its own with a number of credits. `at` is the time of its opening. */
async function openAccount(initialCredits: number, at = Date.now()) {
	accounts += 1;
	const stub = env.ACCOUNT.getByName(`acc_test_${accounts}`);
	await stub.open({ now: at, initialCredits, key: KEY });
	const request = (now: number, reservation: AdmitRequest['reservation'] = null): AdmitRequest => {
		return {
			keyId: KEY.id,
			secretHash: KEY.secretHash,
			scopes: 'any key' as const,
			category: 'default',
			windowMs: WINDOW_MS,
			now,
			reservation,
		};
	};
	return { stub, request, balance: async () => (await stub.show()).balance };
}

describe('credits', () => {
	test.each<[SettleRequest['outcome'], number, number, number]>([
		['deliverable', 1, 0, 2],
		['undeliverable', 1, 0, 2],
		['risky', 1, 0, 2],
		['unknown', 0, 1, 2],
		['failed', 0, 0, 1],
	])('%s charges %i and refunds %i', async (outcome, charged, refunded, transactions) => {
		const { stub, request } = await openAccount(5);
		const now = Date.now();
		await stub.admit(request(now, { id: 'r', credits: 1 }));
		const settled = await stub.settle({ reservation: { id: 'r', at: now }, outcome, now });
		expect(settled.charged).toBe(charged);
		expect(settled.balance).toMatchObject({
			availableCredits: 5 - charged,
			reservedCredits: 0,
			totalConsumed: charged,
			totalRefunded: refunded,
			transactionCount: transactions,
		});
	});

	test('a hundred requests at once never spend more than there is', async () => {
		const { stub, request, balance } = await openAccount(33);
		const now = Date.now();
		const calls = Array.from({ length: 100 }, (_, index) =>
			stub.admit(request(now, { id: `r${index}`, credits: 1 })),
		);
		const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
		expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(33);
		expect(kinds.filter((kind) => kind === 'insufficient_credits')).toHaveLength(67);
		expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 33 });
	});

	test('a grant with a repeated id changes nothing, with another amount it is refused', async () => {
		const { stub } = await openAccount(0);
		const now = Date.now();
		expect(await stub.grant({ id: 'order-1', credits: 50, now })).toMatchObject({ kind: 'granted' });
		expect(await stub.grant({ id: 'order-1', credits: 50, now })).toMatchObject({
			kind: 'repeated',
			balance: { totalPurchased: 50 },
		});
		expect(await stub.grant({ id: 'order-1', credits: 51, now })).toEqual({ kind: 'mismatch', credits: 50 });
	});

	test('credits can be taken back as far as they are available', async () => {
		const { stub } = await openAccount(5);
		const now = Date.now();
		expect(await stub.grant({ id: 'a', credits: -6, now })).toEqual({
			kind: 'insufficient_credits',
			available: 5,
		});
		expect(await stub.grant({ id: 'a', credits: -5, now })).toMatchObject({
			kind: 'granted',
			balance: { balance: 0, totalPurchased: 0, totalConsumed: 0 },
		});
	});
});

describe('what a crash leaves behind', () => {
	test('credits, keys, windows and the alarm outlive the object', async () => {
		const { stub, request, balance } = await openAccount(10);
		const now = Date.now();
		// The opening was another row, just before.
		await evictDurableObject(stub);
		await stub.admit(request(now));
		await evictDurableObject(stub);
		expect(await balance()).toMatchObject({ availableCredits: 10 });
		const admission = await stub.admit(request(now));
		expect(admission).toMatchObject({ kind: 'admitted', window: { remaining: 298 } });
		expect(await runDurableObjectAlarm(stub)).toBe(true);
	});
});

describe('keys', () => {
	test('a revoked key is refused from the next request on, and moves nothing of its account', async () => {
		const { stub, request } = await openAccount(10);
		const now = Date.now();
		expect(await stub.admit(request(now))).toMatchObject({ kind: 'admitted', window: { remaining: 299 } });
		expect(await stub.revokeKey({ keyId: KEY.id, now })).toBe(true);
		const before = await stub.show();
		await expectRows(stub, 0, async () => {
			const refused = await stub.admit(request(now + 1, { id: 'r', credits: 1 }));
			expect(refused).toMatchObject({
				kind: 'unauthenticated',
				because: 'revoked',
				window: { remaining: 300 },
			});
		});
		expect(await stub.show()).toEqual(before);
		expect(before.keys).toMatchObject([
			{ id: KEY.id, revoked: true, revokedAt: now, usage: { requests: 1 } },
		]);
		const owner = await stub.admit({ ...request(now + 1), ...BY_DASHBOARD });
		expect(owner).toMatchObject({ kind: 'admitted', window: { remaining: 298 } });
	});

	test('revoking a key that does not exist says so', async () => {
		const { stub } = await openAccount(10);
		expect(await stub.revokeKey({ keyId: 'key_other', now: Date.now() })).toBe(false);
	});

	test('usage is counted by key and outcome, over midnight too', async () => {
		const evening = Date.parse('2026-11-20T23:59:50Z');
		const { stub, request } = await openAccount(10, evening);
		await stub.admit(request(evening, { id: 'r1', credits: 1 }));
		const morning = evening + 20_000;
		await stub.settle({ reservation: { id: 'r1', at: evening }, outcome: 'deliverable', now: morning });
		await stub.admit(request(morning));
		const [key] = (await stub.show()).keys;
		expect(key?.usage).toEqual({
			requests: 2,
			credits: 1,
			outcomes: { deliverable: 1, undeliverable: 0, risky: 0, unknown: 0 },
			lastUsedAt: morning,
		});
	});

	test('an account that was never opened is refused, and nothing is stored for it', async () => {
		const stub = env.ACCOUNT.getByName('acc_nobody');
		const { request } = await openAccount(0);
		expect(await stub.admit(request(Date.now(), { id: 'r', credits: 1 }))).toMatchObject({
			kind: 'unauthenticated',
		});
		const tables = await runInDurableObject(stub, (_: Account, state) =>
			state.storage.sql
				.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
				.toArray(),
		);
		expect(tables).toEqual([]);
	});
});

describe('requests that spend nothing', () => {
	const usedBy = async (stub: DurableObjectStub<Account>) => (await stub.show()).keys[0]?.usage?.requests;

	test('are written at once, a row each', async () => {
		const { stub, request } = await openAccount(10);
		const now = Date.now();
		for (const left of [299, 298, 297])
			await expectRows(stub, 1, async () =>
				expect(await stub.admit(request(now))).toMatchObject({ window: { remaining: left } }),
			);
		await evictDurableObject(stub);
		expect(await usedBy(stub)).toBe(3);
		expect(await stub.admit(request(now))).toMatchObject({ window: { remaining: 296 } });
	});
});

describe('rate windows', () => {
	test('each category has its own counter and limit', async () => {
		const { stub, request } = await openAccount(0);
		const now = Date.now();
		expect(await stub.setLimits({ batch: 1 })).toEqual({ default: 300, batch: 1, polling: 600 });
		const batch = { ...request(now), category: 'batch' as const };
		expect(await stub.admit(batch)).toMatchObject({ kind: 'admitted', window: { limit: 1, remaining: 0 } });
		expect(await stub.admit(batch)).toMatchObject({
			kind: 'rate_limited',
			window: { limit: 1, remaining: 0 },
		});
		expect(await stub.admit(request(now))).toMatchObject({ kind: 'admitted', window: { remaining: 299 } });
		expect(await stub.admit({ ...request(now), category: 'polling' })).toMatchObject({
			window: { remaining: 599 },
		});
	});

	test('a refused request writes no row and reserves nothing', async () => {
		const { stub, request, balance } = await openAccount(10);
		await stub.setLimits({ default: 0 });
		await expectRows(stub, 0, async () => {
			await stub.admit(request(Date.now(), { id: 'r', credits: 1 }));
		});
		expect(await balance()).toMatchObject({ availableCredits: 10, reservedCredits: 0 });
	});
});

/** Counts the rows that the object's own SQL wrote meanwhile. */
async function expectRows(
	stub: DurableObjectStub<Account>,
	rows: number,
	work: () => Promise<void>,
): Promise<void> {
	const written = () => runInDurableObject(stub, (account: Account) => account.rowsWritten);
	const before = await written();
	await work();
	expect((await written()) - before).toBe(rows);
}
