import { describe, expect, test } from 'vitest';
import { awaitMails, isSignedIn, newEmail, newPerson, newVisitor, signIn } from './people.ts';

// Moving to another address, by the codes that the mails really carry.

const ADDRESS = '/dashboard/settings/address';

describe('another address', () => {
	test('is asked for, confirmed from its mailbox in this browser, and signs in from then on', async () => {
		const { visitor, email } = await newPerson();
		const elsewhere = newVisitor();
		await signIn(elsewhere, email, 2);
		const to = newEmail();
		const asked = await visitor.submit(ADDRESS, { email: to });
		expect([asked.status, asked.location]).toEqual([303, `${ADDRESS}/code`]);
		const [told] = await awaitMails(email, 3);
		expect(told?.subject).toBe('Your Mailsonar account will change its address');
		const [{ link, code } = { link: null, code: null }] = await awaitMails(to, 1);
		expect(link).toBe(`${ADDRESS}/code?code=${code}`);
		// Whoever is not signed in has to sign in first, and another browser of the person's asked for nothing.
		const stranger = newVisitor();
		expect((await stranger.get(`${ADDRESS}/code`)).location).toMatch(/^\/dashboard\/sign-in/);
		expect((await elsewhere.get(link ?? '')).status).toBe(410);
		expect((await visitor.get(link ?? '')).text).toContain(`value="${code}"`);
		const changed = await visitor.submit(`${ADDRESS}/code`, { code: code ?? '' });
		expect([changed.status, changed.location]).toEqual([303, '/dashboard/settings']);
		expect((await visitor.get('/dashboard/settings')).text).toContain(`Your address is now ${to}`);
		expect(await isSignedIn(elsewhere)).toBe(false);
		const later = newVisitor();
		await signIn(later, to, 2);
		expect((await later.get('/dashboard/settings')).text).toContain(`>${to}</p>`);
		expect((await visitor.get(`${ADDRESS}/code`)).status).toBe(410);
	});

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
