import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/core/address/parse-address.ts';
import { THROTTLES } from '../../src/core/identity/throttles.ts';
import { changePassword, deleteAccount } from '../../src/operations/people/settings.ts';
import { requestPasswordReset, resetPassword } from '../../src/operations/people/reset-password.ts';
import { signIn } from '../../src/operations/people/sign-in.ts';
import {
	BASE,
	PASSWORD,
	PROOF,
	makeIdentity,
	newAddress,
	newFormId,
	newPerson,
	tokenOf,
} from '../support/identity.ts';
import type { Identity } from '../support/identity.ts';

// A browser that signed in before, and strangers who try to keep its person out.

const NEW_PASSWORD = 'three kettles humming';
const FAILURES = THROTTLES.sign_in.account.limit;
const RESETS = THROTTLES.request_reset.account.limit;

/** What a browser does about one address. Each time it comes from another place, unless one is named. */
function browserOf(
	{ services }: Identity,
	address: Address,
	kept: string | null = null,
	client: () => string = () => crypto.randomUUID(),
) {
	let browserToken = kept;
	const browser = () => ({ client: client(), device: 'Firefox on Linux', formId: newFormId(), base: BASE });
	return {
		signIn: async (password: string): Promise<string> => {
			const shown = { earlierToken: null, browserToken, challengeAnswer: null, work: null };
			const request = { ...browser(), ...shown, address, password };
			const result = await signIn(services, request);
			if (result.kind === 'signed_in') ({ browserToken } = result);
			return result.kind;
		},
		askForReset: async (): Promise<string> =>
			(await requestPasswordReset(services, { ...browser(), address, browserToken })).kind,
		reset: async (token: string, password: string): Promise<string> => {
			const result = await resetPassword(services, { ...browser(), token, password });
			if (result.kind === 'changed') ({ browserToken } = result);
			return result.kind;
		},
		get token() {
			return browserToken;
		},
	};
}

/** A person with a browser that signed in, and a stranger. */
async function world(identity = makeIdentity()) {
	const address = newAddress();
	const { signedIn } = await newPerson(identity, address);
	const own = browserOf(identity, address);
	expect(await own.signIn(PASSWORD)).toBe('signed_in');
	return { identity, address, signedIn, own, stranger: browserOf(identity, address) };
}

async function times(count: number, work: () => Promise<string>): Promise<string[]> {
	const kinds: string[] = [];
	for (let n = 0; n < count; n += 1) kinds.push(await work());
	return kinds;
}

const refusedTimes = (count: number): string[] => Array.from({ length: count }, () => 'refused');

describe('strangers who guess as often as they can', () => {
	test('stop each other, and never the browser that signed in before', async () => {
		const { own, stranger } = await world();
		const guesses = await times(FAILURES + 1, () => stranger.signIn('wrong otter'));
		expect(guesses).toEqual([...refusedTimes(FAILURES), 'throttled']);
		expect(await stranger.signIn(PASSWORD)).toBe('throttled');
		expect(await own.signIn(PASSWORD)).toBe('signed_in');
	});

	test('do not stop it from beside it either, at the same address', async () => {
		const identity = makeIdentity();
		const { own, address } = await world(identity);
		const home = () => 'one address for a whole office';
		for (let n = 0; n < THROTTLES.sign_in.client.limit; n += 1)
			await browserOf(identity, newAddress(), null, home).signIn('wrong otter');
		expect(await browserOf(identity, address, null, home).signIn(PASSWORD)).toBe('throttled');
		expect(await browserOf(identity, address, own.token, home).signIn(PASSWORD)).toBe('signed_in');
	});

	test('gain nothing by the person’s own sign-ins: those forgive its own failures only', async () => {
		const { own, stranger } = await world();
		await times(FAILURES, () => stranger.signIn('wrong otter'));
		expect(await own.signIn(PASSWORD)).toBe('signed_in');
		expect(await stranger.signIn('wrong otter')).toBe('throttled');
	});

	test('cannot keep a new password from being asked for, nor make more mails than their own', async () => {
		const { identity, own, stranger } = await world();
		const asked = await times(RESETS + 1, () => stranger.askForReset());
		expect(asked.at(-1)).toBe('throttled');
		await identity.settled();
		const before = identity.mails.length;
		expect(await times(RESETS + 1, () => own.askForReset())).toEqual([
			...Array.from({ length: RESETS }, () => 'look_in_mail'),
			'throttled',
		]);
		await identity.settled();
		expect(identity.mails.length).toBe(before + RESETS);
	});

	test('cannot keep out who has no known browser but reads the mail: the link makes one', async () => {
		const { identity, address, stranger } = await world();
		await times(FAILURES, () => stranger.signIn('wrong otter'));
		await stranger.askForReset();
		await identity.settled();
		const elsewhere = browserOf(identity, address);
		const link = tokenOf(identity.mails.at(-1) ?? { to: '', subject: '', text: '' });
		expect(await elsewhere.reset(link, NEW_PASSWORD)).toBe('changed');
		await times(FAILURES, () => stranger.signIn('wrong otter'));
		expect(await stranger.signIn(NEW_PASSWORD)).toBe('throttled');
		expect(await elsewhere.signIn(NEW_PASSWORD)).toBe('signed_in');
	});
});

describe('a browser that signed in before', () => {
	test('has a budget that ends: ten failures, and a right password starts anew', async () => {
		const { own, stranger } = await world();
		for (let round = 0; round < 2; round += 1) {
			expect(await times(FAILURES - 1, () => own.signIn('wrong otter'))).toEqual(refusedTimes(FAILURES - 1));
			expect(await own.signIn(PASSWORD)).toBe('signed_in');
		}
		await times(FAILURES, () => own.signIn('wrong otter'));
		expect(await own.signIn(PASSWORD)).toBe('throttled');
		// Nor do its failures stop others.
		expect(await stranger.signIn(PASSWORD)).toBe('signed_in');
	});

	test('keeps its budget when it signs in again, and another one has its own', async () => {
		const { identity, address, own } = await world();
		const copy = browserOf(identity, address, own.token);
		expect(await own.signIn(PASSWORD)).toBe('signed_in');
		await times(FAILURES, () => copy.signIn('wrong otter'));
		expect(await own.signIn(PASSWORD)).toBe('throttled');
		const other = browserOf(identity, address);
		expect(await other.signIn(PASSWORD)).toBe('signed_in');
		expect(await times(FAILURES + 1, () => other.signIn('wrong otter'))).toContain('throttled');
	});

	test('is a stranger to everybody else', async () => {
		const identity = makeIdentity();
		const [mine, theirs] = [await world(identity), await world(identity)];
		await times(FAILURES, () => mine.stranger.signIn('wrong otter'));
		const borrowed = browserOf(identity, mine.address, theirs.own.token);
		expect(await borrowed.signIn(PASSWORD)).toBe('throttled');
	});

	test.each(['changed', 'reset'] as const)('is known no more once the password was %s', async (how) => {
		const { identity, address, signedIn, own, stranger } = await world();
		if (how === 'changed') {
			const passwords = { current: PASSWORD, password: NEW_PASSWORD };
			const browser = { client: 'here', device: 'Firefox on Linux', formId: newFormId(), base: BASE };
			const changed = await changePassword(identity.services, signedIn, { ...browser, ...passwords });
			expect(changed.kind).toBe('changed');
			await times(FAILURES, () => stranger.signIn('wrong otter'));
			// The browser in which it was changed is known by a token of its own.
			const here = browserOf(identity, address, changed.kind === 'changed' ? changed.browserToken : null);
			expect(await here.signIn(NEW_PASSWORD)).toBe('signed_in');
		} else {
			await stranger.askForReset();
			await identity.settled();
			const link = tokenOf(identity.mails.at(-1) ?? { to: '', subject: '', text: '' });
			expect(await browserOf(identity, address).reset(link, NEW_PASSWORD)).toBe('changed');
			await times(FAILURES, () => stranger.signIn('wrong otter'));
		}
		expect(await own.signIn(NEW_PASSWORD)).toBe('throttled');
	});

	test('is known no more once the account is gone, also to whoever has the address next', async () => {
		const { identity, address, signedIn, own } = await world();
		await deleteAccount(identity.services, signedIn, PROOF);
		await newPerson(identity, address);
		await times(FAILURES, () => browserOf(identity, address).signIn('wrong otter'));
		expect(await own.signIn(PASSWORD)).toBe('throttled');
	});
});

test('nobody is looked up for a token that we did not make: it can’t ask who has an account', async () => {
	const { identity, address, own } = await world();
	const { people } = identity.services;
	const find = people.findByLoginName.bind(people);
	let lookUps = 0;
	people.findByLoginName = async (loginName) => {
		lookUps += 1;
		return find(loginName);
	};
	const lookUpsOf = async (token: string | null): Promise<number> => {
		lookUps = 0;
		expect(await browserOf(identity, address, token).signIn('wrong otter')).toBe('refused');
		return lookUps;
	};
	const others = (await world(identity)).own.token;
	// The one for the password.
	for (const token of [null, '', 'x', `${own.token}x`, others]) expect(await lookUpsOf(token)).toBe(1);
	expect(await lookUpsOf(own.token)).toBe(2);
});
