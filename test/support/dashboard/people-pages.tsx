import { searchDocs, searchIndex } from '../../../src/dashboard/docs/search.ts';
import { DocsSearchPage, DocsTextPage } from '../../../src/dashboard/pages/docs.tsx';
import type { TestKeyOffer } from '../../../src/dashboard/pages/docs.tsx';
import { MailboxPage } from '../../../src/dashboard/pages/mailbox.tsx';
import { ForgottenPasswordPage, ResetPasswordPage } from '../../../src/dashboard/pages/password-reset.tsx';
import { DeleteAccountPage, SettingsPage } from '../../../src/dashboard/pages/settings.tsx';
import { SignInPage } from '../../../src/dashboard/pages/sign-in.tsx';
import {
	ConfirmPage,
	LinkEndedPage,
	LookInMailPage,
	SignUpPage,
} from '../../../src/dashboard/pages/sign-up.tsx';
import { DOCS_PAGES } from './docs-pages.ts';
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
	passwordHash: '',
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

function docsPage(path: string, offer: TestKeyOffer | null = null) {
	const page = DOCS_PAGES.find((one) => one.path === path);
	if (page === undefined) throw new Error(`There is no ${path}`);
	return (
		<DocsTextPage
			view={offer === null || offer.kind === 'sign_in' ? stranger : view}
			pages={DOCS_PAGES}
			page={page}
			offer={offer}
		/>
	);
}

export const PEOPLE_PAGES: Readonly<Record<string, ReturnType<typeof DocsTextPage>>> = {
	'sign-up': <SignUpPage view={stranger} trialCredits={100} email="" suggestion={null} {...nothingWrong} />,
	'sign-up-typo': (
		<SignUpPage
			view={stranger}
			trialCredits={100}
			email="ada@gmial.com"
			suggestion="ada@gmail.com"
			{...nothingWrong}
		/>
	),
	'sign-up-wrong': (
		<SignUpPage
			view={stranger}
			trialCredits={100}
			email="ada@"
			suggestion={null}
			errors={{ email: 'There is nothing after the @', password: 'At least 12 characters' }}
			problem={null}
		/>
	),
	'sign-up-sent': <LookInMailPage view={stranger} purpose="confirm" mailboxHere />,
	'sign-up-confirm': (
		<ConfirmPage view={stranger} token="t" email={user.email} needsPassword {...nothingWrong} />
	),
	'link-ended': <LinkEndedPage view={stranger} purpose="confirm" />,
	'sign-in': (
		<SignInPage
			view={stranger}
			email=""
			next="/dashboard"
			errors={{}}
			problem={null}
			flash={{ kind: 'done', text: 'You are signed out' }}
		/>
	),
	'sign-in-wrong': (
		<SignInPage
			view={stranger}
			email="ada@lovelace.example"
			next="/dashboard"
			errors={{}}
			problem={{
				title: 'Email or password is wrong',
				text: 'If you have just signed up, open the link first.',
			}}
			flash={null}
		/>
	),
	'password-forgotten': <ForgottenPasswordPage view={stranger} email="" {...nothingWrong} />,
	'password-new': <ResetPasswordPage view={stranger} token="t" email={user.email} {...nothingWrong} />,
	mailbox: (
		<MailboxPage
			view={stranger}
			mails={[
				{
					id: 1,
					at: NOW - 9_000,
					to: user.email,
					subject: 'Confirm your address',
					text: 'Hello,\n\nopen this link to confirm your address:\nhttps://mailsonar.example/dashboard/confirm?token=abcdefghijklmnopqrstuvwxyz0123456789ABCDEF\n\nIt works once, for 24 hours.',
				},
			]}
		/>
	),
	settings: (
		<SettingsPage view={view} user={user} sessions={sessions} keepsHistory {...nothingWrong} flash={null} />
	),
	'settings-delete': <DeleteAccountPage view={view} user={user} credits={412} {...nothingWrong} />,
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
	'docs-call': docsPage('/docs/reference/verifyAddress'),
	'docs-call-list': docsPage('/docs/reference/createJob'),
	'docs-call-task': docsPage('/docs/reference/getTaskResults'),
	'docs-search': (
		<DocsSearchPage
			view={stranger}
			pages={DOCS_PAGES}
			query="retry"
			found={searchDocs(searchIndex(DOCS_PAGES), 'retry')}
		/>
	),
};
