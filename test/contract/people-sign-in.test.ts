import { describe, expect, inject, test } from 'vitest';
import { hiddenFields } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import { ops } from './operator.ts';
import {
	CODE,
	SIGN_IN,
	ask,
	awaitCode,
	awaitMails,
	isSignedIn,
	mailsTo,
	newEmail,
	newPerson,
	newVisitor,
	signIn,
	type,
} from './people.ts';

// Opening an account and signing in by the code of a mail, as the forms and cookies of a browser do.

const SESSION = '__Host-session';
const TRIAL_CREDITS = 100;

/** What a stranger sees, without the address that was typed and the form's token, which differs each time. */
function seen({ status, text, location, headers }: Page, email: string): unknown {
	const same = text.replaceAll(email, '…').replaceAll(/name="csrf" value="[^"]*"/g, '');
	const names = [...headers.keys()].filter((name) => name !== 'x-request-id' && name !== 'date');
	return { status, location, text: same, names };
}

/** The accounts of an address as operators find them. */
async function accountsOf(email: string): Promise<readonly { accountId: string; userId: string | null }[]> {
	const { body } = await ops('POST', '/find-accounts', { email });
	return (body as { data: { accounts: { accountId: string; userId: string | null }[] } }).data.accounts;
}

async function creditsOf(accountId: string): Promise<{ balance: number; transactionCount: number }> {
	const { body } = await ops('GET', `/accounts/${accountId}`);
	return (body as { data: { credits: { balance: number; transactionCount: number } } }).data.credits;
}

describe('asking for a code', () => {
	test('says where it was sent, and makes nothing before it is typed', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		expect((await visitor.get('/dashboard/sign-up')).location).toBe(SIGN_IN);
		const page = await ask(visitor, email);
		expect([page.status, page.location]).toEqual([303, CODE]);
		expect((await visitor.get(CODE)).text).toContain(email);
		await awaitMails(email, 1);
		expect(await isSignedIn(visitor)).toBe(false);
		expect(await accountsOf(email)).toEqual([]);
	});

	test('answers the same whether the address has an account or not', async () => {
		const { email } = await newPerson();
		const unknown = newEmail();
		const answers = await Promise.all(
			[email, unknown].map(async (address) => {
				const visitor = newVisitor();
				return [await ask(visitor, address), await visitor.get(CODE), await type(visitor, 'abcdef')].map(
					(page) => seen(page, address),
				);
			}),
		);
		expect(answers[0]).toEqual(answers[1]);
		const [of, other] = [await awaitMails(email, 2), await awaitMails(unknown, 1)];
		const words = [of, other].map(([mail]) => mail?.subject.replace(/\d{6}/, '…'));
		expect(words).toEqual(['… is your Mailsonar code', '… is your Mailsonar code']);
	});

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
		const [account] = await accountsOf(email);
		const credits = await creditsOf(account?.accountId ?? '');
		expect(credits).toMatchObject({ balance: TRIAL_CREDITS, transactionCount: 1 });
	});

	test.each([
		['/dashboard/settings?x=1', '/dashboard/settings?x=1'],
		['https://evil.test/dashboard', '/dashboard'],
	])('goes on to a page of the dashboard only: %s', async (next, expected) => {
		const [visitor, email] = [newVisitor(), newEmail()];
		const asked = await visitor.submit(`${SIGN_IN}?next=${encodeURIComponent(next)}`, { email }, SIGN_IN);
		const code = await awaitCode(email);
		const page = await visitor.submit(asked.location ?? '', { code }, CODE);
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

test('signing out ends the session at once, also for a copy of its cookie, and may be repeated', async () => {
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

// Forms from elsewhere, and our own files. Every route of the pages: test/worker/page-routes.test.ts; the size of a form:
// test/worker/bombs.test.ts.

const FORMS = [
	['/dashboard/sign-in', '/dashboard/sign-in', { email: 'ada@inbox.test' }],
	['/dashboard/sign-in', '/dashboard/sign-in/code', { code: '123456' }],
	['/dashboard/sign-in', '/dashboard/sign-in/code/again', {}],
] as const;

describe('a form of a stranger', () => {
	test.each(FORMS)('is refused from elsewhere, and without a token of this browser: %s', async (...form) => {
		const [page, action, fields] = form;
		const [visitor, other, email] = [newVisitor(), newVisitor(), newEmail()];
		const own = { ...hiddenFields(await visitor.get(page), page), ...fields, email };
		const refused = await visitor.post(action, own, { origin: 'https://evil.test' });
		expect([refused.status, refused.text]).toEqual([
			403,
			expect.stringContaining('This form came from another site. Nothing was changed.'),
		]);
		const foreign = hiddenFields(await other.get(page), page);
		for (const token of [{}, { csrf: '' }, { csrf: 'x' }, foreign])
			expect((await visitor.post(action, { ...fields, email, ...token })).status).toBe(403);
		expect(await mailsTo(email)).toEqual([]);
	});

	test('has a token that differs in every rendering, so that a compressed page does not tell it', async () => {
		const visitor = newVisitor();
		const tokens = new Set<string>();
		for (let n = 0; n < 5; n += 1)
			tokens.add(hiddenFields(await visitor.get('/dashboard/sign-in'), '/dashboard/sign-in')['csrf'] ?? '');
		expect(tokens.size).toBe(5);
	});
});

test.each([
	['JSON', 'application/json', JSON.stringify({ email: 'ada@inbox.test' })],
	['plain text', 'text/plain', 'email=ada@inbox.test'],
])('a form that is none is a 400: %s', async (_, mediaType, body) => {
	const visitor = newVisitor();
	await visitor.get('/dashboard/sign-in');
	const response = await fetch(new URL('/dashboard/sign-in', inject('service').url), {
		method: 'POST',
		body,
		headers: { 'content-type': mediaType, 'sec-fetch-site': 'same-origin' },
	});
	expect(response.status).toBe(400);
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
