import { PAGES } from 'docs:pages';
import { DocsTextPage } from '../../../src/dashboard/pages/public/docs.tsx';
import type { TestKeyOffer } from '../../../src/dashboard/pages/public/docs.tsx';
import { MailboxPage } from '../../../src/dashboard/pages/mailbox.tsx';
import {
	AddressCodeEndedPage,
	ChangeAddressPage,
	NewAddressCodePage,
} from '../../../src/dashboard/pages/people/change-address.tsx';
import { DeleteAccountPage } from '../../../src/dashboard/pages/people/delete-account.tsx';
import { SettingsPage } from '../../../src/dashboard/pages/people/settings.tsx';
import { CodeEndedPage, CodePage, SignInPage } from '../../../src/dashboard/pages/people/sign-in.tsx';
import { NOW, view } from './samples.ts';

// The pages around signing in and settings, and the documentation.

const stranger = { ...view, viewer: null };
const nothingWrong = { errors: {}, problem: null };

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

const sessions = [
	{ ...session, isThis: true },
	{ ...session, id: 's2', device: 'Safari on iPhone', lastSeenAt: NOW - 9e7, isThis: false },
];

/** The usual configuration. */
export const DOCS_FACTS = {
	base: 'https://api.mailsonar.example',
	window: '15 minutes',
	kept: '48 hours',
	'limit-default': '300',
	'limit-batch': '10',
	'limit-polling': '600',
};

function docsPage(path: string, offer: TestKeyOffer | null = null) {
	const page = PAGES.find((one) => one.path === path);
	if (page === undefined) throw new Error(`There is no ${path}`);
	return (
		<DocsTextPage
			view={offer === null || offer.kind === 'sign_in' ? stranger : view}
			facts={DOCS_FACTS}
			page={page}
			offer={offer}
		/>
	);
}

const signIn = {
	...{ view: stranger, trialCredits: 100, email: '', next: '/dashboard', suggestion: null, flash: null },
	...nothingWrong,
};
const code = { view: stranger, email: user.email, next: '/dashboard' };

export const PEOPLE_PAGES: Readonly<Record<string, ReturnType<typeof DocsTextPage>>> = {
	'sign-in': <SignInPage {...signIn} flash={{ kind: 'done', text: 'You are signed out' }} />,
	'sign-in-typo': <SignInPage {...signIn} email="ada@gmial.com" suggestion="ada@gmail.com" />,
	'sign-in-wrong': <SignInPage {...signIn} email="ada@" errors={{ email: 'There is nothing after the @' }} />,
	'sign-in-throttled': (
		<SignInPage {...signIn} email={user.email} problem="Too many attempts. Try again in 15 min." />
	),
	'sign-in-code': <CodePage {...code} code="" {...nothingWrong} mailboxHere />,
	'sign-in-code-wrong': (
		<CodePage
			{...code}
			code="123456"
			errors={{ code: 'This code is wrong' }}
			problem={null}
			mailboxHere={false}
		/>
	),
	'sign-in-code-ended': <CodeEndedPage view={stranger} />,
	mailbox: (
		<MailboxPage
			view={stranger}
			mails={[
				{
					id: 1,
					at: NOW - 9_000,
					to: user.email,
					subject: '123456 is your Mailsonar code',
					text: 'Your code to sign in: 123456\n\nType it in the browser where you asked for it, or open this link there: https://mailsonar.example/dashboard/sign-in/code?code=123456',
				},
			]}
		/>
	),
	settings: (
		<SettingsPage
			view={view}
			user={user}
			name={user.name}
			sessions={sessions}
			credits={412}
			errors={{}}
			flash={null}
		/>
	),
	'settings-alone': (
		<SettingsPage
			view={view}
			user={user}
			name={user.name}
			sessions={sessions.slice(0, 1)}
			credits={0}
			errors={{}}
			flash={{ kind: 'done', text: 'Your name is saved' }}
		/>
	),
	'settings-delete': <DeleteAccountPage view={view} email={user.email} credits={412} errors={{}} />,
	'address-change': (
		<ChangeAddressPage view={view} email={user.email} typed="" suggestion={null} {...nothingWrong} />
	),
	'address-change-typo': (
		<ChangeAddressPage
			view={view}
			email={user.email}
			typed="ada@gmial.com"
			suggestion="ada@gmail.com"
			{...nothingWrong}
		/>
	),
	'address-code': (
		<NewAddressCodePage view={view} email="ada@byron.example" code="" {...nothingWrong} mailboxHere />
	),
	'address-code-ended': <AddressCodeEndedPage view={view} />,
	docs: docsPage('/docs', { kind: 'sign_in' }),
	'docs-signed-in': docsPage('/docs', { kind: 'form', error: null }),
	'docs-with-key': docsPage('/docs', { kind: 'made', apiKey: `ms_test_${'4kQ8'.repeat(20)}` }),
	'docs-errors': docsPage('/docs/guides/errors'),
	'docs-lists': docsPage('/docs/guides/lists'),
	'docs-statuses': docsPage('/docs/guides/statuses'),
	'docs-test-keys': docsPage('/docs/guides/test-keys'),
	'docs-catch-all': docsPage('/docs/guides/catch-all'),
	'docs-moving': docsPage('/docs/guides/moving'),
	'docs-limits': docsPage('/docs/guides/limits'),
	'docs-webhooks': docsPage('/docs/guides/webhooks'),
	'docs-idempotency': docsPage('/docs/guides/idempotency'),
	'docs-mcp': docsPage('/docs/guides/mcp'),
	'docs-changelog': docsPage('/docs/changelog'),
	'docs-reference': docsPage('/docs/reference'),
	'docs-call': docsPage('/docs/reference/single'),
	'docs-call-list': docsPage('/docs/reference/lists'),
	'docs-call-task': docsPage('/docs/reference/catch-all'),
};
