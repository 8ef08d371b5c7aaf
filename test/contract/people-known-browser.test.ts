import { expect, test } from 'vitest';
import { hiddenFields } from '../support/visitor.ts';
import type { Page, Visitor } from '../support/visitor.ts';
import { PASSWORD, awaitLink, awaitMails, newPerson, newVisitor, signIn } from './people.ts';

// Somebody who wants to keep a person out, and the browser in which the person signed in before.

const BROWSER = '__Host-browser';
const NEW_PASSWORD = 'three kettles humming';

async function signOut(visitor: Visitor): Promise<void> {
	const form = hiddenFields(await visitor.get('/dashboard/settings'), '/dashboard/sign-out');
	await visitor.post('/dashboard/sign-out', form);
}

async function askForReset(visitor: Visitor, email: string): Promise<Page> {
	return visitor.submit('/dashboard/forgotten-password', { email });
}

test('ten wrong passwords and three resets an hour from anywhere keep nobody out of a browser of theirs', async () => {
	const { visitor, email } = await newPerson();
	await signOut(visitor);
	for (let n = 0; n < 10; n += 1) await signIn(newVisitor(), email, 'not my password');
	for (let n = 0; n < 3; n += 1) await askForReset(newVisitor(), email);
	expect((await signIn(newVisitor(), email)).status).toBe(429);
	expect((await askForReset(newVisitor(), email)).status).toBe(429);
	await awaitMails(email, 4);

	expect((await signIn(visitor, email)).status).toBe(303);
	await signOut(visitor);
	expect((await askForReset(visitor, email)).location).toBe('/dashboard/forgotten-password/sent');
	const link = await awaitLink(email, 5);
	const page = await visitor.submit(link, { password: NEW_PASSWORD }, '/dashboard/reset-password');
	expect(page.location).toBe('/dashboard/sign-in');
	expect((await signIn(visitor, email, NEW_PASSWORD)).status).toBe(303);
});

test('what a browser is known by no script, other site or other host ever sees, and it stays after signing out', async () => {
	const { visitor, email } = await newPerson();
	await signOut(visitor);
	const kept = visitor.cookies.get(BROWSER);
	expect(kept).toMatch(/^[\w-]{60,}$/);
	const page = await signIn(visitor, email);
	const [cookie = ''] = page.headers.getSetCookie().filter((line) => line.startsWith(BROWSER));
	for (const word of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(word);
	expect(cookie).not.toMatch(/domain/i);
	expect(Number(/max-age=(\d+)/i.exec(cookie)?.[1])).toBe(180 * 86_400);
});

test('a browser gets nothing to be known by before the right password', async () => {
	const { email } = await newPerson();
	const visitor = newVisitor();
	await signIn(visitor, email, 'not my password');
	await askForReset(visitor, email);
	expect(visitor.cookies.has(BROWSER)).toBe(false);
	await signIn(visitor, email, PASSWORD);
	expect(visitor.cookies.has(BROWSER)).toBe(true);
});
