import { describe, expect, test } from 'vitest';
import { hiddenFields } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import { ops } from './operator.ts';
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

// Signing up, and confirming the address by the link of a mail.

const TRIAL_CREDITS = 100;

/** The accounts of an address as operators find them. */
async function accountsOf(email: string): Promise<readonly { accountId: string; userId: string | null }[]> {
	const { body } = await ops('POST', '/find-accounts', { email });
	return (body as { data: { accounts: { accountId: string; userId: string | null }[] } }).data.accounts;
}

async function creditsOf(accountId: string): Promise<{ balance: number; transactionCount: number }> {
	const { body } = await ops('GET', `/accounts/${accountId}`);
	return (body as { data: { credits: { balance: number; transactionCount: number } } }).data.credits;
}

/** Everything a stranger sees of an answer. */
function seen({ status, location, text, headers }: Page): unknown {
	const names = [...headers.keys()].filter((name) => name !== 'x-request-id' && name !== 'date');
	return { status, location, text, names };
}

describe('signing up', () => {
	test('asks to look into the mail, and nothing exists before its link is used', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		const page = await signUp(visitor, email);
		expect([page.status, page.location]).toEqual([303, '/dashboard/sign-up/sent']);
		await awaitMails(email, 1);
		expect(await isSignedIn(visitor)).toBe(false);
		expect(await accountsOf(email)).toEqual([]);
		const early = await signIn(newVisitor(), email);
		expect(early.status).toBe(422);
		expect(early.text).toContain('Email or password is wrong');
	});

	test('answers the same whether the address has an account or not, and tells its owner by mail', async () => {
		const { email } = await newPerson();
		const unknown = newEmail();
		const [one, two] = [await signUp(newVisitor(), email), await signUp(newVisitor(), unknown)];
		expect(seen(one)).toEqual(seen(two));
		await awaitMails(unknown, 1);
		const [mail] = await awaitMails(email, 2);
		expect(mail?.subject).toBe('You already have a Mailsonar account');
	});

	test('with the address of an account changes neither its password nor its sessions', async () => {
		const { visitor, email } = await newPerson();
		await signUp(newVisitor(), email.toUpperCase(), 'another otter quilt');
		await awaitMails(email, 2);
		expect(await isSignedIn(visitor)).toBe(true);
		expect((await signIn(newVisitor(), email, 'another otter quilt')).status).toBe(422);
	});

	test('sent twice by one form sends one mail', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		const form = hiddenFields(await visitor.get('/dashboard/sign-up'), '/dashboard/sign-up');
		const sent = { ...form, email, password: PASSWORD };
		const pages = await Promise.all([
			visitor.post('/dashboard/sign-up', sent),
			visitor.post('/dashboard/sign-up', sent),
		]);
		expect(pages.map(({ status }) => status)).toEqual([303, 303]);
		await awaitMails(email, 1);
		// A form of another visitor, sent later, is answered after both.
		const other = newEmail();
		await signUp(newVisitor(), other);
		await awaitMails(other, 1);
		expect(await mailsTo(email)).toHaveLength(1);
	});

	test.each([
		['no address', { email: '', password: PASSWORD }, 'Enter your email address'],
		['no address at all', { password: PASSWORD }, 'Enter your email address'],
		['what is no address', { email: 'ada', password: PASSWORD }, 'The address has no @'],
		[
			'a second header',
			{ email: 'a@inbox.test\r\nBcc: b@inbox.test', password: PASSWORD },
			'control character',
		],
		['a throw-away address', { email: 'ada@mailinator.com', password: PASSWORD }, 'disposable address'],
		['a slip of the finger', { email: 'ada@gmial.com', password: PASSWORD }, 'Did you mean ada@gmail.com?'],
		['no password', { email: 'ada@inbox.test', password: '' }, 'Enter your password'],
		['seven characters', { email: 'ada@inbox.test', password: 'x9!kqz7' }, 'at least 8 characters'],
		['257 characters', { email: 'ada@inbox.test', password: 'vo7 '.repeat(65).slice(0, 257) }, 'at most 256'],
		['a common password', { email: 'ada@inbox.test', password: 'Password123!' }, 'tried first'],
		[
			'the address itself',
			{ email: 'ada.long@inbox.test', password: 'ada.long1' },
			'too close to your email',
		],
	])('says beside the field what is wrong: %s', async (_, fields, words) => {
		const page = await newVisitor().submit('/dashboard/sign-up', fields);
		expect(page.status, page.text).toBe(422);
		expect(page.text).toContain(words);
		expect(page.text).toContain('aria-invalid="true"');
		expect(page.text).not.toContain(`value="${fields.password}"`);
	});

	test('with a likely slip of the finger goes on where the person insists', async () => {
		const visitor = newVisitor();
		const email = `p${Date.now()}@gmial.com`;
		const asked = await signUp(visitor, email);
		const form = hiddenFields(asked, '/dashboard/sign-up');
		expect(form['keep']).toBe(email);
		// The list of throw-away domains does not have it (docs/decisions/0005).
		const page = await visitor.post('/dashboard/sign-up', { ...form, email, password: PASSWORD });
		expect(page.location).toBe('/dashboard/sign-up/sent');
	});
});

describe('confirming', () => {
	test('opens an account with trial credits and signs in', async () => {
		const { visitor, email } = await newPerson();
		expect(await isSignedIn(visitor)).toBe(true);
		const [account] = await accountsOf(email);
		expect(await creditsOf(account?.accountId ?? '')).toMatchObject({
			balance: TRIAL_CREDITS,
			transactionCount: 1,
		});
	});

	test('needs the button: opening the link, as mail scanners do, changes nothing', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		await signUp(visitor, email);
		const link = await awaitLink(email);
		for (let n = 0; n < 3; n += 1) expect((await newVisitor().get(link)).status).toBe(200);
		expect(await accountsOf(email)).toEqual([]);
		const page = await visitor.submit(link, {}, '/dashboard/confirm');
		expect(page.location).toBe('/dashboard');
	});

	test('in another browser needs the password, so that nobody confirms a stranger’s', async () => {
		const email = newEmail();
		await signUp(newVisitor(), email);
		const link = await awaitLink(email);
		const elsewhere = newVisitor();
		const without = await elsewhere.submit(link, {}, '/dashboard/confirm');
		expect(without.status).toBe(422);
		const wrong = await elsewhere.submit(link, { password: 'another otter quilt' }, '/dashboard/confirm');
		expect(wrong.status).toBe(422);
		expect(await accountsOf(email)).toEqual([]);
		const right = await elsewhere.submit(link, { password: PASSWORD }, '/dashboard/confirm');
		expect(right.location).toBe('/dashboard');
		expect(await isSignedIn(elsewhere)).toBe(true);
	});

	test('ten times at once makes one account, grants once and signs in once', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		await signUp(visitor, email);
		const form = hiddenFields(await visitor.get(await awaitLink(email)), '/dashboard/confirm');
		const pages = await Promise.all(
			Array.from({ length: 10 }, () => visitor.post('/dashboard/confirm', form)),
		);
		expect(pages.filter(({ status }) => status === 303)).toHaveLength(1);
		expect(pages.filter(({ status }) => status === 410)).toHaveLength(9);
		const accounts = await accountsOf(email);
		expect(accounts).toHaveLength(1);
		expect(await creditsOf(accounts[0]?.accountId ?? '')).toMatchObject({
			balance: TRIAL_CREDITS,
			transactionCount: 1,
		});
	});

	test('works once: used again, the link signs nobody in', async () => {
		const [visitor, email] = [newVisitor(), newEmail()];
		await signUp(visitor, email);
		const link = await awaitLink(email);
		const thief = newVisitor();
		const form = hiddenFields(await thief.get(link), '/dashboard/confirm');
		await visitor.submit(link, {}, '/dashboard/confirm');
		const again = await thief.post('/dashboard/confirm', { ...form, password: PASSWORD });
		expect(again.status).toBe(410);
		expect((await newVisitor().get(link)).status).toBe(410);
		expect(await isSignedIn(thief)).toBe(false);
	});

	test('a second sign-up of the same address ends with the first confirmation', async () => {
		const [first, second, email] = [newVisitor(), newVisitor(), newEmail()];
		await signUp(first, email);
		const link = await awaitLink(email);
		await signUp(second, email, 'another otter quilt');
		const secondLink = await awaitLink(email, 2);
		expect((await first.submit(link, {}, '/dashboard/confirm')).location).toBe('/dashboard');
		expect((await second.submit(secondLink, {}, '/dashboard/confirm')).status).toBe(410);
		expect((await signIn(newVisitor(), email, 'another otter quilt')).status).toBe(422);
		expect(await accountsOf(email)).toHaveLength(1);
	});

	test.each(['', 'x', 'A'.repeat(43), '%00', "' OR 1=1 --"])(
		'of an invented link is a 410: %j',
		async (token) => {
			const page = await newVisitor().get(`/dashboard/confirm?token=${encodeURIComponent(token)}`);
			expect(page.status).toBe(410);
		},
	);

	test('takes over the account that an operator made for the address, with its credits and no further ones', async () => {
		const email = newEmail();
		const created = await ops('POST', '/accounts', { email: email.toUpperCase(), credits: 7 });
		const { accountId } = (created.body as { data: { accountId: string } }).data;
		await newPerson(email);
		expect(await accountsOf(email)).toEqual([
			expect.objectContaining({ accountId, userId: expect.stringMatching(/^usr_/) }),
		]);
		expect(await creditsOf(accountId)).toMatchObject({ balance: 7, transactionCount: 1 });
	});
});
