import { randomBytes } from 'node:crypto';
import { expect, inject } from 'vitest';
import { Visitor } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import { eventually } from '../support/patience.ts';

// What the tests around people share.

export const PASSWORD = 'vellum otter quilt';

/** What the form for a key sends where nothing is unticked. */
export const ALL_SCOPES = { scope_verify: 'yes', scope_lists: 'yes', scope_read: 'yes' } as const;

/** An address that nobody has, and whose password rules are not in the way. */
export function newEmail(): string {
	return `p${randomBytes(6).toString('hex')}@inbox.test`;
}

export function newVisitor(url: string = inject('service').url): Visitor {
	return new Visitor(url);
}

interface Mail {
	readonly subject: string;
	/** The first link to a page with a token. */
	readonly link: string | null;
}

/** The mails to an address, the newest first, as the mailbox of development shows them. */
export async function mailsTo(email: string, url = inject('service').url): Promise<readonly Mail[]> {
	const page = await newVisitor(url).get('/dashboard/dev/mailbox');
	// Places where a long text may break are none of its characters.
	return page.text
		.replaceAll(/<wbr ?\/?>/g, '')
		.split('<article')
		.slice(1)
		.filter((article) => article.includes(`>${email}<`))
		.map((article) => ({
			subject: /<h2[^>]*>([^<]*)</.exec(article)?.[1] ?? '',
			link: pathOf(/href="([^"]*\?token=[^"]*)"/.exec(article)?.[1]),
		}));
}

function pathOf(link: string | undefined): string | null {
	if (link === undefined) return null;
	const { pathname, search } = new URL(link);
	return pathname + search;
}

/** Waits for so many mails to an address. They are written after the answer. */
export async function awaitMails(
	email: string,
	count: number,
	url = inject('service').url,
): Promise<readonly Mail[]> {
	return eventually(async () => {
		const mails = await mailsTo(email, url);
		expect(mails).toHaveLength(count);
		return mails;
	}, 50);
}

/** The path of the newest mail's link. */
export async function awaitLink(email: string, count = 1, url = inject('service').url): Promise<string> {
	const [mail] = await awaitMails(email, count, url);
	if (mail?.link === null || mail === undefined) throw new Error(`The newest mail to ${email} has no link`);
	return mail.link;
}

export async function signUp(visitor: Visitor, email: string, password = PASSWORD): Promise<Page> {
	return visitor.submit('/dashboard/sign-up', { email, password });
}

export async function signIn(visitor: Visitor, email: string, password = PASSWORD): Promise<Page> {
	return visitor.submit('/dashboard/sign-in', { email, password });
}

/** Somebody who signed up, confirmed and is signed in. */
export async function newPerson(
	email = newEmail(),
	url = inject('service').url,
): Promise<{ visitor: Visitor; email: string }> {
	const visitor = newVisitor(url);
	await signUp(visitor, email);
	const page = await visitor.submit(await awaitLink(email, 1, url), {}, '/dashboard/confirm');
	expect([page.status, page.location], page.text).toEqual([303, '/dashboard']);
	return { visitor, email };
}

/** Whether a visitor is let in. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
	const { status, location } = await visitor.get('/dashboard/settings');
	if (status === 200) return true;
	expect([status, location]).toEqual([303, '/dashboard/sign-in?next=%2Fdashboard%2Fsettings']);
	return false;
}
