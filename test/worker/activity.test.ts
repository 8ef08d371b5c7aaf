import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { ACTIVITIES_MAX, ACTIVITY_DAYS } from '../../src/core/identity/activity.ts';
import { createKey, revokeOwnKey } from '../../src/operations/accounts/keys.ts';
import { grantCredits } from '../../src/operations/accounts/credits.ts';
import { setSuspended } from '../../src/operations/accounts/accounts.ts';
import {
	changePassword,
	deleteAccount,
	revokeSession,
	sweepIdentity,
} from '../../src/operations/people/settings.ts';
import type { Activities } from '../../src/operations/people/port.ts';
import { D1Activities } from '../../src/storage/people/activities.ts';
import { PASSWORD, PROOF, makeIdentity, newAddress, newFormId, newPerson } from '../support/identity.ts';
import { newTwoFactorPerson, nextCode, twoStepBrowser } from '../support/two-factor.ts';

// What happened to an account, as its owner reads it.

const DAY_MS = 86_400_000;
const activities = new D1Activities(env.DB);

test('what people and operators did is told, the newest first, with the time and the browser', async () => {
	const identity = makeIdentity();
	const address = newAddress();
	const { signedIn, token, recoveryCodes } = await newTwoFactorPerson(identity, address);
	const { services, time } = identity;
	const { accountId } = signedIn.user;
	const browser = twoStepBrowser(identity, address);
	await browser.password();
	await browser.code('000000');
	await browser.code(recoveryCodes[0] ?? '');
	const made = await createKey(services, signedIn, {
		label: 'Shop',
		mode: 'live',
		scopes: ['read'],
		expiresAt: null,
		formId: newFormId(),
		sessionToken: token,
		client: 'here',
		device: 'Firefox on Linux',
	});
	if (made.kind !== 'created') throw new Error(made.kind);
	await identity.settled();
	const operator = { ...services, actor: 'ada', signing: null };
	const grant = { id: crypto.randomUUID(), credits: 500 };
	await grantCredits(operator, { accountId }, grant);
	await grantCredits(operator, { accountId }, grant);
	await setSuspended(operator, { accountId }, { suspended: true });
	await setSuspended(operator, { accountId }, { suspended: false });
	await identity.settled();
	await revokeOwnKey(services, signedIn, { keyId: made.keyId, label: 'Shop', device: 'Safari on iOS' });
	await revokeSession(services, signedIn, { which: 'others' });
	const change = { current: PASSWORD, password: 'three kettles humming', formId: newFormId() };
	await changePassword(services, signedIn, { ...PROOF, ...change });
	await identity.settled();
	const told = await activities.list(accountId, 50);
	expect(told.map(({ kind }) => kind).toSorted()).toEqual(
		[
			'password_changed',
			'sessions_ended',
			'key_revoked',
			'account_resumed',
			'account_suspended',
			'credits_added',
			'key_created',
			'signed_in',
			'recovery_code_used',
			'code_refused',
			'two_factor_on',
		].toSorted(),
	);
	expect(told.find(({ kind }) => kind === 'credits_added')).toEqual({
		at: time.now,
		kind: 'credits_added',
		device: null,
		about: '500',
		by: 'operator',
	});
	const created = told.find(({ kind }) => kind === 'key_created');
	expect(created?.about).toBe(`Shop (ms_live_…${made.apiKey.slice(-4)})`);
	expect(told.find(({ kind }) => kind === 'key_revoked')?.device).toBe('Safari on iOS');
});

test('what is sent twice is told once', async () => {
	const identity = makeIdentity();
	const { services } = identity;
	const { signedIn, token } = await newTwoFactorPerson(identity);
	const { accountId } = signedIn.user;
	const made = await createKey(services, signedIn, {
		label: 'Shop',
		mode: 'test',
		scopes: ['read'],
		expiresAt: null,
		formId: newFormId(),
		sessionToken: token,
		client: 'here',
		device: 'Firefox on Linux',
	});
	if (made.kind !== 'created') throw new Error(made.kind);
	const device = 'Safari on iOS';
	const revoke = () => revokeOwnKey(services, signedIn, { keyId: made.keyId, label: 'Shop', device });
	const suspend = (suspended: boolean) =>
		setSuspended({ ...services, actor: 'ada', signing: null }, { accountId }, { suspended });
	const steps = [() => suspend(false), () => suspend(true), () => suspend(false), revoke];
	for (const step of steps) {
		await step();
		identity.time.now += 1;
		await step();
	}
	// Nobody else is signed in.
	await revokeSession(services, signedIn, { which: 'others' });
	await revokeSession(services, signedIn, { which: { sessionId: 'ses_nobody' } });
	await identity.settled();
	const told = await activities.list(accountId, 50);
	expect(told.map(({ kind }) => kind).toSorted()).toEqual(
		['key_revoked', 'account_resumed', 'account_suspended', 'key_created', 'two_factor_on'].toSorted(),
	);
});

test('of nobody else is anything told, and a deleted account leaves nothing', async () => {
	const identity = makeIdentity();
	const [one, two] = [await newTwoFactorPerson(identity), await newPerson(identity)];
	await identity.settled();
	const { accountId } = one.signedIn.user;
	expect(await activities.list(two.signedIn.user.accountId, 50)).toEqual([]);
	expect(await activities.list(accountId, 50)).toHaveLength(1);
	const code = await nextCode(identity, one.signedIn);
	await deleteAccount(identity.services, one.signedIn, { ...PROOF, code });
	await identity.settled();
	expect(await activities.list(accountId, 50)).toEqual([]);
});

describe('the list is bounded', () => {
	const record = async (accountId: string, at: number) =>
		activities.record(accountId, { at, kind: 'signed_in', device: null, about: null, by: null });

	test('in number: the oldest goes first, and that of others stays', async () => {
		const [own, other] = [crypto.randomUUID(), crypto.randomUUID()];
		await record(other, 1);
		for (let n = 0; n <= ACTIVITIES_MAX; n += 1) await record(own, n);
		const told = await activities.list(own, ACTIVITIES_MAX + 1);
		expect(told).toHaveLength(ACTIVITIES_MAX);
		expect([told[0]?.at, told.at(-1)?.at]).toEqual([ACTIVITIES_MAX, 1]);
		expect(await activities.list(other, 5)).toHaveLength(1);
	});

	test('in time: to the last millisecond of its days', async () => {
		const identity = makeIdentity();
		const accountId = crypto.randomUUID();
		const { now } = identity.time;
		await record(accountId, now);
		identity.time.now = now + ACTIVITY_DAYS * DAY_MS - 1;
		await sweepIdentity(identity.services);
		expect(await activities.list(accountId, 5)).toHaveLength(1);
		identity.time.now += 1;
		await sweepIdentity(identity.services);
		expect(await activities.list(accountId, 5)).toEqual([]);
	});
});

test('a line that can not be written holds up nothing of what was done', async () => {
	const identity = makeIdentity();
	const address = newAddress();
	await newPerson(identity, address);
	const failing: Activities = {
		record: () => Promise.reject(new Error('the database is out')),
		list: async () => [],
		sweep: async () => {},
	};
	const waiting: (() => Promise<void>)[] = [];
	const later = (work: () => Promise<void>): void => void waiting.push(work);
	const services = { ...identity.services, activities: failing, later };
	expect(await twoStepBrowser({ ...identity, services }, address).password()).toBe('signed_in');
	expect(waiting).toHaveLength(1);
	await expect(waiting[0]?.()).rejects.toThrow('the database is out');
});
