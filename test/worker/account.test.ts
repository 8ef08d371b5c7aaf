import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import type { AdmitRequest } from '../../src/operations/verify/port.ts';
import { KEY, admissionOf, openAccount } from '../support/account-jobs.ts';

/** A request that spends nothing. */
const asking = (now: number): AdmitRequest => ({ ...admissionOf('', now), reservation: null });

describe('credits', () => {
	test('a hundred requests at once never spend more than there is', async () => {
		const { stub, start, balance } = await openAccount(33);
		const calls = Array.from({ length: 100 }, (_, index) => stub.admit(admissionOf(`r${index}`, start)));
		const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
		expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(33);
		expect(kinds.filter((kind) => kind === 'insufficient_credits')).toHaveLength(67);
		expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 33 });
	});
});

describe('keys', () => {
	test('a revoked key is refused from the next request on, and moves nothing of its account', async () => {
		const { stub, start: now, rowsOf } = await openAccount(10);
		expect(await stub.admit(asking(now))).toMatchObject({ kind: 'admitted', window: { remaining: 299 } });
		expect(await stub.revokeKey({ keyId: 'key_other', now })).toBe(false);
		expect(await stub.revokeKey({ keyId: KEY.id, now })).toBe(true);
		const before = await stub.show();
		const refused = async () =>
			expect(await stub.admit(admissionOf('r', now + 1))).toMatchObject({
				kind: 'unauthenticated',
				because: 'revoked',
				window: { remaining: 300 },
			});
		expect(await rowsOf(refused)).toBe(0);
		expect(await stub.show()).toEqual(before);
		expect(before.keys).toMatchObject([
			{ id: KEY.id, revoked: true, revokedAt: now, usage: { requests: 1 } },
		]);
		const owner = await stub.admit({ ...asking(now + 1), ...BY_DASHBOARD });
		expect(owner).toMatchObject({ kind: 'admitted', window: { remaining: 298 } });
	});

	test('usage is counted by key and outcome, over midnight too', async () => {
		const evening = Date.parse('2026-11-20T23:59:50Z');
		const { stub } = await openAccount(10, evening);
		await stub.admit(admissionOf('r1', evening));
		const morning = evening + 20_000;
		await stub.settle({ reservation: { id: 'r1', at: evening }, outcome: 'deliverable', now: morning });
		await stub.admit(asking(morning));
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
		expect(await stub.admit(admissionOf('r', Date.now()))).toMatchObject({ kind: 'unauthenticated' });
		const tables = await runInDurableObject(stub, (_: Account, state) =>
			state.storage.sql
				.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
				.toArray(),
		);
		expect(tables).toEqual([]);
	});
});

test('requests that spend nothing are written at once, a row each, and outlive the object with its alarm', async () => {
	const { stub, start, rowsOf, balance } = await openAccount(10);
	const ask = async (left: number) =>
		expect(await stub.admit(asking(start))).toMatchObject({ window: { remaining: left } });
	for (const left of [299, 298, 297]) expect(await rowsOf(() => ask(left))).toBe(1);
	await evictDurableObject(stub);
	expect((await stub.show()).keys[0]?.usage?.requests).toBe(3);
	expect(await balance()).toMatchObject({ availableCredits: 10 });
	await ask(296);
	expect(await runDurableObjectAlarm(stub)).toBe(true);
});

describe('rate windows', () => {
	test('a refused request writes no row and reserves nothing', async () => {
		const { stub, start, balance, rowsOf } = await openAccount(10);
		await stub.setLimits({ default: 0 });
		expect(await rowsOf(() => stub.admit(admissionOf('r', start)))).toBe(0);
		expect(await balance()).toMatchObject({ availableCredits: 10, reservedCredits: 0 });
	});
});
