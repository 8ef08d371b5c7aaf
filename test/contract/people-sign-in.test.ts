import { describe, expect, inject, test } from 'vitest';
import { hiddenFields } from '../support/visitor.ts';
import { creditsOf, ops } from './operator.ts';
import {
	CODE,
	SIGN_IN,
	ask,
	awaitCode,
	awaitMails,
	isSignedIn,
	newEmail,
	newPerson,
	newVisitor,
	signIn,
	type,
} from './people.ts';

// Opening an account and signing in by the code of a mail, as the forms and cookies of a browser do.

const SESSION = '__Host-session';
const TRIAL_CREDITS = 100;

describe('asking for a code', () => {
	test('says where it was sent, and makes nothing before it is typed', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		expect((await visitor.get('/dashboard/sign-up')).location).toBe(SIGN_IN);
		const page = await ask(visitor, email);
		expect([page.status, page.location]).toEqual([303, CODE]);
		expect((await visitor.get(CODE)).text).toContain(email);
		await awaitMails(email, 1);
		expect(await isSignedIn(visitor)).toBe(false);
		expect((await ops('POST', '/find-accounts', { email })).body).toMatchObject({ data: { accounts: [] } });
	});

	// With the same answer whether the address has an account or not: test/worker/codes.test.ts.
	test.each([
		['no address', '', 'Enter your email address'],
		['what is no address', 'ada', 'The address has no @'],
		['a second header', 'a@inbox.test\r\nBcc: b@inbox.test', 'control character'],
		['a throw-away address', 'ada@mailinator.com', 'disposable address'],
		['a domain that takes no mail', 'ada@null-mx.test', 'This domain takes no mail'],
		['a slip of the finger', 'ada@gmial.com', 'Did you mean ada@gmail.com?'],
	])('says beside the field what is wrong: %s', async (_, email, words) => {
		const page = await ask(newVisitor(), email);
		expect(page.status, page.text).toBe(422);
		expect(page.text).toContain(words);
		expect(page.text).toContain('aria-invalid="true"');
	});

	test('with a likely slip of the finger goes on where the person insists', async () => {
		const visitor = newVisitor();
		const email = `p${Date.now()}@gmial.com`;
		const form = hiddenFields(await ask(visitor, email), SIGN_IN);
		expect(form['keep']).toBe(email);
		// The list of throw-away domains does not have it (docs/decisions.md).
		expect((await visitor.post(SIGN_IN, { ...form, email })).location).toBe(CODE);
	});

	test('again from the page of the code has to wait half a minute', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		await ask(visitor, email);
		const early = await visitor.submit(CODE, {}, '/dashboard/sign-in/code/again');
		expect([early.status, Number(early.headers.get('retry-after')) <= 30]).toEqual([429, true]);
		await type(visitor, await awaitCode(email));
		expect(await isSignedIn(visitor)).toBe(true);
	});
});

describe('the right code', () => {
	test('opens an account with trial credits, and begins a session whose cookie nobody else sees', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		const page = await signIn(visitor, email, 1);
		expect([page.status, page.location]).toEqual([303, '/dashboard']);
		const [cookie = ''] = page.headers.getSetCookie().filter((line) => line.startsWith(SESSION));
		for (const word of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/', `Max-Age=${30 * 86_400}`])
			expect(cookie).toContain(word);
		expect(cookie).not.toMatch(/domain/i);
		expect(visitor.cookies.has('__Host-code')).toBe(false);
		expect(await isSignedIn(visitor)).toBe(true);
		expect(await creditsOf(email)).toMatchObject({ balance: TRIAL_CREDITS, transactionCount: 1 });
	});

	// To one of the dashboard only: test/worker/page-routes.test.ts.
	test('goes on to the page that was asked for', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		const next = '/dashboard/settings?x=1';
		const asked = await visitor.submit(`${SIGN_IN}?next=${encodeURIComponent(next)}`, { email }, SIGN_IN);
		const page = await visitor.submit(asked.location ?? '', { code: await awaitCode(email) }, CODE);
		expect(page.location).toBe(next);
	});

	test('leads back to the page whose form was sent too late, and to no page of others', async () => {
		const { url } = inject('service');
		const send = async (referer: string) =>
			(await newVisitor().post('/dashboard/settings/name', { name: 'Ada' }, { referer })).location;
		expect(await send(`${url}/dashboard/settings?x=1`)).toBe(
			`/dashboard/sign-in?next=${encodeURIComponent('/dashboard/settings?x=1')}`,
		);
		for (const referer of ['https://evil.test/dashboard', '']) expect(await send(referer)).toBe(SIGN_IN);
	});
});

test('signing out ends the session at once, also for a copy of its cookie, and may be repeated', async () => {
	const { visitor } = await newPerson();
	const copy = newVisitor();
	copy.cookies.set(SESSION, visitor.cookies.get(SESSION) ?? '');
	expect(await isSignedIn(copy)).toBe(true);
	const form = hiddenFields(await visitor.get('/dashboard/settings'), '/dashboard/sign-out');
	for (let n = 0; n < 2; n += 1) {
		expect((await visitor.post('/dashboard/sign-out', form)).location).toBe(SIGN_IN);
		expect([await isSignedIn(visitor), await isSignedIn(copy)]).toEqual([false, false]);
	}
});

// Forms from elsewhere: test/worker/page-routes.test.ts, test/unit/dashboard; the size of a form: test/worker/bombs.test.ts.
describe('a form', () => {
	test('has a token that differs in every rendering, so that a compressed page does not tell it', async () => {
		const visitor = newVisitor();
		const tokens = new Set<string>();
		for (let n = 0; n < 5; n += 1)
			tokens.add(hiddenFields(await visitor.get(SIGN_IN), SIGN_IN)['csrf'] ?? '');
		expect(tokens.size).toBe(5);
	});

	test.each(['application/json', 'text/plain'])('that is sent as %s is a 400', async (mediaType) => {
		const answer = await newVisitor().post(
			SIGN_IN,
			{ email: 'ada@inbox.test' },
			{ 'content-type': mediaType },
		);
		expect(answer.status).toBe(400);
	});
});

test('files of ours are kept for good under a name of their content, and nothing else is served', async () => {
	const { text } = await newVisitor().get('/dashboard/sign-in');
	const style = /href="(\/assets\/[^"]+\.css)"/.exec(text)?.[1] ?? '';
	const file = await newVisitor().get(style);
	expect(file.status).toBe(200);
	expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
	expect(file.headers.get('content-type')).toMatch(/^text\/css/);
	expect((await newVisitor().get('/assets/nothing.css')).status).toBe(404);
});
