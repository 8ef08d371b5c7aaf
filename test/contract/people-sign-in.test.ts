import { describe, expect, inject, test } from 'vitest';
import { Visitor, hiddenFields } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import {
	PASSWORD,
	awaitLink,
	awaitMails,
	isSignedIn,
	mailsTo,
	newEmail,
	newPerson,
	newVisitor,
	signIn,
	signUp,
} from './people.ts';

// Signing in and out, throttles, and a new password by mail.

const SESSION = '__Host-session';
const NEW_PASSWORD = 'three kettles humming';

/** What a stranger sees, without the address that was typed and the form's token, which differs each time. */
function seen({ status, text, location }: Page, email: string): unknown {
	const same = text.replaceAll(email, '…').replaceAll(/name="csrf" value="[^"]*"/g, '');
	return { status, location, text: same };
}

async function requestReset(visitor: Visitor, email: string): Promise<Page> {
	return visitor.submit('/dashboard/forgotten-password', { email });
}

describe('signing in', () => {
	test('begins a session whose cookie scripts, other sites and other hosts never see', async () => {
		const { email } = await newPerson();
		const visitor = newVisitor();
		const page = await signIn(visitor, email);
		expect([page.status, page.location]).toEqual([303, '/dashboard']);
		const [cookie = ''] = page.headers.getSetCookie().filter((line) => line.startsWith(SESSION));
		for (const word of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(word);
		expect(cookie).not.toMatch(/domain/i);
		expect(await isSignedIn(visitor)).toBe(true);
	});

	test('takes the address in any letter case', async () => {
		const { email } = await newPerson();
		expect((await signIn(newVisitor(), email.toUpperCase())).status).toBe(303);
	});

	test('never takes over a token that the browser brought along', async () => {
		const { email } = await newPerson();
		const visitor = newVisitor();
		const planted = 'A'.repeat(43);
		visitor.cookies.set(SESSION, planted);
		await signIn(visitor, email);
		const token = visitor.cookies.get(SESSION);
		expect(token).not.toBe(planted);
		const attacker = newVisitor();
		attacker.cookies.set(SESSION, planted);
		expect(await isSignedIn(attacker)).toBe(false);
	});

	test('again in the same browser ends the session before', async () => {
		const { email } = await newPerson();
		const visitor = newVisitor();
		// The form was opened in another tab before the first of the two was sent.
		const form = hiddenFields(await visitor.get('/dashboard/sign-in'), '/dashboard/sign-in');
		const before = new Map(visitor.cookies);
		await signIn(visitor, email);
		const copy = newVisitor();
		copy.cookies.set(SESSION, visitor.cookies.get(SESSION) ?? '');
		expect(await isSignedIn(copy)).toBe(true);
		await visitor.post(
			'/dashboard/sign-out',
			hiddenFields(await visitor.get('/dashboard/settings'), '/dashboard/sign-out'),
		);
		for (const [name, value] of before) visitor.cookies.set(name, value);
		expect((await visitor.post('/dashboard/sign-in', { ...form, email, password: PASSWORD })).status).toBe(
			303,
		);
		expect(await isSignedIn(copy)).toBe(false);
	});

	test('refuses a wrong password and an unknown address with the same page', async () => {
		const { email } = await newPerson();
		const unknown = newEmail();
		const wrong = seen(await signIn(newVisitor(), email, NEW_PASSWORD), email);
		expect(wrong).toMatchObject({ status: 422 });
		expect(seen(await signIn(newVisitor(), unknown, NEW_PASSWORD), unknown)).toEqual(wrong);
	});

	test('stops after ten wrong passwords for an address, from wherever they come, also where nobody has it', async () => {
		const { email } = await newPerson();
		for (const victim of [email, newEmail()]) {
			const statuses: number[] = [];
			for (let n = 0; n < 11; n += 1)
				statuses.push((await signIn(newVisitor(), victim, NEW_PASSWORD)).status);
			expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
			const right = await signIn(newVisitor(), victim);
			expect(right.status).toBe(429);
			expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
			expect(right.text).toContain('Try again in');
		}
	});

	test('forgets wrong passwords once the right one came', async () => {
		const { email } = await newPerson();
		for (let round = 0; round < 2; round += 1) {
			for (let n = 0; n < 9; n += 1) await signIn(newVisitor(), email, NEW_PASSWORD);
			expect((await signIn(newVisitor(), email)).status).toBe(303);
		}
	});

	test('stops a client after fifty attempts, and lets others in', async () => {
		const { email } = await newPerson();
		const visitor = newVisitor();
		// The form is read first, then the password is not even looked at: attempts count before anything is done.
		const form = hiddenFields(await visitor.get('/dashboard/sign-in'), '/dashboard/sign-in');
		const attempt = async (n: number): Promise<number> => {
			const sent = { ...form, email: `nobody${n}@inbox.test`, password: NEW_PASSWORD };
			return (await visitor.post('/dashboard/sign-in', sent)).status;
		};
		const statuses: number[] = [];
		for (let n = 0; n < 50; n += 1) statuses.push(await attempt(n));
		expect(new Set(statuses)).toEqual(new Set([422]));
		expect(await attempt(50)).toBe(429);
		expect((await signIn(newVisitor(), email)).status).toBe(303);
	});

	test.each([
		['/dashboard/settings?x=1', '/dashboard/settings?x=1'],
		['https://evil.test/dashboard', '/dashboard'],
		['//evil.test/dashboard', '/dashboard'],
		['/dashboard/../v1/credits', '/dashboard'],
		['/dashboardish', '/dashboard'],
		['javascript:alert(1)', '/dashboard'],
		['/dashboard\\@evil.test', '/dashboard'],
	])('goes on to a page of the dashboard only: %s', async (next, expected) => {
		const { email } = await newPerson();
		const page = await newVisitor().submit(
			`/dashboard/sign-in?next=${encodeURIComponent(next)}`,
			{
				email,
				password: PASSWORD,
			},
			'/dashboard/sign-in',
		);
		expect(page.location).toBe(expected);
	});

	test('leads back to the page whose form was sent too late, and to no page of others', async () => {
		const { url } = inject('service');
		const send = async (referer: string) =>
			(await newVisitor().post('/dashboard/settings/name', { name: 'Ada' }, { referer })).location;
		expect(await send(`${url}/dashboard/settings?x=1`)).toBe(
			`/dashboard/sign-in?next=${encodeURIComponent('/dashboard/settings?x=1')}`,
		);
		expect(await send('https://evil.test/dashboard')).toBe('/dashboard/sign-in');
		expect(await send('')).toBe('/dashboard/sign-in');
	});
});

describe('signing out', () => {
	test('ends the session at once, also for a copy of its cookie, and may be repeated', async () => {
		const { visitor } = await newPerson();
		const copy = newVisitor();
		copy.cookies.set(SESSION, visitor.cookies.get(SESSION) ?? '');
		expect(await isSignedIn(copy)).toBe(true);
		const form = hiddenFields(await visitor.get('/dashboard/settings'), '/dashboard/sign-out');
		expect((await visitor.post('/dashboard/sign-out', form)).location).toBe('/dashboard/sign-in');
		expect(await isSignedIn(visitor)).toBe(false);
		expect(await isSignedIn(copy)).toBe(false);
		expect((await visitor.post('/dashboard/sign-out', form)).location).toBe('/dashboard/sign-in');
	});
});

describe('a new password by mail', () => {
	test('replaces the old one, signs every browser out and nobody in', async () => {
		const { visitor, email } = await newPerson();
		const asking = newVisitor();
		await requestReset(asking, email);
		const link = await awaitLink(email, 2);
		const page = await asking.submit(link, { password: NEW_PASSWORD }, '/dashboard/reset-password');
		expect(page.location).toBe('/dashboard/sign-in');
		expect(await isSignedIn(visitor)).toBe(false);
		expect(await isSignedIn(asking)).toBe(false);
		expect((await signIn(newVisitor(), email)).status).toBe(422);
		expect((await signIn(newVisitor(), email, NEW_PASSWORD)).status).toBe(303);
		const [told] = await awaitMails(email, 3);
		expect(told?.subject).toBe('Your Mailsonar password was changed');
	});

	test('is a way in at once for who was shut out by the guesses of others', async () => {
		const { email } = await newPerson();
		for (let n = 0; n < 10; n += 1) await signIn(newVisitor(), email, 'not my password');
		expect((await signIn(newVisitor(), email)).status).toBe(429);
		const visitor = newVisitor();
		await requestReset(visitor, email);
		await visitor.submit(await awaitLink(email, 2), { password: NEW_PASSWORD }, '/dashboard/reset-password');
		expect((await signIn(visitor, email, NEW_PASSWORD)).status).toBe(303);
	});

	test('is promised to everybody in the same words, and sent to those who have an account', async () => {
		const { email } = await newPerson();
		const unknown = newEmail();
		const known = seen(await requestReset(newVisitor(), email), email);
		expect(known).toMatchObject({ status: 303, location: '/dashboard/forgotten-password/sent' });
		expect(seen(await requestReset(newVisitor(), unknown), unknown)).toEqual(known);
		await awaitMails(email, 2);
		expect(await mailsTo(unknown)).toEqual([]);
	});

	test('works once, ten times at once as well, and ends all other links', async () => {
		const { email } = await newPerson();
		const visitor = newVisitor();
		await requestReset(visitor, email);
		const earlier = await awaitLink(email, 2);
		await requestReset(visitor, email);
		const link = await awaitLink(email, 3);
		const form = hiddenFields(await visitor.get(link), '/dashboard/reset-password');
		const pages = await Promise.all(
			Array.from({ length: 10 }, (_, n) =>
				visitor.post('/dashboard/reset-password', { ...form, password: `${NEW_PASSWORD} ${n}` }),
			),
		);
		expect(pages.filter(({ status }) => status === 303)).toHaveLength(1);
		expect(pages.filter(({ status }) => status === 410)).toHaveLength(9);
		expect((await newVisitor().get(earlier)).status).toBe(410);
		expect((await newVisitor().get(link)).status).toBe(410);
	});

	test('a link that confirms an address changes no password, and the other way round', async () => {
		const { email } = await newPerson();
		const stranger = newEmail();
		await signUp(newVisitor(), stranger);
		const confirm = await awaitLink(stranger);
		await requestReset(newVisitor(), email);
		const reset = await awaitLink(email, 2);
		const swapped = [
			confirm.replace('confirm', 'reset-password'),
			reset.replace('reset-password', 'confirm'),
		];
		for (const link of swapped) expect((await newVisitor().get(link)).status).toBe(410);
	});

	test('refuses a weak one and keeps the link', async () => {
		const { email } = await newPerson();
		const visitor = newVisitor();
		await requestReset(visitor, email);
		const link = await awaitLink(email, 2);
		const weak = await visitor.submit(link, { password: 'qwertyuiop' }, '/dashboard/reset-password');
		expect(weak.status).toBe(422);
		const page = await visitor.submit(link, { password: NEW_PASSWORD }, '/dashboard/reset-password');
		expect(page.status).toBe(303);
	});

	test('is sent three times an hour at most, and the refusal says nothing about the account', async () => {
		const { email } = await newPerson();
		const unknown = newEmail();
		for (const address of [email, unknown]) {
			for (let n = 0; n < 3; n += 1) expect((await requestReset(newVisitor(), address)).status).toBe(303);
			expect((await requestReset(newVisitor(), address)).status).toBe(429);
		}
		expect(await awaitMails(email, 4)).toHaveLength(4);
	});

	test('has links of our own address, whatever a request calls us', async () => {
		const { email } = await newPerson();
		const visitor = new Visitor(inject('service').url);
		const form = hiddenFields(
			await visitor.get('/dashboard/forgotten-password'),
			'/dashboard/forgotten-password',
		);
		const lie = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' };
		await visitor.post('/dashboard/forgotten-password', { ...form, email }, lie);
		expect(await awaitLink(email, 2)).toMatch(/^\/dashboard\/reset-password\?token=[\w-]{43}$/);
	});
});
