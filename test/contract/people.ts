import { randomBytes } from 'node:crypto';
import { expect, inject } from 'vitest';
import { Visitor } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import { eventually } from '../support/patience.ts';
import { create } from './operator.ts';

// What the tests around people share.

/** What the form for a key sends where nothing is unticked. */
export const ALL_SCOPES = { scope_verify: 'yes', scope_lists: 'yes', scope_read: 'yes' } as const;

/** An address that nobody has. */
export function newEmail(): string {
	return `p${randomBytes(6).toString('hex')}@inbox.test`;
}

export function newVisitor(url: string = inject('service').url): Visitor {
	return new Visitor(url);
}

interface Mail {
	readonly subject: string;
	/** The six digits, in the subject of a mail with a code. */
	readonly code: string | null;
	/** The path of the link that has the code, too. */
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
		.map((article) => {
			const subject = /<h2[^>]*>([^<]*)</.exec(article)?.[1] ?? '';
			const link = pathOf(
				/href="([^"]*[?&](?:amp;)?code=[^"]*)"/.exec(article)?.[1]?.replaceAll('&amp;', '&'),
			);
			return { subject, code: /^\d{6}/.exec(subject)?.[0] ?? null, link };
		});
}

function pathOf(link: string | undefined): string | null {
	if (link === undefined) return null;
	const { pathname, search } = new URL(link);
	return pathname + search;
}

/** Waits for so many mails to an address. They are written after the answer. */
export async function awaitMails(email: string, count: number, url?: string): Promise<readonly Mail[]> {
	return eventually(async () => {
		const mails = await mailsTo(email, url);
		expect(mails).toHaveLength(count);
		return mails;
	}, 50);
}

/** The code of the newest of so many mails to an address. */
export async function awaitCode(email: string, count = 1, url?: string): Promise<string> {
	const [mail] = await awaitMails(email, count, url);
	if (mail === undefined || mail.code === null) throw new Error(`The newest mail to ${email} has no code`);
	return mail.code;
}

export const SIGN_IN = '/dashboard/sign-in';
export const CODE = '/dashboard/sign-in/code';

/** Asks for a code in a browser. */
export async function ask(visitor: Visitor, email: string): Promise<Page> {
	return visitor.submit(SIGN_IN, { email });
}

/** Types a code in a browser that asked for one. */
export async function type(visitor: Visitor, code: string): Promise<Page> {
	return visitor.submit(CODE, { code });
}

/** Asks for a code and types it: so many mails to the address there are then. */
export async function signIn(visitor: Visitor, email: string, count: number): Promise<Page> {
	await ask(visitor, email);
	return type(visitor, await awaitCode(email, count, visitor.url));
}

/** Somebody with an account who is signed in. */
export async function newPerson(email = newEmail(), url = inject('service').url) {
	const visitor = newVisitor(url);
	const page = await signIn(visitor, email, 1);
	expect([page.status, page.location], page.text).toEqual([303, '/dashboard']);
	return { visitor, email };
}

/** A person whose account an operator made, and its key. */
export async function newCustomer() {
	const email = newEmail();
	const account = await create({ email, credits: 5 });
	return { ...(await newPerson(email)), ...account };
}

/** Makes a key on the pages. */
export async function newKey(
	visitor: Visitor,
	fields: Readonly<Record<string, string>> = ALL_SCOPES,
): Promise<string> {
	const made = await visitor.submit('/dashboard/api', { label: 'Shop', ...fields });
	return /ms_(?:live|test)_[0-9A-Za-z]{60,}/.exec(made.text)?.[0] ?? '';
}

/** Whether a visitor is let in. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
	const { status, location } = await visitor.get('/dashboard/settings');
	if (status === 200) return true;
	expect([status, location]).toEqual([303, '/dashboard/sign-in?next=%2Fdashboard%2Fsettings']);
	return false;
}
