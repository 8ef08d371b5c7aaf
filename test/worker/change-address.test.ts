import { describe, expect, test } from 'vitest';
import { changeAddress, requestAddressChange } from '../../src/operations/people/change-address.ts';
import { changePassword } from '../../src/operations/people/settings.ts';
import { findSession } from '../../src/operations/people/sign-in.ts';
import type { SignedIn } from '../../src/operations/people/port.ts';
import {
	PASSWORD,
	PROOF,
	addressOf,
	confirm,
	makeIdentity,
	newAddress,
	newFormId,
	newPerson,
	signUpAs,
	tokenOf,
} from '../support/identity.ts';
import type { Identity } from '../support/identity.ts';
import { newTwoFactorPerson, nextCode, twoStepBrowser } from '../support/two-factor.ts';

// A person who moves to another address: nothing changes before the new mailbox says so, and nobody else can use it.

const DAY_MS = 86_400_000;
const device = 'Firefox on Linux';

async function ask(identity: Identity, person: SignedIn, address = newAddress(), more: object = {}) {
	const request = {
		...PROOF,
		client: crypto.randomUUID(),
		address,
		keepsAddress: false,
		formId: newFormId(),
		...more,
	};
	const asked = await requestAddressChange(identity.services, person, request);
	await identity.settled();
	await identity.settled();
	return asked;
}

const mailTo = ({ mails }: Identity, email: string) => mails.findLast(({ to }) => to === email);

/** A person who asked for another address, and the token of the link. */
async function world() {
	const identity = makeIdentity();
	const [from, to] = [newAddress(), newAddress()];
	const person = await newPerson(identity, from);
	expect((await ask(identity, person.signedIn, to)).kind).toBe('look_in_mail');
	const link = tokenOf(mailTo(identity, to.email) ?? { to: '', subject: '', text: '' });
	const use = async (as = person.signedIn) => changeAddress(identity.services, as, { token: link, device });
	return { identity, from, to, ...person, link, use };
}

describe('another address', () => {
	test('is confirmed by its own mailbox, while the present one is told; until then nothing changes', async () => {
		const { identity, from, to } = await world();
		expect(mailTo(identity, to.email)?.subject).toBe('Confirm your new address for Mailsonar');
		expect(mailTo(identity, from.email)?.subject).toBe('Your Mailsonar account will change its address');
		expect(mailTo(identity, from.email)?.text).not.toContain('/confirm?token=');
		expect(await twoStepBrowser(identity, from).password()).toBe('signed_in');
		expect(await twoStepBrowser(identity, to).password()).toBe('refused');
	});

	test('signs in once it is confirmed, and the former one no longer does; other browsers are signed out', async () => {
		const { identity, from, to, signedIn, token, use } = await world();
		const elsewhere = twoStepBrowser(identity, from);
		await elsewhere.password();
		expect(await use()).toMatchObject({ kind: 'changed', email: to.email, browserToken: expect.any(String) });
		expect(await twoStepBrowser(identity, to).password()).toBe('signed_in');
		expect(await twoStepBrowser(identity, from).password()).toBe('refused');
		expect((await findSession(identity.services, { token }))?.user.email).toBe(to.email);
		const sessions = await identity.services.sessions.list(signedIn.user.id);
		expect(sessions.map(({ id }) => id)).toContain(signedIn.session.id);
		expect(sessions).toHaveLength(2);
		const { accountId } = signedIn.user;
		expect(await identity.services.directory.findAccount(accountId)).toMatchObject({ email: to.email });
		await identity.settled();
		expect(mailTo(identity, from.email)?.subject).toBe('Your Mailsonar account has a new address');
	});

	test('is confirmed once', async () => {
		const { use } = await world();
		const kinds = (await Promise.all([use(), use()])).map(({ kind }) => kind);
		expect(kinds.toSorted()).toEqual(['changed', 'link_ended']);
		expect((await use()).kind).toBe('link_ended');
	});

	test.each([
		['to the last millisecond of a day', DAY_MS - 1, 'changed'],
		['and not after it', DAY_MS, 'link_ended'],
	])('is confirmed %s', async (_, later, kind) => {
		const { identity, use } = await world();
		identity.time.now += later;
		expect((await use()).kind).toBe(kind);
	});

	test('is confirmed by nobody but the person who asked', async () => {
		const { identity, use, to } = await world();
		const { signedIn: other } = await newPerson(identity);
		expect((await use(other)).kind).toBe('link_ended');
		expect(await twoStepBrowser(identity, to).password()).toBe('refused');
		expect((await use()).kind).toBe('changed');
	});

	test('is given up by a new password', async () => {
		const { identity, signedIn, use } = await world();
		const change = { current: PASSWORD, password: 'three kettles humming', formId: newFormId() };
		expect((await changePassword(identity.services, signedIn, { ...PROOF, ...change })).kind).toBe('changed');
		expect((await use()).kind).toBe('link_ended');
	});

	test('that differs in letter case alone is a change, too', async () => {
		const identity = makeIdentity();
		const from = newAddress();
		const { signedIn } = await newPerson(identity, from);
		const to = addressOf(`P${from.email.slice(1)}`);
		expect((await ask(identity, signedIn, from)).kind).toBe('same');
		expect((await ask(identity, signedIn, to)).kind).toBe('look_in_mail');
		const link = tokenOf(mailTo(identity, to.email) ?? { to: '', subject: '', text: '' });
		expect(await changeAddress(identity.services, signedIn, { token: link, device })).toMatchObject({
			kind: 'changed',
			email: to.email,
		});
		expect(await twoStepBrowser(identity, from).password()).toBe('signed_in');
	});
});

describe('an address that another person has', () => {
	test('is answered like any other; only its own mailbox learns of it', async () => {
		const identity = makeIdentity();
		const taken = newAddress();
		await newPerson(identity, taken);
		const { signedIn } = await newPerson(identity);
		expect(await ask(identity, signedIn, taken)).toEqual(await ask(identity, signedIn));
		expect(mailTo(identity, taken.email)).toMatchObject({
			subject: 'This address already has a Mailsonar account',
			text: expect.not.stringContaining('token='),
		});
	});

	test('stays theirs, even when they came between the question and the link', async () => {
		const { identity, to, from, use } = await world();
		await confirm(identity, await signUpAs(identity, to));
		expect((await use()).kind).toBe('link_ended');
		expect(await twoStepBrowser(identity, from).password()).toBe('signed_in');
		expect(await twoStepBrowser(identity, to).password()).toBe('signed_in');
	});
});

describe('asking for another address', () => {
	test('takes the password, and a code where there is a second factor', async () => {
		const identity = makeIdentity();
		const { signedIn } = await newTwoFactorPerson(identity);
		const to = newAddress();
		expect((await ask(identity, signedIn, to, { password: 'wrong otter' })).kind).toBe('wrong_password');
		expect((await ask(identity, signedIn, to)).kind).toBe('wrong_code');
		expect(mailTo(identity, to.email)).toBeUndefined();
		const code = await nextCode(identity, signedIn);
		expect((await ask(identity, signedIn, to, { code })).kind).toBe('look_in_mail');
		expect(mailTo(identity, to.email)).toBeDefined();
	});

	test('by a form sent twice sends each mail once', async () => {
		const identity = makeIdentity();
		const { signedIn } = await newPerson(identity);
		const [to, formId] = [newAddress(), newFormId()];
		const before = identity.mails.length;
		await ask(identity, signedIn, to, { formId });
		await ask(identity, signedIn, to, { formId });
		expect(identity.mails.length - before).toBe(2);
	});

	test('is done five times an hour at most: each sends two mails', async () => {
		const identity = makeIdentity();
		const { signedIn } = await newPerson(identity);
		const kinds: string[] = [];
		for (let n = 0; n < 6; n += 1) kinds.push((await ask(identity, signedIn)).kind);
		expect(kinds).toEqual([...Array.from({ length: 5 }, () => 'look_in_mail'), 'throttled']);
	});

	test.each([
		['gone.test', 'no_mail'],
		['mailinator.com', 'disposable'],
		['gmial.com', 'typo'],
	])('at %s is refused: %s', async (domain, kind) => {
		const identity = makeIdentity();
		identity.routes.set('gone.test', { kind: 'no_such_domain' });
		const { signedIn } = await newPerson(identity);
		const before = identity.mails.length;
		expect((await ask(identity, signedIn, addressOf(`ada@${domain}`))).kind).toBe(kind);
		expect(identity.mails).toHaveLength(before);
	});
});
