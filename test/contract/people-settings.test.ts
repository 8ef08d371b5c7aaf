import { describe, expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import type { Visitor } from '../support/visitor.ts';
import { ops } from './operator.ts';
import { awaitMails, isSignedIn, newCustomer, newPerson, newVisitor, signIn } from './people.ts';

// What somebody who is signed in may change: name, sessions, and the end of the account.

const SETTINGS = '/dashboard/settings';
const service = inject('service');

async function deleteAccount(visitor: Visitor, email: string) {
	return visitor.submit(`${SETTINGS}/delete`, { confirm: email });
}

describe('the name', () => {
	test('is kept, shown and may be emptied again', async () => {
		const { visitor, email } = await newPerson();
		const page = await visitor.submit(SETTINGS, { name: '  Ada Lovelace ' }, `${SETTINGS}/name`);
		expect([page.status, page.location]).toEqual([303, SETTINGS]);
		const { text } = await visitor.get(SETTINGS);
		expect(text).toContain('value="Ada Lovelace"');
		expect(text).toContain('Your name is saved');
		// What was done is said once.
		expect((await visitor.get(SETTINGS)).text).not.toContain('Your name is saved');
		await visitor.submit(SETTINGS, { name: '' }, `${SETTINGS}/name`);
		expect((await visitor.get(SETTINGS)).text).toContain(`>${email}</p>`);
	});

	test.each([
		['101 characters', 'x'.repeat(101)],
		['a line break', 'Ada\nBcc: x'],
		['a character that turns the text around', 'Ada\u202E'],
	])('is refused with %s', async (_, name) => {
		const { visitor } = await newPerson();
		const page = await visitor.submit(SETTINGS, { name }, `${SETTINGS}/name`);
		expect(page.status).toBe(422);
		expect(page.text).toContain('aria-invalid="true"');
		// What was typed, less what no browser shows in a field.
		expect(page.text).toContain(`value="${name.slice(0, 3)}`);
	});
});

test('sessions are listed with this one first; each other can be ended alone, and all with one button', async () => {
	const { visitor, email } = await newPerson();
	const others = [newVisitor(), newVisitor(), newVisitor()];
	for (const [nth, other] of others.entries()) await signIn(other, email, nth + 2);
	const { text } = await visitor.get(SETTINGS);
	const listed = text.slice(text.indexOf('id="sessions"'));
	expect(listed.split('Firefox on Linux')).toHaveLength(5);
	expect(text.match(/name="sessionId" value="ses_/g)).toHaveLength(3);
	const left = async () => Promise.all(others.map(isSignedIn));
	expect((await visitor.submit(SETTINGS, {}, `${SETTINGS}/sessions/revoke`)).location).toBe(SETTINGS);
	expect((await left()).filter(Boolean)).toHaveLength(2);
	await visitor.submit(SETTINGS, {}, `${SETTINGS}/sessions/revoke-others`);
	expect(await left()).toEqual([false, false, false]);
	expect(await isSignedIn(visitor)).toBe(true);
	expect((await visitor.get(SETTINGS)).text).not.toContain('revoke-others');
});

describe('deleting the account', () => {
	test('ends its keys with the next call, its sessions and its person, and tells the address once', async () => {
		const { visitor, email, accountId, apiKey } = await newCustomer();
		const elsewhere = newVisitor();
		await signIn(elsewhere, email, 2);
		expect((await call(service.url, apiKey, 'GET', '/v1/credits')).status).toBe(200);
		const page = await deleteAccount(visitor, email.toUpperCase());
		expect([page.status, page.location]).toEqual([303, '/dashboard/sign-in']);
		expect((await call(service.url, apiKey, 'GET', '/v1/credits')).status).toBe(401);
		expect(await isSignedIn(visitor)).toBe(false);
		expect(await isSignedIn(elsewhere)).toBe(false);
		const [last, ...earlier] = await awaitMails(email, 1);
		expect(last?.subject).toBe('Your Mailsonar account is deleted');
		expect(earlier).toEqual([]);
		const found = await ops('POST', '/find-accounts', { email });
		expect(found.body).toMatchObject({ data: { accounts: [] } });
		const shown = await ops('GET', `/accounts/${accountId}`);
		expect(shown.text).not.toContain(email);
		expect(shown.body).toMatchObject({
			data: { email: '', credits: { balance: 0, totalPurchased: 0 }, keys: [{ revoked: true, label: '' }] },
		});
	});

	test('needs the address', async () => {
		const { visitor, email, apiKey } = await newCustomer();
		for (const typed of ['', `x${email}`]) expect((await deleteAccount(visitor, typed)).status).toBe(422);
		expect(await isSignedIn(visitor)).toBe(true);
		expect((await call(service.url, apiKey, 'GET', '/v1/credits')).status).toBe(200);
	});
});

describe('a suspended account', () => {
	test('has keys that answer 401 until an operator lets it go on; its owner still sees it', async () => {
		const { visitor, accountId, apiKey } = await newCustomer();
		const credits = async (): Promise<number> =>
			(await call(service.url, apiKey, 'GET', '/v1/credits')).status;
		expect((await ops('POST', `/accounts/${accountId}/suspend`)).status).toBe(200);
		expect(await credits()).toBe(401);
		expect((await visitor.get(SETTINGS)).text).toContain('This account is suspended');
		expect((await ops('POST', `/accounts/${accountId}/unsuspend`)).status).toBe(200);
		expect(await credits()).toBe(200);
		expect((await visitor.get(SETTINGS)).text).not.toContain('This account is suspended');
	});
});
