import { SCOPES } from '../../src/core/keys/scopes.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { THROTTLES, throttleKey } from '../../src/core/identity/throttles.ts';
import type { ThrottledAction } from '../../src/core/identity/throttles.ts';
import { SESSION_MS } from '../../src/core/identity/tokens.ts';
import type { JobRecord } from '../../src/operations/jobs/port.ts';
import { D1Directory } from '../../src/storage/accounts/directory.ts';
import { createKey } from '../../src/operations/accounts/keys.ts';
import { testAccountOf } from '../../src/core/keys/api-key.ts';
import { deleteAccount } from '../../src/operations/people/settings.ts';
import { findSession } from '../../src/operations/people/sign-in.ts';
import { throttle } from '../../src/operations/people/steps/throttle.ts';
import { PLAIN_JOB } from '../support/plain-job.ts';
import { makeIdentity, newAddress, newFormId, newPerson, rowsWith } from '../support/identity.ts';
import { dying, wrapAll } from '../support/wrap.ts';

// The operations around people on the real database and account objects, with a clock of the test.

function jobNamed(name: string): JobRecord {
	return { ...PLAIN_JOB, jobId: `job_${crypto.randomUUID()}`, name };
}

describe('sessions', () => {
	test('are stored without their token, and end after thirty days, used or not', async () => {
		const identity = makeIdentity();
		const { time, services } = identity;
		const person = await newPerson(identity);
		expect(await rowsWith(person.token)).toEqual([]);
		const begin = time.now;
		time.now = begin + SESSION_MS - 1;
		expect(await findSession(services, person.token)).not.toBeNull();
		time.now = begin + SESSION_MS;
		expect(await findSession(services, person.token)).toBeNull();
	});

	test('of one person are ended by nobody else', async () => {
		const identity = makeIdentity();
		const [{ signedIn, token }, mallory] = [await newPerson(identity), await newPerson(identity)];
		const { sessions } = identity.services;
		await sessions.revoke(mallory.signedIn.user.id, signedIn.session.id);
		await sessions.revokeOthers(mallory.signedIn.user.id, mallory.signedIn.session.tokenHash);
		expect(await findSession(identity.services, token)).not.toBeNull();
		await sessions.revoke(signedIn.user.id, signedIn.session.id);
		expect(await findSession(identity.services, token)).toBeNull();
	});
});

describe('throttles', () => {
	test.each(
		Object.entries(THROTTLES).flatMap(([action, limits]) =>
			Object.entries(limits).map(
				([side, limit]) => [action as ThrottledAction, side as 'client' | 'account', limit] as const,
			),
		),
	)('%s by %s: the last one that is let through, and the window’s end', async (action, side, limit) => {
		const { services, time } = makeIdentity();
		const { windowMs } = limit;
		const name = crypto.randomUUID();
		// Each attempt comes from another client, or is for another account.
		const attempt = async () =>
			throttle(services, action, {
				client: side === 'client' ? name : crypto.randomUUID(),
				account: side === 'account' ? name : crypto.randomUUID(),
			});
		expect(await attempt()).toBeNull();
		// As if all but the last had been made: two thousand take a minute.
		await env.DB.prepare('UPDATE throttles SET count = ? WHERE key = ?')
			.bind(limit.limit - 1, throttleKey(action, side, name))
			.run();
		expect(await attempt()).toBeNull();
		expect(await attempt()).toEqual({ kind: 'throttled', retryAfterMs: windowMs });
		time.now += windowMs - 1;
		expect(await attempt()).toEqual({ kind: 'throttled', retryAfterMs: 1 });
		time.now += 1;
		expect(await attempt()).toBeNull();
	});

	test('let no more through when all come at once', async () => {
		const { services } = makeIdentity();
		const account = crypto.randomUUID();
		const attempts = Array.from({ length: 40 }, async () =>
			throttle(services, 'type_code', { client: crypto.randomUUID(), account }),
		);
		const admitted = (await Promise.all(attempts)).filter((refused) => refused === null);
		expect(admitted).toHaveLength(THROTTLES.type_code.account.limit);
	});

	test('keep no address of a person or machine', async () => {
		const { services } = makeIdentity();
		await throttle(services, 'type_code', { client: '192.0.2.77', account: 'kept@inbox.test' });
		expect([...(await rowsWith('192.0.2.77')), ...(await rowsWith('kept@inbox.test'))]).toEqual([]);
	});
});

const SHOP = { label: 'Shop', mode: 'live', scopes: SCOPES, expiresAt: null } as const;

test('a form makes one key, and shows it to whoever sends it twice; another form or session makes another, a revoked one none', async () => {
	const { services, ...identity } = makeIdentity();
	const { signedIn, token } = await newPerson({ services, ...identity });
	const request = { ...SHOP, formId: newFormId(), sessionToken: token };
	const send = (changes: Partial<typeof request> = {}) =>
		createKey(services, signedIn, { ...request, ...changes });
	const made = [
		...(await Promise.all([send(), send()])),
		await send({ formId: newFormId() }),
		await send({ sessionToken: 'another' }),
	];
	const keys = made.map((result) => (result.kind === 'created' ? result.apiKey : result.kind));
	expect(keys[0]).toMatch(/^ms_live_/);
	expect([keys[1], new Set(keys).size]).toEqual([keys[0], 3]);
	const account = services.accounts(signedIn.user.accountId);
	expect((await account.show()).keys.map(({ label }) => label)).toEqual(['Shop', 'Shop', 'Shop']);
	const keyId = made[0]?.kind === 'created' ? made[0].keyId : '';
	await account.revokeKey({ keyId, now: Date.now() });
	expect(await send()).toEqual({ kind: 'ended' });
});

describe('deleting an account', () => {
	test('leaves no trace of the address in the database', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const { signedIn } = await newPerson(identity, address);
		expect(await rowsWith(address.email)).toEqual(['accounts', 'users', 'codes']);
		await deleteAccount(identity.services, signedIn);
		expect(await rowsWith(address.email)).toEqual([]);
	});

	test.each([
		['lists its job', (accountId: string) => accountId],
		['lists a job of its test keys', testAccountOf],
	])('stays so when a consumer that was at work %s once more', async (_, accountOf) => {
		const identity = makeIdentity();
		const { signedIn } = await newPerson(identity);
		const accountId = accountOf(signedIn.user.accountId);
		const directory = new D1Directory(env.DB);
		const job = jobNamed('Guests of the Otter Ball');
		await directory.listJob(accountId, job);
		// By its id alone: what a person calls a list is nobody's business here.
		expect(await rowsWith(job.jobId)).toEqual(['jobs']);
		expect(await rowsWith('Otter Ball')).toEqual([]);
		await deleteAccount(identity.services, signedIn);
		await directory.listJob(accountId, job);
		expect(await rowsWith(job.jobId)).toEqual([]);
	});

	test('that dies after the keys is finished by the next try', async () => {
		const identity = makeIdentity();
		const { signedIn, token } = await newPerson(identity);
		const people = wrapAll(
			identity.services.people,
			dying('before', (name) => name === 'remove'),
		);
		const mortal = { ...identity.services, people };
		await expect(deleteAccount(mortal, signedIn)).rejects.toThrow('died');
		expect(await findSession(identity.services, token)).not.toBeNull();
		await deleteAccount(identity.services, signedIn);
		expect(await findSession(identity.services, token)).toBeNull();
	});
});
