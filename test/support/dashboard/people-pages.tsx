import { PAGES } from 'docs:pages';
import { DocsTextPage } from '../../../src/dashboard/pages/public/docs.tsx';
import type { TestKeyOffer } from '../../../src/dashboard/pages/public/docs.tsx';
import { MailboxPage } from '../../../src/dashboard/pages/mailbox.tsx';
import {
	ForgottenPasswordPage,
	ResetPasswordPage,
} from '../../../src/dashboard/pages/people/password-reset.tsx';
import { ActivityPage } from '../../../src/dashboard/pages/people/activity.tsx';
import {
	AddressLinkEndedPage,
	AddressLinkSentPage,
	ChangeAddressPage,
	ConfirmAddressPage,
} from '../../../src/dashboard/pages/people/change-address.tsx';
import { DeleteAccountPage } from '../../../src/dashboard/pages/people/delete-account.tsx';
import { SettingsPage } from '../../../src/dashboard/pages/people/settings.tsx';
import { SignInCodePage } from '../../../src/dashboard/pages/people/sign-in-code.tsx';
import {
	RecoveryCodesPage,
	TwoFactorOffPage,
	TwoFactorOnPage,
	TwoFactorSetupPage,
} from '../../../src/dashboard/pages/people/two-factor.tsx';
import type { Activity } from '../../../src/operations/people/port.ts';
import { SignInPage } from '../../../src/dashboard/pages/people/sign-in.tsx';
import {
	ConfirmPage,
	LinkEndedPage,
	LookInMailPage,
	SignUpPage,
} from '../../../src/dashboard/pages/people/sign-up.tsx';
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

const factor = { version: 1, salt: 'c2FsdA', since: NOW - 3e9, lastStep: 1 };

const happened = (activity: Partial<Activity> & Pick<Activity, 'at' | 'kind'>): Activity => ({
	device: 'Firefox on Linux',
	about: null,
	by: null,
	...activity,
});

const activities: readonly Activity[] = [
	happened({ at: NOW - 3_000, kind: 'signed_in' }),
	happened({ at: NOW - 6e5, kind: 'code_refused', device: 'A browser' }),
	happened({ at: NOW - 4e6, kind: 'key_created', about: 'Sign-up form (ms_live_…x7Kq)' }),
	happened({
		at: NOW - 9e7,
		kind: 'list_deleted',
		about: 'A list whose name says a lot.csv',
		device: null,
		by: 'api',
	}),
	happened({ at: NOW - 2e8, kind: 'credits_added', about: '20000', device: null, by: 'operator' }),
	happened({ at: NOW - 3e9, kind: 'address_changed', about: 'ada@byron.example → ada@lovelace.example' }),
];

const setup = {
	offer: '1.1793577600000.c2FsdA.cHJvb2Y',
	uri: 'otpauth://totp/Mailsonar:ada%40lovelace.example?issuer=Mailsonar&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
	text: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
};

const recoveryCodes = Array.from({ length: 10 }, (_, index) => `7k2m-9qxd-w4hn-0rt${index}`);

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
		<SettingsPage
			view={view}
			user={user}
			name={user.name}
			factor={null}
			sessions={sessions}
			activities={activities}
			credits={412}
			{...nothingWrong}
			flash={null}
		/>
	),
	'settings-two-factor': (
		<SettingsPage
			view={view}
			user={user}
			name={user.name}
			factor={factor}
			sessions={sessions.slice(0, 1)}
			activities={[]}
			credits={0}
			{...nothingWrong}
			flash={{ kind: 'done', text: 'Your name is saved' }}
		/>
	),
	'settings-delete': (
		<DeleteAccountPage view={view} email={user.email} hasFactor credits={412} {...nothingWrong} />
	),
	'settings-activity': <ActivityPage view={view} activities={activities} />,
	'sign-in-code': <SignInCodePage view={stranger} next="/dashboard" {...nothingWrong} />,
	'two-factor-off': <TwoFactorOffPage view={view} email={user.email} {...nothingWrong} />,
	'two-factor-setup': <TwoFactorSetupPage view={view} setup={setup} {...nothingWrong} />,
	'two-factor-codes': <RecoveryCodesPage view={view} codes={recoveryCodes} isNew />,
	'two-factor-on': (
		<TwoFactorOnPage
			view={view}
			email={user.email}
			factor={factor}
			codesLeft={9}
			errors={{ code: 'This code is wrong, or was used before. Wait for the next one' }}
			problem={null}
			refused="codes"
		/>
	),
	'address-change': (
		<ChangeAddressPage
			view={view}
			email={user.email}
			typed=""
			hasFactor={false}
			suggestion={null}
			{...nothingWrong}
		/>
	),
	'address-change-typo': (
		<ChangeAddressPage
			view={view}
			email={user.email}
			typed="ada@gmial.com"
			hasFactor
			suggestion="ada@gmail.com"
			{...nothingWrong}
		/>
	),
	'address-sent': <AddressLinkSentPage view={view} mailboxHere />,
	'address-confirm': <ConfirmAddressPage view={view} token="t" from={user.email} to="ada@byron.example" />,
	'address-link-ended': <AddressLinkEndedPage view={view} />,
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
