import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { BY_DASHBOARD } from '../../src/operations/verify/port.ts';
import { KEY, admissionOf, errorOf, keyOf, openAccount } from '../support/account-jobs.ts';
import { DAY_MS } from '../support/ledger-lines.ts';

// The keys of an account: which calls they let in, until when, and what people recognise them by.

type Opened = Awaited<ReturnType<typeof openAccount>>;

/** A request that spends nothing. */
const admit = ({ stub, start }: Opened, more: object = {}) =>
	stub.admit({ ...admissionOf('', start), reservation: null, ...more });

describe('keys', () => {
	test('an account may begin without one, and gets one that opens the door', async () => {
		const stub = env.ACCOUNT.getByName('acc_desk_no_key');
		await stub.open({ now: 1_000, initialCredits: 1, key: null });
		expect((await stub.show()).keys).toEqual([]);
		const created = await stub.createKey({ key: keyOf(1), now: 2_000 });
		expect(created).toMatchObject({
			kind: 'created',
			key: { id: 'key_1', label: 'Key 1', createdAt: 2_000 },
		});
		const { id: keyId, secretHash } = keyOf(1);
		expect((await stub.admit({ ...admissionOf('r', 3_000), keyId, secretHash })).kind).toBe('admitted');
	});

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

	test('fifty open the door at the same time; an ended one makes room', async () => {
		const { stub, start } = await openAccount(0);
		for (let n = 1; n < 50; n += 1)
			expect((await stub.createKey({ key: keyOf(n), now: start })).kind).toBe('created');
		expect(await stub.createKey({ key: keyOf(50), now: start })).toEqual({ kind: 'too_many', max: 50 });
		await stub.revokeKey({ keyId: KEY.id, now: start });
		expect((await stub.createKey({ key: keyOf(50), now: start })).kind).toBe('created');
		expect((await stub.createKey({ key: keyOf(51), now: start })).kind).toBe('too_many');
	});

	test('one that ends is accepted to its last millisecond, then makes room for another', async () => {
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
