import { describe, expect, test } from 'vitest';
import {
	PASSWORD,
	awaitLink,
	awaitMails,
	isSignedIn,
	newEmail,
	newPerson,
	newVisitor,
	signIn,
} from './people.ts';

// Moving to another address, by the links that the mails really carry.

const ADDRESS = '/dashboard/settings/address';

describe('another address', () => {
	test('is asked for with the password, confirmed from its mailbox, and signs in from then on', async () => {
		const { visitor, email } = await newPerson();
		const elsewhere = newVisitor();
		await signIn(elsewhere, email);
		const to = newEmail();
		const wrong = await visitor.submit(ADDRESS, { email: to, current: 'not my password' });
		expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This is not your password')]);
		const asked = await visitor.submit(ADDRESS, { email: to, current: PASSWORD });
		expect([asked.status, asked.location]).toEqual([303, `${ADDRESS}/sent`]);
		const [told] = await awaitMails(email, 2);
		expect(told?.subject).toBe('Your Mailsonar account will change its address');
		const link = await awaitLink(to);
		// Whoever is not signed in has to sign in first, with the address of before.
		const stranger = newVisitor();
		expect((await stranger.get(link)).location).toBe(`/dashboard/sign-in?next=${encodeURIComponent(link)}`);
		expect((await visitor.get(link)).text).toContain(to);
		const changed = await visitor.submit(link, {}, `${ADDRESS}/confirm`);
		expect([changed.status, changed.location]).toEqual([303, '/dashboard/settings']);
		expect((await visitor.get('/dashboard/settings')).text).toContain(`Your address is now ${to}`);
		expect(await isSignedIn(elsewhere)).toBe(false);
		expect((await signIn(newVisitor(), email)).status).toBe(422);
		expect((await signIn(newVisitor(), to)).location).toBe('/dashboard');
		expect((await visitor.get(link)).status).toBe(410);
	});

	test('that another person has gets the same answer, and no link', async () => {
		const [{ visitor }, other] = [await newPerson(), await newPerson()];
		const asked = await visitor.submit(ADDRESS, { email: other.email, current: PASSWORD });
		expect([asked.status, asked.location]).toEqual([303, `${ADDRESS}/sent`]);
		const [mail] = await awaitMails(other.email, 2);
		expect(mail).toEqual({ subject: 'This address already has a Mailsonar account', link: null });
	});

	test.each([
		['its present one', (email: string) => email, 'This is already your address'],
		['none at all', () => 'ada@', 'There is nothing after the @'],
		['a domain that takes no mail', () => 'ada@null-mx.test', 'This domain takes no mail'],
		['a domain that does not exist', () => 'ada@no-such-domain.invalid', 'This domain takes no mail'],
	])('is refused where it is %s', async (_, typed, says) => {
		const { visitor, email } = await newPerson();
		const page = await visitor.submit(ADDRESS, { email: typed(email), current: PASSWORD });
		expect([page.status, page.text]).toEqual([422, expect.stringContaining(says)]);
	});
});
