import { readApi } from '../../../src/dashboard/api-reference.ts';
import { DocsPage } from '../../../src/dashboard/pages/docs.tsx';
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
import { createApp } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { DEFAULT_LIMITS } from '../../../src/core/rate-limit/policy.ts';
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

const noServices = (): never => {
	throw new Error('the document is made without a request');
};
const api = createApp(noServices, noServices, noServices);
const calls = readApi(openApiDocument(api, '/'));

export const PEOPLE_PAGES: Readonly<Record<string, ReturnType<typeof DocsPage>>> = {
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
	settings: <SettingsPage view={view} user={user} sessions={sessions} {...nothingWrong} flash={null} />,
	'settings-delete': <DeleteAccountPage view={view} user={user} credits={412} {...nothingWrong} />,
	docs: (
		<DocsPage
			view={stranger}
			baseUrl="https://api.mailsonar.example"
			calls={calls}
			limits={{ ...DEFAULT_LIMITS, windowSeconds: 900, resultsTtlMs: 172_800_000 }}
		/>
	),
};
