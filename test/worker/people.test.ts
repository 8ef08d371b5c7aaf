import { SCOPES } from '../../src/core/keys/scopes.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { THROTTLES } from '../../src/core/identity/throttles.ts';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from '../../src/core/identity/tokens.ts';
import type { JobRecord } from '../../src/operations/jobs/port.ts';
import { D1Directory } from '../../src/storage/accounts/directory.ts';
import { confirmAddress, signUp } from '../../src/operations/people/sign-up.ts';
import { createKey } from '../../src/operations/accounts/keys.ts';
import { testAccountOf } from '../../src/core/keys/api-key.ts';
import { deleteAccount, sweepIdentity } from '../../src/operations/people/settings.ts';
import { findSession, signIn } from '../../src/operations/people/sign-in.ts';
import { requestPasswordReset, resetPassword } from '../../src/operations/people/reset-password.ts';
import { throttle } from '../../src/operations/people/steps/throttle.ts';
import { PLAIN_JOB } from '../support/plain-job.ts';
import {
	BASE,
	PASSWORD,
	PROOF,
	confirm,
	makeIdentity,
	newAddress,
	newFormId,
	newPerson,
	signUpAs,
	tokenOf,
} from '../support/identity.ts';

// The operations around people on the real database and account objects, with a clock of the test.

const HOUR_MS = 3_600_000;

async function rowsWith(text: string): Promise<string[]> {
	const tables = ['accounts', 'users', 'sessions', 'one_time_links', 'throttles', 'jobs', 'audit_log'];
	const found = await Promise.all(
		tables.map(async (table) => {
			const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
			return JSON.stringify(results).toLowerCase().includes(text.toLowerCase()) ? [table] : [];
		}),
	);
	return found.flat();
}

function jobNamed(name: string): JobRecord {
	return { ...PLAIN_JOB, jobId: `job_${crypto.randomUUID()}`, name };
}

describe('a confirmation that dies half-way', () => {
	test.each(['insert', 'useLink'] as const)(
		'at people.%s is finished by the next try, and grants once',
		async (step) => {
			const identity = makeIdentity();
			const address = newAddress();
			const token = await signUpAs(identity, address);
			const { people } = identity.services;
			const real = people[step].bind(people) as (...args: unknown[]) => Promise<unknown>;
			let fails = true;
			Object.defineProperty(people, step, {
				value: async (...args: unknown[]) => {
					const done = step === 'insert' ? await real(...args) : null;
					if (fails) throw new Error('the isolate died');
					return done ?? real(...args);
				},
			});
			await expect(confirm(identity, token)).rejects.toThrow('the isolate died');
			fails = false;
			expect((await confirm(identity, token)).kind).toBe('confirmed');
			const user = await people.findByLoginName(address.email);
			const view = await identity.services.accounts(user?.accountId ?? '').show();
			expect(view.balance).toMatchObject({ balance: 100, transactionCount: 1 });
		},
	);
});

describe('links', () => {
	test('to confirm an address hold for 24 hours', async () => {
		const identity = makeIdentity();
		const [early, late] = [await signUpAs(identity, newAddress()), await signUpAs(identity, newAddress())];
		identity.time.now += 24 * HOUR_MS - 1;
		expect((await confirm(identity, early)).kind).toBe('confirmed');
		identity.time.now += 1;
		expect((await confirm(identity, late)).kind).toBe('link_ended');
	});

	test('to choose a password hold for an hour', async () => {
		const identity = makeIdentity();
		const { services, settled, mails, time } = identity;
		const address = newAddress();
		await newPerson(identity, address);
		const ask = async (): Promise<string> => {
			const client = crypto.randomUUID();
			await requestPasswordReset(services, {
				...{ address, client, browserToken: null },
				formId: newFormId(),
				base: BASE,
			});
			await settled();
			return tokenOf(mails.at(-1) ?? { to: '', subject: '', text: '' });
		};
		const reset = async (token: string) =>
			resetPassword(services, {
				token,
				password: 'three kettles humming',
				client: 'here',
				device: 'Firefox on Linux',
				base: BASE,
			});
		const late = await ask();
		time.now += HOUR_MS;
		expect((await reset(late)).kind).toBe('link_ended');
		const early = await ask();
		time.now += HOUR_MS - 1;
		expect((await reset(early)).kind).toBe('changed');
	});

	test('of a browser without a token ask every browser for the password', async () => {
		const { services, mails, settled } = makeIdentity();
		const request = { address: newAddress(), password: PASSWORD, keepsAddress: false, client: 'here' };
		await signUp(services, { ...request, formId: newFormId(), visitor: null, work: null, base: BASE });
		await settled();
		const token = tokenOf(mails.at(-1) ?? { to: '', subject: '', text: '' });
		for (const visitor of ['', 'null', null]) {
			const browser = { device: 'Firefox on Linux', formId: newFormId(), client: 'here' };
			const confirmed = await confirmAddress(services, { ...browser, token, visitor, password: null });
			expect(confirmed.kind).toBe('password_needed');
		}
	});

	test('lead to our own address and are stored as digests only', async () => {
		const identity = makeIdentity();
		const token = await signUpAs(identity, newAddress());
		expect(identity.mails.at(-1)?.text).toContain(`${BASE}/dashboard/confirm?token=${token}`);
		expect(await rowsWith(token)).toEqual([]);
	});

	test('are swept with the addresses in them once they ended', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		await signUpAs(identity, address);
		await sweepIdentity(identity.services);
		expect(await rowsWith(address.email)).toEqual(['one_time_links']);
		identity.time.now += 49 * HOUR_MS;
		await sweepIdentity(identity.services);
		expect(await rowsWith(address.email)).toEqual([]);
	});
});

describe('sessions', () => {
	test('end after a week without use, and after thirty days whatever happens', async () => {
		const identity = makeIdentity();
		const { time, services } = identity;
		const idle = await newPerson(identity);
		time.now += SESSION_IDLE_MS - 1;
		expect(await findSession(services, idle)).not.toBeNull();
		time.now += SESSION_IDLE_MS;
		expect(await findSession(services, idle)).toBeNull();
		const busy = await newPerson(identity);
		const begin = time.now;
		while (time.now + SESSION_IDLE_MS / 2 < begin + SESSION_ABSOLUTE_MS) {
			time.now += SESSION_IDLE_MS / 2;
			expect(await findSession(services, busy)).not.toBeNull();
		}
		time.now = begin + SESSION_ABSOLUTE_MS;
		expect(await findSession(services, busy)).toBeNull();
	});

	test('are stored without their token', async () => {
		const identity = makeIdentity();
		const { token } = await newPerson(identity);
		expect(await rowsWith(token)).toEqual([]);
	});

	test('begin once for a form that is sent twice', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const { signedIn } = await newPerson(identity, address);
		const request = {
			address,
			password: PASSWORD,
			client: 'here',
			device: 'Firefox on Linux',
			formId: newFormId(),
			earlierToken: null,
			browserToken: null,
			challengeAnswer: null,
			work: null,
		};
		await signIn(identity.services, request);
		const last = await signIn(identity.services, request);
		expect(await identity.services.sessions.list(signedIn.user.id)).toHaveLength(2);
		expect(last.kind === 'signed_in' && (await findSession(identity.services, last))).not.toBeNull();
	});
});

describe('throttles', () => {
	test.each(Object.keys(THROTTLES) as (keyof typeof THROTTLES)[])(
		'%s: both sides of each limit, and the window’s end',
		async (action) => {
			const { services, time } = makeIdentity();
			const { client, account } = THROTTLES[action];
			for (const side of ['client', 'account'] as const) {
				const { limit, windowMs } = side === 'client' ? client : account;
				const name = crypto.randomUUID();
				// Each attempt comes from another client, or is for another account.
				const attempt = async () =>
					throttle(services, action, {
						client: side === 'client' ? name : crypto.randomUUID(),
						account: side === 'account' ? name : crypto.randomUUID(),
					});
				for (let n = 0; n < limit; n += 1) expect(await attempt()).toBeNull();
				expect(await attempt()).toEqual({ kind: 'throttled', retryAfterMs: windowMs });
				time.now += windowMs - 1;
				expect(await attempt()).toEqual({ kind: 'throttled', retryAfterMs: 1 });
				time.now += 1;
				expect(await attempt()).toBeNull();
			}
		},
	);

	test('let no more through when all come at once', async () => {
		const { services } = makeIdentity();
		const account = crypto.randomUUID();
		const attempts = Array.from({ length: 30 }, async () =>
			throttle(services, 'sign_in', { client: crypto.randomUUID(), account }),
		);
		const admitted = (await Promise.all(attempts)).filter((refused) => refused === null);
		expect(admitted).toHaveLength(THROTTLES.sign_in.account.limit);
	});

	test('keep no address of a person or machine', async () => {
		const { services } = makeIdentity();
		await throttle(services, 'sign_in', { client: '192.0.2.77', account: 'kept@inbox.test' });
		expect([...(await rowsWith('192.0.2.77')), ...(await rowsWith('kept@inbox.test'))]).toEqual([]);
	});
});

describe('keys from the dashboard', () => {
	test('one form makes one key, and shows it again to whoever sends it twice', async () => {
		const identity = makeIdentity();
		const { signedIn, token } = await newPerson(identity);
		const request = {
			label: 'Shop',
			mode: 'live',
			scopes: SCOPES,
			expiresAt: null,
			formId: newFormId(),
			sessionToken: token,
			client: 'here',
			device: 'Firefox on Linux',
		} as const;
		const [one, two] = await Promise.all([
			createKey(identity.services, signedIn, request),
			createKey(identity.services, signedIn, request),
		]);
		expect([one, two].map((made) => made.kind)).toEqual(['created', 'created']);
		expect(one.kind === 'created' && two.kind === 'created' && one.apiKey === two.apiKey).toBe(true);
		const { keys } = await identity.services.accounts(signedIn.user.accountId).show();
		expect(keys.map(({ label }) => label)).toEqual(['Shop']);
	});

	test('another form, or the same one in another session, makes another key', async () => {
		const identity = makeIdentity();
		const { signedIn, token } = await newPerson(identity);
		const request = {
			label: 'Shop',
			mode: 'live',
			scopes: SCOPES,
			expiresAt: null,
			formId: newFormId(),
			sessionToken: token,
			client: 'here',
			device: 'Firefox on Linux',
		} as const;
		const made = [
			await createKey(identity.services, signedIn, request),
			await createKey(identity.services, signedIn, { ...request, formId: newFormId() }),
			await createKey(identity.services, signedIn, { ...request, sessionToken: 'another' }),
		];
		const keys = new Set(made.map((result) => (result.kind === 'created' ? result.apiKey : result.kind)));
		expect(keys.size).toBe(3);
	});

	test('a form whose key was revoked brings it back neither to life nor to sight', async () => {
		const identity = makeIdentity();
		const { signedIn, token } = await newPerson(identity);
		const request = {
			label: 'Shop',
			mode: 'live',
			scopes: SCOPES,
			expiresAt: null,
			formId: newFormId(),
			sessionToken: token,
			client: 'here',
			device: 'Firefox on Linux',
		} as const;
		const made = await createKey(identity.services, signedIn, request);
		const keyId = made.kind === 'created' ? made.keyId : '';
		await identity.services.accounts(signedIn.user.accountId).revokeKey({ keyId, now: Date.now() });
		expect(await createKey(identity.services, signedIn, request)).toEqual({ kind: 'ended' });
	});
});

describe('deleting an account', () => {
	test('leaves no trace of the address in the database', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const { signedIn } = await newPerson(identity, address);
		expect(await rowsWith(address.email)).toEqual(['accounts', 'users', 'one_time_links']);
		const request = PROOF;
		expect(await deleteAccount(identity.services, signedIn, request)).toEqual({ kind: 'deleted' });
		expect(await rowsWith(address.email)).toEqual([]);
	});

	test('stays so when a consumer that was at work lists its job once more', async () => {
		const identity = makeIdentity();
		const { signedIn } = await newPerson(identity);
		const { accountId } = signedIn.user;
		const directory = new D1Directory(env.DB);
		const job = jobNamed('Guests of the Otter Ball');
		await directory.listJob(accountId, job);
		// By its id alone: what a person calls a list is nobody's business here.
		expect(await rowsWith(job.jobId)).toEqual(['jobs']);
		expect(await rowsWith('Otter Ball')).toEqual([]);
		await deleteAccount(identity.services, signedIn, PROOF);
		const ended: JobRecord = { ...job, status: 'completed', completedAt: 2 };
		await directory.listJob(accountId, ended);
		expect(await rowsWith(job.jobId)).toEqual([]);
	});

	test('takes the jobs of its test keys off the list as well', async () => {
		const identity = makeIdentity();
		const { signedIn } = await newPerson(identity);
		const testAccount = testAccountOf(signedIn.user.accountId);
		const directory = new D1Directory(env.DB);
		const job = jobNamed('A trial run');
		await directory.listJob(testAccount, job);
		await deleteAccount(identity.services, signedIn, PROOF);
		await directory.listJob(testAccount, { ...job, status: 'completed' });
		expect(await rowsWith(job.jobId)).toEqual([]);
	});

	test('that dies after the keys is finished by the next try', async () => {
		const identity = makeIdentity();
		const { signedIn, token } = await newPerson(identity);
		const { people } = identity.services;
		const remove = people.remove.bind(people);
		let fails = true;
		Object.defineProperty(people, 'remove', {
			value: async (...args: Parameters<typeof remove>) => {
				if (fails) throw new Error('the isolate died');
				return remove(...args);
			},
		});
		const request = PROOF;
		await expect(deleteAccount(identity.services, signedIn, request)).rejects.toThrow('the isolate died');
		fails = false;
		expect(await findSession(identity.services, { token })).not.toBeNull();
		expect(await deleteAccount(identity.services, signedIn, request)).toEqual({ kind: 'deleted' });
		expect(await findSession(identity.services, { token })).toBeNull();
	});
});
