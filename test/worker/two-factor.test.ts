import { describe, expect, test } from 'vitest';
import { totpCode } from '../../src/lib/totp.ts';
import { THROTTLES } from '../../src/core/identity/throttles.ts';
import { deleteAccount } from '../../src/operations/people/settings.ts';
import { findSession } from '../../src/operations/people/sign-in.ts';
import {
	remakeRecoveryCodes,
	removeTwoFactor,
	turnOffTwoFactor,
} from '../../src/operations/people/two-factor.ts';
import { requestPasswordReset, resetPassword } from '../../src/operations/people/reset-password.ts';
import { BASE, PROOF, makeIdentity, newAddress, newFormId, newPerson, tokenOf } from '../support/identity.ts';
import { codeNow, newTwoFactorPerson, nextCode, turnOn, twoStepBrowser } from '../support/two-factor.ts';

// Signing in with a password and a code: what a stolen password, mailbox or code is worth, and what its owner can do.

const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;
const IN_A_ROW = THROTTLES.second_factor_row.account.limit;
const GUESSES = THROTTLES.second_factor.account.limit;
const NEW_PASSWORD = 'three kettles humming';

/** A person with two-factor sign-in, and a browser that is not signed in. */
async function world() {
	const identity = makeIdentity();
	const address = newAddress();
	const person = await newTwoFactorPerson(identity, address);
	return { identity, address, ...person, browser: twoStepBrowser(identity, address) };
}

describe('turning it on', () => {
	test('takes a first right code, ends all other sessions and gives ten recovery codes', async () => {
		const identity = makeIdentity();
		const address = newAddress();
		const { signedIn, token } = await newPerson(identity, address);
		const elsewhere = twoStepBrowser(identity, address);
		expect(await elsewhere.password()).toBe('signed_in');
		const { send } = await turnOn(identity, signedIn, token);
		expect((await send('000000')).kind).toBe('wrong_code');
		expect(await elsewhere.password()).toBe('signed_in');
		const on = await send();
		expect(on).toMatchObject({ kind: 'on', recoveryCodes: { length: 10 } });
		expect(await identity.services.sessions.list(signedIn.user.id)).toMatchObject([
			{ id: signedIn.session.id },
		]);
		expect(await findSession(identity.services, { token })).not.toBeNull();
		expect(await elsewhere.password()).toBe('code_needed');
		await identity.settled();
		expect(identity.mails.at(-1)?.subject).toBe('Two-factor sign-in is on for your Mailsonar account');
	});

	test('twice by one form shows the same recovery codes, which then work', async () => {
		const identity = makeIdentity();
		const { signedIn, token } = await newPerson(identity);
		const { send } = await turnOn(identity, signedIn, token);
		const [one, two] = await Promise.all([send(), send()]);
		expect(one.kind).toBe('on');
		expect(two).toEqual(one);
		expect(await identity.services.secondFactors.countCodes(signedIn.user.id)).toBe(10);
	});

	test('takes no secret but one that was offered to this person, for this password, within an hour', async () => {
		const identity = makeIdentity();
		const { signedIn, token } = await newPerson(identity);
		const { send, offer, secret } = await turnOn(identity, signedIn, token);
		const other = await newPerson(identity);
		const elsewhere = await turnOn(identity, other.signedIn, other.token);
		const madeUp = [
			'',
			'1.madeup',
			elsewhere.offer,
			offer.replace(/^(\d+)\.(\d+)/, (_, version, endsAt) => `${version}.${Number(endsAt) + 1}`),
			offer.replace(/\.[\w-]+\.([\w-]+)$/, '.othersalt.$1'),
		];
		for (const said of madeUp) expect((await send(undefined, said)).kind, said).toBe('password_needed');
		const renewed = { ...signedIn, user: { ...signedIn.user, passwordHash: 'quick$another' } };
		expect((await send(undefined, offer, renewed)).kind).toBe('password_needed');
		identity.time.now += 3_600_000;
		expect((await send()).kind).toBe('password_needed');
		expect(await identity.services.secondFactors.find(signedIn.user.id)).toBeNull();
		identity.time.now -= 1;
		expect((await send(totpCode(secret, identity.time.now))).kind).toBe('on');
	});

	test('by another form, when it is on, changes nothing', async () => {
		const { identity, signedIn, token } = await world();
		const before = await identity.services.secondFactors.find(signedIn.user.id);
		const { send } = await turnOn(identity, signedIn, token);
		expect((await send()).kind).toBe('on_already');
		expect(await identity.services.secondFactors.find(signedIn.user.id)).toEqual(before);
	});
});

describe('a code', () => {
	test('signs in once: neither it nor an older one is taken again', async () => {
		const { identity, signedIn, browser } = await world();
		const old = await nextCode(identity, signedIn);
		const code = await nextCode(identity, signedIn);
		await browser.password();
		expect(await browser.code(code)).toBe('signed_in');
		await browser.password();
		expect(await browser.code(code)).toBe('wrong_code');
		expect(await browser.code(old)).toBe('wrong_code');
		expect(await browser.code(await nextCode(identity, signedIn))).toBe('signed_in');
	});

	test('that turned it on signs nobody in', async () => {
		const { identity, signedIn, browser } = await world();
		await browser.password();
		expect(await browser.code(await codeNow(identity, signedIn))).toBe('wrong_code');
	});

	test('sent at once by two forms signs in one of them; by one form, both times', async () => {
		const { identity, signedIn, browser } = await world();
		await browser.password();
		const code = await nextCode(identity, signedIn);
		const kinds = await Promise.all([browser.code(code), browser.code(code)]);
		expect(kinds.toSorted()).toEqual(['signed_in', 'wrong_code']);
		const [next, form] = [await nextCode(identity, signedIn), newFormId()];
		expect([await browser.code(next, form), await browser.code(next, form)]).toEqual([
			'signed_in',
			'signed_in',
		]);
	});

	test('is not replaced by a form that was sent before: a later password needs a later code', async () => {
		const { identity, signedIn, browser } = await world();
		await browser.password();
		const form = newFormId();
		const code = await nextCode(identity, signedIn);
		expect(await browser.code(code, form)).toBe('signed_in');
		expect(await browser.code('no code', form)).toBe('signed_in');
		identity.time.now += 1;
		await browser.password();
		expect(await browser.code(code, form)).toBe('wrong_code');
		expect(await browser.code('no code', form)).toBe('wrong_code');
	});

	test('has to come within ten minutes of the password, and before that changes', async () => {
		const { identity, address, signedIn, browser } = await world();
		await browser.password();
		identity.time.now += 600_000;
		expect(await browser.code(await codeNow(identity, signedIn))).toBe('password_needed');
		await browser.password();
		const reset = { address, client: 'there', browserToken: null, formId: newFormId(), base: BASE };
		await requestPasswordReset(identity.services, reset);
		await identity.settled();
		const link = tokenOf(identity.mails.at(-1) ?? { to: '', subject: '', text: '' });
		const password = { token: link, password: NEW_PASSWORD, client: 'there', device: 'x', base: BASE };
		const changed = await resetPassword(identity.services, password);
		expect(changed.kind).toBe('changed');
		expect(await browser.code(await nextCode(identity, signedIn))).toBe('password_needed');
		// A new password by mail does not pass the second factor.
		expect(await browser.password(NEW_PASSWORD)).toBe('code_needed');
		expect(await browser.code(await nextCode(identity, signedIn))).toBe('signed_in');
	});

	test('without a right password is not even looked at', async () => {
		const { identity, signedIn, address } = await world();
		const stranger = twoStepBrowser(identity, address);
		expect(await stranger.password('wrong otter')).toBe('refused');
		expect(await stranger.code(await nextCode(identity, signedIn))).toBe('password_needed');
	});
});

describe('guesses', () => {
	test('are ten an hour for who knows the password; the owner’s own browser goes on', async () => {
		const { identity, signedIn, browser: own, address } = await world();
		await own.password();
		expect(await own.code(await nextCode(identity, signedIn))).toBe('signed_in');
		const thief = twoStepBrowser(identity, address);
		await thief.password();
		const kinds: string[] = [];
		for (let n = 0; n <= GUESSES; n += 1) kinds.push(await thief.code(n % 2 === 0 ? '000000' : 'nonsense'));
		expect(kinds).toEqual([...Array.from({ length: GUESSES }, () => 'wrong_code'), 'throttled']);
		expect(await thief.code(await nextCode(identity, signedIn))).toBe('throttled');
		await own.password();
		expect(await own.code(await nextCode(identity, signedIn))).toBe('signed_in');
		identity.time.now += 3_600_000;
		await thief.password();
		expect(await thief.code(await codeNow(identity, signedIn))).toBe('signed_in');
	});

	test('in a row are a hundred, however long somebody goes on; a right code of the owner’s begins a new row', async () => {
		const { identity, signedIn, address } = await world();
		const { services, time } = identity;
		const thief = twoStepBrowser(identity, address);
		const guess = async (hours: number): Promise<number> => {
			let looked = 0;
			for (let hour = 0; hour < hours; hour += 1) {
				time.now += HOUR_MS;
				await thief.password();
				for (let n = 0; n < GUESSES + 2; n += 1)
					if ((await thief.code('000000')) === 'wrong_code') looked += 1;
			}
			return looked;
		};
		expect(await guess(12)).toBe(IN_A_ROW);
		expect(IN_A_ROW).toBe(100);
		// The owner has no known browser, and a new password makes one known.
		const client = 'there';
		await requestPasswordReset(services, {
			address,
			client,
			browserToken: null,
			formId: newFormId(),
			base: BASE,
		});
		await identity.settled();
		const token = tokenOf(identity.mails.at(-1) ?? { to: '', subject: '', text: '' });
		const reset = await resetPassword(services, {
			token,
			password: NEW_PASSWORD,
			client,
			device: 'x',
			base: BASE,
		});
		if (reset.kind !== 'changed') throw new Error(reset.kind);
		const owner = twoStepBrowser(identity, address, reset.browserToken);
		await owner.password(NEW_PASSWORD);
		expect(await owner.code(await nextCode(identity, signedIn))).toBe('signed_in');
		const second = twoStepBrowser(identity, address);
		time.now += HOUR_MS;
		await second.password(NEW_PASSWORD);
		expect(await second.code(await nextCode(identity, signedIn))).toBe('signed_in');
	});

	test('are no more for who reads the mail, however often the password is reset', async () => {
		const { identity, address } = await world();
		const { services, mails, settled } = identity;
		const kinds: string[] = [];
		for (let round = 0; round < 3; round += 1) {
			const client = crypto.randomUUID();
			await requestPasswordReset(services, {
				address,
				client,
				browserToken: null,
				formId: newFormId(),
				base: BASE,
			});
			await settled();
			const token = tokenOf(
				mails.findLast(({ text }) => text.includes('token=')) ?? { to: '', subject: '', text: '' },
			);
			const password = `three kettles humming ${round}`;
			const reset = await resetPassword(services, { token, password, client, device: 'x', base: BASE });
			if (reset.kind !== 'changed') throw new Error(reset.kind);
			const thief = twoStepBrowser(identity, address, reset.browserToken);
			expect(await thief.password(password)).toBe('code_needed');
			for (let n = 0; n < GUESSES; n += 1) kinds.push(await thief.code('000000'));
		}
		expect(kinds.filter((kind) => kind === 'wrong_code')).toHaveLength(GUESSES);
	});

	test('of a stranger without the password use up nothing', async () => {
		const { identity, signedIn, address } = await world();
		const stranger = twoStepBrowser(identity, address);
		for (let n = 0; n < 2 * GUESSES; n += 1) expect(await stranger.code('000000')).toBe('password_needed');
		const elsewhere = twoStepBrowser(identity, address);
		await elsewhere.password();
		expect(await elsewhere.code(await nextCode(identity, signedIn))).toBe('signed_in');
	});
});

describe('a recovery code', () => {
	test('signs in once in place of the app, in any spelling, and the owner is told', async () => {
		const { identity, signedIn, recoveryCodes, browser } = await world();
		const code = (recoveryCodes[3] ?? '').toUpperCase().replaceAll('-', ' ');
		await browser.password();
		expect(await browser.code(code)).toBe('signed_in');
		await browser.password();
		expect(await browser.code(code)).toBe('wrong_code');
		expect(await identity.services.secondFactors.countCodes(signedIn.user.id)).toBe(9);
		await identity.settled();
		expect(identity.mails.at(-1)).toMatchObject({
			to: signedIn.user.email,
			text: expect.stringContaining('9 are left'),
		});
	});

	test('of another person is worth nothing', async () => {
		const [{ browser }, other] = [await world(), await world()];
		await browser.password();
		expect(await browser.code(other.recoveryCodes[0] ?? '')).toBe('wrong_code');
	});

	test('ends when new ones are made, which takes the password and a code', async () => {
		const { identity, signedIn, token, recoveryCodes, browser } = await world();
		const request = { ...PROOF, formId: newFormId(), sessionToken: token };
		const remake = async (more: object) =>
			remakeRecoveryCodes(identity.services, signedIn, { ...request, ...more });
		expect((await remake({ password: 'wrong otter' })).kind).toBe('wrong_password');
		expect((await remake({})).kind).toBe('wrong_code');
		const code = await nextCode(identity, signedIn);
		const made = await remake({ code });
		if (made.kind !== 'made') throw new Error(made.kind);
		// The same form sent twice shows the same codes, although its code is used up.
		expect(await remake({ code })).toEqual(made);
		await browser.password();
		expect(await browser.code(recoveryCodes[0] ?? '')).toBe('wrong_code');
		expect(await browser.code(made.recoveryCodes[0] ?? '')).toBe('signed_in');
	});

	test('is all that is left when the service lost the secret that codes are derived from', async () => {
		const { identity, address, recoveryCodes, signedIn } = await world();
		const code = await nextCode(identity, signedIn);
		const signing = { version: 2, secret: new Uint8Array(32).fill(9) };
		const later = { ...identity, services: { ...identity.services, signingSecrets: [signing] } };
		const browser = twoStepBrowser(later, address);
		expect(await browser.password()).toBe('code_needed');
		expect(await browser.code(code)).toBe('wrong_code');
		expect(await browser.code(recoveryCodes[0] ?? '')).toBe('signed_in');
	});
});

describe('turning it off', () => {
	test('takes the password and a code that was not used; then the password is enough', async () => {
		const { identity, signedIn, browser } = await world();
		const off = async (more: object) =>
			(await turnOffTwoFactor(identity.services, signedIn, { ...PROOF, ...more })).kind;
		const code = await nextCode(identity, signedIn);
		expect(await off({ code, password: 'wrong otter' })).toBe('wrong_password');
		expect(await off({ code: '' })).toBe('wrong_code');
		expect(await browser.password()).toBe('code_needed');
		expect(await off({ code })).toBe('off');
		expect(await browser.password()).toBe('signed_in');
		expect(await identity.services.secondFactors.countCodes(signedIn.user.id)).toBe(0);
	});

	test('a deleted account takes it along, and its deletion takes a code', async () => {
		const { identity, signedIn } = await world();
		expect((await deleteAccount(identity.services, signedIn, PROOF)).kind).toBe('wrong_code');
		const code = await nextCode(identity, signedIn);
		expect((await deleteAccount(identity.services, signedIn, { ...PROOF, code })).kind).toBe('deleted');
		expect(await identity.services.secondFactors.find(signedIn.user.id)).toBeNull();
		expect(await identity.services.secondFactors.countCodes(signedIn.user.id)).toBe(0);
	});
});

test('a code that is 29 seconds late is right, one that is two steps late is not', async () => {
	const { identity, signedIn, browser } = await world();
	const code = await nextCode(identity, signedIn);
	identity.time.now += STEP_MS - 1;
	await browser.password();
	expect(await browser.code(code)).toBe('signed_in');
	const late = await nextCode(identity, signedIn);
	identity.time.now += 2 * STEP_MS;
	expect(await browser.code(late)).toBe('wrong_code');
});

test('an operator turns it off for a person who has lost everything but the password, and is named in the trail', async () => {
	const { identity, address, signedIn, browser } = await world();
	const services = { ...identity.services, actor: 'ada' };
	const { accountId, id: userId } = signedIn.user;
	const request = { email: address.email, base: BASE };
	expect(await removeTwoFactor(services, request)).toEqual({ accountId, userId, isNew: true });
	expect(await removeTwoFactor(services, request)).toEqual({ accountId, userId, isNew: false });
	expect(await services.directory.readTrail({ accountId, before: null, most: 9 })).toMatchObject([
		{ by: 'ada', action: 'two_factor.off', detail: { userId } },
	]);
	await identity.settled();
	expect(identity.mails.at(-1)?.subject).toBe('Two-factor sign-in is off for your Mailsonar account');
	expect(await browser.password()).toBe('signed_in');
	await expect(removeTwoFactor(services, { email: 'nobody@inbox.test', base: BASE })).rejects.toMatchObject({
		code: 'account_not_found',
	});
});
