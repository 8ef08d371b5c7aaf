import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/core/address/parse-address.ts';
import { changeAddress, requestAddressChange } from '../../src/operations/people/settings.ts';
import { findSession } from '../../src/operations/people/sign-in.ts';
import type { SignedIn } from '../../src/operations/people/port.ts';
import { BASE, askFor, codeIn, makeIdentity, newAddress, newFormId, newPerson } from '../support/identity.ts';
import { addressOf } from '../support/unit/mail-servers.ts';
import type { Identity } from '../support/identity.ts';

// A person who moves to another address: nothing changes before the new mailbox says so, and nobody else can use it.

const SETTINGS = `${BASE}/dashboard/settings#sessions`;

async function ask(identity: Identity, person: SignedIn, address = newAddress()) {
	const asked = await requestAddressChange(identity.services, person, {
		client: crypto.randomUUID(),
		address,
		keepsAddress: false,
		formId: newFormId(),
		binding: `session ${person.session.id}`,
		page: new URL('/dashboard/settings/address/code', BASE),
		settingsLink: SETTINGS,
	});
	await identity.settled();
	return asked;
}

const mailTo = ({ mails }: Identity, email: string) => mails.findLast(({ to }) => to === email);

/** Whose account an address signs in to: the id of the person. */
const signsInAs = async (identity: Identity, address: Address) =>
	(await newPerson(identity, address)).signedIn.user.id;

/** A person who asked for another address, and what is needed to use the code. */
async function world(from = newAddress(), to = newAddress()) {
	const identity = makeIdentity();
	const person = await newPerson(identity, from);
	const asked = await ask(identity, person.signedIn, to);
	if (asked.kind !== 'sent') throw new Error(asked.kind);
	const { challenge } = asked;
	const code = codeIn(mailTo(identity, to.email));
	const use = async (as = person.signedIn, typed = code) =>
		changeAddress(identity.services, as, { challenge, typed, client: crypto.randomUUID() });
	return { identity, from, to, ...person, challenge, code, use };
}

describe('another address', () => {
	test('is confirmed by its own mailbox, while the present one is told; until then nothing changes', async () => {
		const { identity, from, to, code, signedIn } = await world();
		expect(mailTo(identity, to.email)).toMatchObject({
			text: expect.stringContaining(`${BASE}/dashboard/settings/address/code?code=${code}`),
			headers: { 'OTP-Token': code },
		});
		expect(mailTo(identity, from.email)).toMatchObject({
			subject: 'Your Mailsonar account will change its address',
			text: expect.not.stringContaining(code),
		});
		expect(await signsInAs(identity, from)).toBe(signedIn.user.id);
		expect(await signsInAs(identity, to)).not.toBe(signedIn.user.id);
	});

	test('signs in once it is confirmed, and the former one no longer does; other browsers are signed out', async () => {
		const { identity, from, to, signedIn, token, use } = await world();
		await signsInAs(identity, from);
		expect(await use()).toEqual({ kind: 'changed', email: to.email });
		expect((await findSession(identity.services, token))?.user.email).toBe(to.email);
		const sessions = await identity.services.sessions.list(signedIn.user.id, identity.time.now);
		expect(sessions.map(({ id }) => id)).toEqual([signedIn.session.id]);
		const { accountId } = signedIn.user;
		expect(await identity.services.directory.findAccount(accountId)).toMatchObject({ email: to.email });
		await identity.settled();
		expect(mailTo(identity, from.email)?.subject).toBe('Your Mailsonar account has a new address');
		expect(await signsInAs(identity, to)).toBe(signedIn.user.id);
		expect(await signsInAs(identity, from)).not.toBe(signedIn.user.id);
	});

	test('is confirmed once', async () => {
		const { use } = await world();
		const kinds = (await Promise.all([use(), use()])).map(({ kind }) => kind);
		expect(kinds.toSorted()).toEqual(['changed', 'code_ended']);
		expect((await use()).kind).toBe('code_ended');
	});

	test('is confirmed by nobody but the person who asked, and not by a code to sign in', async () => {
		const { identity, use, to, signedIn } = await world();
		const { signedIn: other } = await newPerson(identity);
		expect((await use(other)).kind).toBe('code_ended');
		expect((await use(signedIn, '000000')).kind).toBe('wrong_code');
		const { challenge, code } = await askFor(identity, to);
		const typed = { challenge, typed: code, client: 'here' };
		expect((await changeAddress(identity.services, signedIn, typed)).kind).toBe('code_ended');
		expect((await use()).kind).toBe('changed');
	});

	test('that differs in letter case alone is a change, too', async () => {
		const from = newAddress();
		const to = addressOf(`P${from.email.slice(1)}`);
		const { identity, signedIn, use } = await world(from, to);
		expect((await ask(identity, signedIn, from)).kind).toBe('same');
		expect(await use()).toEqual({ kind: 'changed', email: to.email });
		expect(await signsInAs(identity, from)).toBe(signedIn.user.id);
	});
});

describe('an address that another person has', () => {
	test('is answered like any other; only its own mailbox learns of it', async () => {
		const identity = makeIdentity();
		const taken = newAddress();
		await newPerson(identity, taken);
		const { signedIn } = await newPerson(identity);
		expect(await ask(identity, signedIn, taken)).toMatchObject({ kind: 'sent', isNew: true });
		expect(await ask(identity, signedIn)).toMatchObject({ kind: 'sent', isNew: true });
		const mail = mailTo(identity, taken.email);
		expect(mail?.subject).toBe('This address already has a Mailsonar account');
		expect(mail?.text).not.toMatch(/\d{6}/);
		expect(mail?.headers).toBeUndefined();
	});

	test('stays theirs, even when they came between the question and the code', async () => {
		const { identity, to, from, use, signedIn } = await world();
		const theirs = await signsInAs(identity, to);
		expect((await use()).kind).toBe('code_ended');
		expect(await signsInAs(identity, from)).toBe(signedIn.user.id);
		expect(await signsInAs(identity, to)).toBe(theirs);
	});
});

test('asking for another address is done five times an hour at most: each sends two mails', async () => {
	const identity = makeIdentity();
	const { signedIn } = await newPerson(identity);
	const kinds: string[] = [];
	for (let n = 0; n < 6; n += 1) kinds.push((await ask(identity, signedIn)).kind);
	expect(kinds).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'throttled']);
});
