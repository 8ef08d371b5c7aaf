import type { Child } from 'hono/jsx';
import { DocsTextPage, quickstartPlace } from '../../../src/dashboard/pages/docs.tsx';
import { MailboxPage } from '../../../src/dashboard/pages/public.tsx';
import {
	changeAddressPlace,
	newAddressPlace,
	settingsPlace,
} from '../../../src/dashboard/pages/settings.tsx';
import { codePlace, signInPlace } from '../../../src/dashboard/pages/sign-in.tsx';
import { docsPages } from '../../../tools/docs/pages.ts';
import { NOW, stranger, view, wrong } from './samples.ts';
import { viewed } from './viewed.tsx';

// The pages around signing in and settings, and the documentation.

const user = {
	id: 'u1',
	email: 'ada@lovelace.example',
	loginName: 'ada@lovelace.example',
	accountId: 'acc',
	name: 'Ada Lovelace',
	createdAt: NOW - 1e9,
};

const session = {
	tokenHash: 'h',
	id: 's1',
	userId: 'u1',
	device: 'Firefox on Linux',
	createdAt: NOW - 4e8,
	lastSeenAt: NOW - 3_000,
};

const thisId = session.id;
const sessions = [session, { ...session, id: 's2', device: 'Safari on iPhone', lastSeenAt: NOW - 9e7 }];

/** The usual configuration. */
export const DOCS_FACTS = {
	base: 'https://api.mailsonar.example',
	window: '15 minutes',
	kept: '48 hours',
	'limit-default': '300',
	'limit-batch': '10',
	'limit-polling': '600',
};

const PAGES = docsPages();
const docsPage = (path: string) => viewed(<DocsTextPage facts={DOCS_FACTS} {...pageAt(path)} />, stranger);

function pageAt(path: string) {
	const page = PAGES.find((one) => one.path === path);
	if (page === undefined) throw new Error(`There is no ${path}`);
	return { page, html: page.html };
}

const quickstart = { ...pageAt('/docs'), facts: DOCS_FACTS, apiKey: null };
const ask = { next: '/dashboard', trialCredits: 100 };
const code = { next: '/dashboard', code: '', email: user.email, hasMailbox: true };
const signedOut = { kind: 'done', text: 'You are signed out' } as const;
const throttled = { kind: 'failed', text: 'Too many attempts. Try again in 15 min.' } as const;
const typo = wrong(
	'ask',
	{ email: 'ada@gmial.com', keep: 'ada@gmial.com' },
	{ email: 'Did you mean ada@gmail.com? Correct the address, or send it again as it is.' },
);

const GUIDES = 'errors lists statuses test-keys catch-all moving limits webhooks idempotency mcp'.split(' ');

export const PEOPLE_PAGES: Readonly<Record<string, Child>> = {
	'sign-in': signInPlace.draw({ ...stranger, flash: signedOut }, ask),
	'sign-in-typo': signInPlace.draw(stranger, ask, typo),
	'sign-in-wrong': signInPlace.draw(
		stranger,
		ask,
		wrong('ask', { email: 'ada@' }, { email: 'There is nothing after the @' }),
	),
	'sign-in-throttled': signInPlace.draw({ ...stranger, flash: throttled }, ask),
	'sign-in-code': codePlace.draw(stranger, code),
	'sign-in-code-wrong': codePlace.draw(
		stranger,
		{ ...code, hasMailbox: false },
		wrong('code', { code: '123456' }, { code: 'This code is wrong' }),
	),
	mailbox: viewed(
		<MailboxPage
			mails={[
				{
					id: 1,
					at: NOW - 9_000,
					to: user.email,
					subject: '123456 is your Mailsonar code',
					text: 'Your code to sign in: 123456\n\nType it in the browser where you asked for it, or open this link there: https://mailsonar.example/dashboard/sign-in/code?code=123456',
				},
			]}
		/>,
		stranger,
	),
	settings: settingsPlace.draw(view, { user, thisId, sessions }),
	'settings-alone': settingsPlace.draw(
		{ ...view, flash: { kind: 'done', text: 'Your name is saved' } },
		{ user, thisId, sessions: sessions.slice(0, 1) },
	),
	'address-change': changeAddressPlace.draw(view, user),
	'address-change-typo': changeAddressPlace.draw(view, user, typo),
	'address-code': newAddressPlace.draw(view, { ...code, email: 'ada@byron.example' }),
	docs: quickstartPlace.draw(stranger, quickstart),
	'docs-signed-in': quickstartPlace.draw(view, quickstart),
	'docs-with-key': quickstartPlace.draw(view, { ...quickstart, apiKey: `ms_test_${'4kQ8'.repeat(20)}` }),
	...Object.fromEntries(GUIDES.map((name) => [`docs-${name}`, docsPage(`/docs/guides/${name}`)])),
	'docs-changelog': docsPage('/docs/changelog'),
	'docs-reference': docsPage('/docs/reference'),
	'docs-call': docsPage('/docs/reference/single'),
	'docs-call-list': docsPage('/docs/reference/lists'),
	'docs-call-task': docsPage('/docs/reference/catch-all'),
};
