import { describe, expect, test } from 'vitest';
import { isMailProvider, ownerDigest } from '../../src/core/identity/login-name.ts';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import { KEY, LEASE_MS, admissionOf, errorOf, jobOf, keyOf, openAccount } from '../support/account-jobs.ts';
import { DAY_MS } from '../support/ledger-lines.ts';

// The keys of an account: which calls they let in, until when, and what people recognise them by.

type Opened = Awaited<ReturnType<typeof openAccount>>;

/** A request that spends nothing. */
const admit = ({ stub, start }: Opened, more: object = {}) =>
	stub.admit({ ...admissionOf('', start), reservation: null, ...more });

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
		const opened = await openAccount(5);
		const { stub, start } = opened;
		const end = start + DAY_MS;
		const key = { ...keyOf(1), expiresAt: end };
		expect(await stub.createKey({ key, now: start })).toMatchObject({ key: { expiresAt: end } });
		for (let n = 2; n < 50; n += 1) await stub.createKey({ key: keyOf(n), now: start });
		const as = { keyId: 'key_1', secretHash: keyOf(1).secretHash };
		expect((await admit(opened, { ...as, now: end - 1 })).kind).toBe('admitted');
		const before = await stub.show();
		expect(await stub.createKey({ key: keyOf(50), now: end - 1 })).toMatchObject({ kind: 'too_many' });
		const refused = await admit(opened, { ...as, now: end, reservation: { id: 'r', credits: 1 } });
		expect(refused).toMatchObject({ kind: 'unauthenticated', because: 'expired' });
		expect(await stub.show()).toEqual(before);
		expect(await stub.createKey({ key: keyOf(50), now: end })).toMatchObject({ kind: 'created' });
		expect(await stub.createKey({ key: keyOf(51), now: end })).toEqual({ kind: 'too_many', max: 50 });
		await stub.revokeKey({ keyId: KEY.id, now: end });
		expect((await stub.createKey({ key: keyOf(51), now: end })).kind).toBe('created');
		await stub.revokeKey({ keyId: 'key_1', now: end });
		expect(await admit(opened, { ...as, now: end })).toMatchObject({ because: 'revoked' });
	});

	test('one for some calls is refused by the others, which uses up nothing', async () => {
		const opened = await openAccount(5);
		const { stub, start } = opened;
		await stub.createKey({ key: { ...keyOf(1), scopes: ['read'] as const }, now: start });
		const as = { keyId: 'key_1', secretHash: keyOf(1).secretHash };
		const before = await stub.show();
		expect(new Map(before.keys.map(({ id, scopes }) => [id, scopes]))).toEqual(
			new Map([
				[KEY.id, ['verify', 'lists', 'read']],
				['key_1', ['read']],
			]),
		);
		const refused = { ...as, scopes: ['verify'], reservation: { id: 'r', credits: 1 } };
		expect(await admit(opened, refused)).toMatchObject({ because: 'out_of_scope' });
		expect(await stub.show()).toEqual(before);
		for (const more of [{ scopes: ['lists', 'read'] }, {}, { ...BY_DASHBOARD, scopes: ['verify'] }])
			expect((await admit(opened, { ...as, ...more })).kind).toBe('admitted');
		expect(await admit(opened, { ...as, secretHash: 'e'.repeat(64), scopes: ['verify'] })).toMatchObject({
			because: 'unknown',
		});
	});

	test('a person who is signed in needs none; what is used counts for the dashboard', async () => {
		const opened = await openAccount(2);
		const { stub, start } = opened;
		await stub.revokeKey({ keyId: KEY.id, now: start });
		const admitted = await admit(opened, { ...BY_DASHBOARD, reservation: { id: 'r', credits: 1 } });
		expect(admitted.kind).toBe('admitted');
		await stub.settle({ reservation: { id: 'r', at: start }, outcome: 'risky', now: start });
		const day = new Date(start).toISOString().slice(0, 10);
		expect(await stub.usageSince(day)).toMatchObject([
			{ day, keyId: 'dashboard', usage: { requests: 1, credits: 1, outcomes: { risky: 1 } } },
		]);
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
