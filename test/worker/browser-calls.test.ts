import { expect, test } from 'vitest';
import type { BrowserCall } from '../../src/operations/verify/port.ts';
import { KEY, openAccount } from '../support/account-jobs.ts';

// What a call from a page does to the account of its key.

const ORIGIN = 'https://shop.example';
const DAY_MS = 86_400_000;
const BROWSER_KEY = {
	id: 'key_pub',
	secretHash: 'b'.repeat(64),
	version: 1,
	ending: 'x7Kq',
	label: 'Form',
	scopes: [],
	expiresAt: null,
	browser: { publicKey: 'ms_pub_1', origins: [ORIGIN], dailyLimit: 3, turnstile: null },
};

async function openOne(credits: number) {
	const opened = await openAccount(credits);
	const { stub, start } = opened;
	await stub.createKey({ key: BROWSER_KEY, now: start });
	const { id: keyId, secretHash } = BROWSER_KEY;
	const ask = (id: string, outcome: BrowserCall['outcome'], more: Partial<BrowserCall> = {}) =>
		stub.settleBrowserCall({ keyId, secretHash, origin: ORIGIN, id, outcome, now: start, ...more });
	return { ...opened, ask };
}

test('a call that proves nothing writes one row and costs nothing', async () => {
	const { ask, rowsOf, balance } = await openOne(5);
	expect(await rowsOf(() => ask('vfy_1', 'unknown'))).toBe(1);
	expect(await rowsOf(() => ask('vfy_2', null))).toBe(1);
	expect(await balance()).toMatchObject({ availableCredits: 5, reservedCredits: 0 });
});

test('a call that proves something is charged once, however often it is told', async () => {
	const { ask, balance } = await openOne(5);
	for (let told = 0; told < 3; told += 1)
		expect(await ask('vfy_1', 'undeliverable')).toEqual({ kind: 'counted', isPaid: true });
	expect(await balance()).toMatchObject({ availableCredits: 4, reservedCredits: 0, transactionCount: 2 });
});

test('a stolen key costs its day and nothing more: refused calls write nothing, and the next day begins anew', async () => {
	const { ask, rowsOf, start, balance } = await openOne(9);
	for (const id of ['vfy_1', 'vfy_2', 'vfy_3']) await ask(id, 'undeliverable');
	const refused = await rowsOf(async () => {
		expect(await ask('vfy_4', 'undeliverable')).toEqual({ kind: 'day_is_over' });
		expect(await ask('vfy_5', 'unknown')).toEqual({ kind: 'day_is_over' });
		expect(await ask('vfy_6', 'unknown', { origin: 'https://else.example' })).toEqual({
			kind: 'other_origin',
		});
	});
	expect(refused).toBe(0);
	expect(await balance()).toMatchObject({ availableCredits: 6 });
	expect(await ask('vfy_7', 'undeliverable', { now: start + DAY_MS })).toMatchObject({ kind: 'counted' });
});

test('without a credit nothing is charged, and the answer is not given', async () => {
	const { ask, balance } = await openOne(0);
	expect(await ask('vfy_1', 'undeliverable')).toEqual({ kind: 'counted', isPaid: false });
	expect(await balance()).toMatchObject({ availableCredits: 0, reservedCredits: 0 });
});

test('the calls of pages leave the free answers and the windows of the account alone', async () => {
	const { ask, stub, start } = await openOne(5);
	await ask('vfy_1', 'unknown');
	const admission = await stub.admit({
		keyId: KEY.id,
		secretHash: KEY.secretHash,
		scopes: 'any key',
		category: 'default',
		windowMs: 900_000,
		now: start,
		reservation: null,
	});
	expect(admission).toMatchObject({ kind: 'admitted', window: { remaining: 299 } });
});

test('neither kind of key is the other', async () => {
	const { ask, stub, start } = await openOne(5);
	const secret = { keyId: KEY.id, secretHash: KEY.secretHash };
	expect(await ask('vfy_1', 'unknown', secret)).toEqual({ kind: 'refused', because: 'unknown' });
	const admission = await stub.admit({
		keyId: BROWSER_KEY.id,
		secretHash: BROWSER_KEY.secretHash,
		scopes: 'any key',
		category: 'default',
		windowMs: 900_000,
		now: start,
		reservation: null,
	});
	expect(admission).toMatchObject({ kind: 'unauthenticated', because: 'unknown' });
	await stub.revokeKey({ keyId: BROWSER_KEY.id, now: start });
	expect(await ask('vfy_2', 'unknown')).toEqual({ kind: 'refused', because: 'revoked' });
});
