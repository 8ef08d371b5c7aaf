import { describe, expect, test } from 'vitest';
import { CHALLENGE_AFTER, THROTTLES } from '../../src/core/identity/throttles.ts';
import type { Challenge, Passwords } from '../../src/operations/people/port.ts';
import { signIn } from '../../src/operations/people/sign-in.ts';
import type { SignInRequest, SignInResult } from '../../src/operations/people/sign-in.ts';
import { BASE, PASSWORD, makeIdentity, newAddress, newFormId, newPerson } from '../support/identity.ts';
import type { Identity } from '../support/identity.ts';

// When a stranger has to show that there is a person.

const ANSWER = 'a person’s';
const challenge: Challenge = { isPassed: async (answer) => answer === ANSWER };

/** Signs in as a stranger from elsewhere, unless told otherwise. */
async function attempt(
	{ services }: Identity,
	request: Pick<SignInRequest, 'address'> & Partial<SignInRequest>,
): Promise<SignInResult> {
	return signIn(services, {
		client: crypto.randomUUID(),
		device: 'Firefox on Linux',
		formId: newFormId(),
		password: 'wrong otter',
		earlierToken: null,
		browserToken: null,
		challengeAnswer: null,
		work: null,
		...request,
	});
}

describe.each(['an address with an account', 'an address without one'])('%s', (which) => {
	const failed = async (side: 'account' | 'client') => {
		const identity = makeIdentity({ challenge });
		const address = newAddress();
		if (which === 'an address with an account') await newPerson(identity, address);
		const client = crypto.randomUUID();
		const results: SignInResult[] = [];
		for (let n = 0; n < CHALLENGE_AFTER; n += 1)
			results.push(
				await attempt(identity, side === 'account' ? { address } : { address: newAddress(), client }),
			);
		return { identity, address, results, next: side === 'account' ? { address } : { address, client } };
	};

	test.each(['account', 'client'] as const)(
		'after three failures of one %s a person is asked for, before the password is looked at',
		async (side) => {
			const { identity, results, next } = await failed(side);
			const refused = (asksForPerson: boolean) => ({ kind: 'refused', asksForPerson });
			expect(results).toEqual([refused(false), refused(false), refused(true)]);
			for (const challengeAnswer of [null, '', 'a program’s'])
				for (const password of [PASSWORD, 'wrong otter'])
					expect(await attempt(identity, { ...next, password, challengeAnswer })).toEqual({
						kind: 'person_needed',
					});
			const wrong = await attempt(identity, { ...next, challengeAnswer: ANSWER });
			expect(wrong).toEqual(refused(true));
		},
	);

	test('a program that shows nobody uses up nothing of the address: the person still has the other attempts', async () => {
		const { identity, address } = await failed('account');
		for (let n = 0; n < 20; n += 1) expect((await attempt(identity, { address })).kind).toBe('person_needed');
		for (let n = CHALLENGE_AFTER; n < THROTTLES.sign_in.account.limit; n += 1)
			expect((await attempt(identity, { address, challengeAnswer: ANSWER })).kind).toBe('refused');
		expect((await attempt(identity, { address, challengeAnswer: ANSWER })).kind).toBe('throttled');
	});
});

test('a person signs in with the right password and the check, and failures count no more', async () => {
	const identity = makeIdentity({ challenge });
	const address = newAddress();
	await newPerson(identity, address);
	for (let n = 0; n < CHALLENGE_AFTER; n += 1) await attempt(identity, { address });
	const right = { address, password: PASSWORD };
	expect((await attempt(identity, { ...right, challengeAnswer: ANSWER })).kind).toBe('signed_in');
	expect((await attempt(identity, right)).kind).toBe('signed_in');
});

test('a browser that signed in before is never asked', async () => {
	const identity = makeIdentity({ challenge });
	const address = newAddress();
	await newPerson(identity, address);
	const first = await attempt(identity, { address, password: PASSWORD });
	const browserToken = first.kind === 'signed_in' ? first.browserToken : null;
	for (let n = 0; n < CHALLENGE_AFTER; n += 1) await attempt(identity, { address });
	expect((await attempt(identity, { address, password: PASSWORD })).kind).toBe('person_needed');
	expect((await attempt(identity, { address, browserToken })).kind).toBe('refused');
	expect((await attempt(identity, { address, password: PASSWORD, browserToken })).kind).toBe('signed_in');
});

test('in a crowd every stranger is asked, at the first attempt', async () => {
	const { services } = makeIdentity();
	const passwords: Passwords = { ...services.passwords, isCrowded: () => true };
	const crowded = makeIdentity({ challenge, passwords });
	const address = newAddress();
	await newPerson(crowded, address);
	const right = { address, password: PASSWORD };
	expect((await attempt(crowded, right)).kind).toBe('person_needed');
	expect((await attempt(crowded, { ...right, challengeAnswer: ANSWER })).kind).toBe('signed_in');
});

test('where it is not configured nobody is asked', async () => {
	const identity = makeIdentity();
	const address = newAddress();
	for (let n = 0; n < THROTTLES.sign_in.account.limit; n += 1)
		expect(await attempt(identity, { address })).toEqual({ kind: 'refused', asksForPerson: false });
});

test('a check that can’t be made refuses, and lets nobody in', async () => {
	const broken: Challenge = { isPassed: () => Promise.reject(new Error(`${BASE} does not answer`)) };
	const identity = makeIdentity({ challenge: broken });
	const address = newAddress();
	await newPerson(identity, address);
	for (let n = 0; n < CHALLENGE_AFTER; n += 1) await attempt(identity, { address });
	await expect(attempt(identity, { address, password: PASSWORD, challengeAnswer: ANSWER })).rejects.toThrow();
});
