import { describe, expect, test } from 'vitest';
import { isMailProvider, ownerDigest } from '../../src/core/identity/login-name.ts';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import {
	KEY,
	LEASE_MS,
	TABLES,
	admissionOf,
	asking,
	errorOf,
	jobOf,
	keyOf,
	openAccount,
	sqlIn,
} from '../support/account-jobs.ts';
import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

// The keys of an account: which calls they let in, until when, and what people recognise them by.

describe('keys', () => {
	test('the same key again changes nothing, and with another secret is our mistake', async () => {
		const { stub, start } = await openAccount(0);
		await stub.createKey({ key: keyOf(1), now: start });
		const again = await stub.createKey({ key: { ...keyOf(1), label: 'Other' }, now: start + 1 });
		expect(again).toMatchObject({ kind: 'repeated', key: { label: 'Key 1', createdAt: start } });
		const forged = { ...keyOf(1), secretHash: 'e'.repeat(64) };
		expect(await errorOf(stub, (account) => account.createKey({ key: forged, now: start }))).toContain(
			'Broken promise',
		);
	});

	test('one that ends is accepted to its last millisecond, then makes room for another among fifty; so does one that is revoked', async () => {
		const { stub, start } = await openAccount(5);
		const end = start + DAY_MS;
		const key = { ...keyOf(1), expiresAt: end };
		expect(await stub.createKey({ key, now: start })).toMatchObject({ key: { expiresAt: end } });
		for (let n = 2; n < 50; n += 1) await stub.createKey({ key: keyOf(n), now: start });
		const as = { keyId: 'key_1', secretHash: keyOf(1).secretHash };
		expect((await stub.admit(asking(end - 1, as))).kind).toBe('admitted');
		const before = await stub.show();
		expect(await stub.createKey({ key: keyOf(50), now: end - 1 })).toMatchObject({ kind: 'too_many' });
		const refused = await stub.admit({ ...admissionOf('r', end), ...as });
		expect(refused).toMatchObject({ kind: 'unauthenticated', because: 'expired' });
		expect(await stub.show()).toEqual(before);
		expect(await stub.createKey({ key: keyOf(50), now: end })).toMatchObject({ kind: 'created' });
		expect(await stub.createKey({ key: keyOf(51), now: end })).toEqual({ kind: 'too_many', max: 50 });
		await stub.revokeKey({ keyId: KEY.id, now: end });
		expect((await stub.createKey({ key: keyOf(51), now: end })).kind).toBe('created');
		await stub.revokeKey({ keyId: 'key_1', now: end });
		expect(await stub.admit(asking(end, as))).toMatchObject({ because: 'revoked' });
	});

	test('one for some calls is refused by the others, which uses up nothing', async () => {
		const { stub, start } = await openAccount(5);
		await stub.createKey({ key: { ...keyOf(1), scopes: ['read'] as const }, now: start });
		const as = { keyId: 'key_1', secretHash: keyOf(1).secretHash };
		const before = await stub.show();
		expect(new Map(before.keys.map(({ id, scopes }) => [id, scopes]))).toEqual(
			new Map([
				[KEY.id, ['verify', 'lists', 'read']],
				['key_1', ['read']],
			]),
		);
		const refused = { ...admissionOf('r', start), ...as, scopes: ['verify'] as const };
		expect(await stub.admit(refused)).toMatchObject({ because: 'out_of_scope' });
		expect(await stub.show()).toEqual(before);
		for (const more of [{ scopes: ['lists', 'read'] }, {}, { ...BY_DASHBOARD, scopes: ['verify'] }])
			expect((await stub.admit(asking(start, { ...as, ...more }))).kind).toBe('admitted');
		const forged = asking(start, { ...as, secretHash: 'e'.repeat(64), scopes: ['verify'] });
		expect(await stub.admit(forged)).toMatchObject({ because: 'unknown' });
	});

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
});

// Accounts that never paid share one part of what mail operators accept, so the account says so with each request.

test('an account is on trial until it has credits that are not those of its trial', async () => {
	const { stub, start: now } = await openAccount(0);
	await stub.grant({ id: 'trial usr_1', credits: 100, now });
	let calls = 0;
	const isTrial = async (): Promise<readonly unknown[]> => {
		calls += 1;
		const admission = await stub.admit(admissionOf(`ver_${calls}`, now));
		const jobId = `job_${calls}`;
		await stub.openJob(jobOf(now, [1], { jobId }));
		const claim = await stub.claimPart({ jobId, part: 0, token: 'a', now, leaseMs: LEASE_MS });
		return [admission, claim].map((said) => ('payer' in said ? said.payer?.isTrial : null));
	};
	expect(await isTrial()).toEqual([true, true]);
	await stub.grant({ id: 'order-1', credits: 1_000, now });
	expect(await isTrial()).toEqual([false, false]);
	await stub.grant({ id: 'refund 1', credits: -1_000, now });
	expect(await isTrial()).toEqual([true, true]);
});

test.each([
	['the domain of its address', 'ada@sub.x.test', 'bob@x.test', true],
	['no owner at a provider for everybody', 'ada@gmail.com', 'bob@gmail.com', false],
])('an account says with each request that it belongs to %s', async (_, email, other, isKnown) => {
	const ownerOf = (address: string) => ownerDigest(address, isMailProvider);
	const { stub, start: now } = await openAccount(5, Date.now(), ownerOf(email));
	const admission = await stub.admit(admissionOf('ver_1', now));
	const owner = 'payer' in admission ? admission.payer?.owner : null;
	expect(owner).toBe(ownerOf(other) ?? undefined);
	expect(owner !== undefined).toBe(isKnown);
});

test('an account that was never opened has nothing and is refused, and nothing is stored for it', async () => {
	const stub = env.ACCOUNT.getByName('acc_nobody');
	const now = Date.now();
	expect(await stub.admit(admissionOf('r', now))).toMatchObject({ kind: 'unauthenticated' });
	const none = { jobs: [], total: 0 };
	expect(await stub.listJobs({ kind: 'verification', page: 1, pageSize: 2 })).toEqual(none);
	expect(await stub.findJob('job_1')).toBeNull();
	expect(await stub.claimPart({ jobId: 'job_1', part: 0, token: 't', now, leaseMs: LEASE_MS })).toEqual({
		kind: 'gone',
	});
	expect(await stub.check()).toBeNull();
	await stub.close({ now });
	expect(await errorOf(stub, (account) => account.show())).toContain('the account was opened');
	expect(await sqlIn(stub, TABLES)).toEqual([]);
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

test('a request that its window refuses writes no row and reserves nothing', async () => {
	const { stub, start, balance, rowsOf } = await openAccount(10);
	await stub.setLimits({ default: 0 });
	expect(await rowsOf(() => stub.admit(admissionOf('r', start)))).toBe(0);
	expect(await balance()).toMatchObject({ availableCredits: 10, reservedCredits: 0 });
});
