import { describe, expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import type { Visitor } from '../support/visitor.ts';
import { expectFailure } from './api.ts';
import { dataOf, ops } from './operator.ts';
import {
	awaitMails,
	isSignedIn,
	newCustomer,
	newPerson,
	newVisitor,
	signIn,
	mailsTo,
	newKey,
} from './people.ts';

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

test('deleting the account needs its address, ends its keys with the next call, its sessions and its person, and tells the address once', async () => {
	const { visitor, email, accountId, apiKey } = await newCustomer();
	const elsewhere = newVisitor();
	await signIn(elsewhere, email, 2);
	for (const typed of ['', `x${email}`]) expect((await deleteAccount(visitor, typed)).status).toBe(422);
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
	const late = await ops('POST', `/accounts/${accountId}/grants`, { id: 'late', credits: 1 });
	expect(expectFailure(late, 409, 'account_closed')).toContain('closed');
	expect(shown.body).toMatchObject({
		data: { email: '', credits: { balance: 0, totalPurchased: 0 }, keys: [{ revoked: true, label: '' }] },
	});
});

test('a suspended account has keys that answer 401 until an operator lets it go on; its owner still sees it', async () => {
	const { visitor, accountId, apiKey } = await newCustomer();
	const suspend = async () => dataOf(await ops('POST', `/accounts/${accountId}/suspend`));
	expect(await suspend()).toEqual(await suspend());
	const refused = await call(service.url, apiKey, 'GET', '/v1/credits');
	expect(expectFailure(refused, 401, 'account_suspended')).toContain('suspended');
	expect((await visitor.get(SETTINGS)).text).toContain('This account is suspended');
	dataOf(await ops('POST', `/accounts/${accountId}/unsuspend`));
	expect((await call(service.url, apiKey, 'GET', '/v1/credits')).status).toBe(200);
	expect((await visitor.get(SETTINGS)).text).not.toContain('This account is suspended');
});

const ADDRESS = '/dashboard/settings/address';

describe('another address', () => {
	// Who is told, who may confirm it and who signs in then: test/worker/change-address.test.ts; the forms of it:
	// test/browser/story.test.ts.
	test.each([
		['its present one', (email: string) => email, 'This is already your address'],
		['none at all', () => 'ada@', 'There is nothing after the @'],
		['a domain that takes no mail', () => 'ada@null-mx.test', 'This domain takes no mail'],
	])('is refused where it is %s', async (_, typed, says) => {
		const { visitor, email } = await newPerson();
		const page = await visitor.submit(ADDRESS, { email: typed(email) });
		expect([page.status, page.text]).toEqual([422, expect.stringContaining(says)]);
	});
});

// The threshold of low credits, from the form to the mail.

const CREDITS = '/dashboard/credits';
const LOW = `${CREDITS}/low`;
const API = '/dashboard/api';

test('the threshold of low credits is set on the credits page, for webhooks as well, and told once, by mail and on the pages', async () => {
	const { visitor, email } = await newPerson();
	expect((await visitor.get(API)).text).toContain('Set a threshold');
	const wrong = await visitor.submit(CREDITS, { below: '0' }, LOW);
	expect([wrong.status, wrong.text.includes('value="0"')]).toEqual([422, true]);
	const saved = await visitor.submit(CREDITS, { below: '100', mail: 'yes' }, LOW);
	expect([saved.status, saved.location]).toEqual([303, `${CREDITS}#low-balance`]);
	// The figures of another tab are renewed in the meantime, and leave the message to the page.
	expect((await visitor.get(`${CREDITS}/live`)).status).toBe(200);
	const page = (await visitor.get(CREDITS)).text;
	for (const words of ['value="100"', 'The threshold is saved']) expect(page).toContain(words);
	expect((await visitor.get(API)).text).toContain('falls below 100 credits');
	const apiKey = await newKey(visitor);
	expect((await visitor.get('/dashboard')).text).not.toContain('the threshold you set');
	const spend = () => call(service.url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' });
	expect((await spend()).status).toBe(200);
	const [mail] = await awaitMails(email, 2);
	expect(mail?.subject).toBe('Mailsonar: 99 credits are left');
	for (const path of ['/dashboard', CREDITS])
		expect((await visitor.get(path)).text, path).toContain('the threshold you set');
	expect((await spend()).status).toBe(200);
	await visitor.submit(CREDITS, { below: '' }, LOW);
	expect((await visitor.get(API)).text).toContain('Set a threshold');
	expect(await mailsTo(email)).toHaveLength(2);
});
