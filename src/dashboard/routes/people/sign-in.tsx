import type { Hono } from 'hono';
import { z } from 'zod';
import { signIn, signOut } from '../../../operations/people/sign-in.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import {
	beginSession,
	endSession,
	leaveFlash,
	readCookie,
	safeNext,
	takeFlash,
	writeCookie,
} from '../../session.ts';
import { addressField, passwordField, withBareForm, withForm, workFields, workOf } from '../../forms.ts';
import type { FieldErrors, FormContext, RefusedForm } from '../../forms.ts';
import { viewOf } from '../../make-view.ts';
import { CHALLENGE_FIELD } from '../../parts/form.tsx';
import { SignInPage } from '../../pages/people/sign-in.tsx';
import type { SignInProps } from '../../pages/people/sign-in.tsx';
import { showPage } from '../../show-page.ts';
import { describeThrottled } from '../../page-error.ts';

const signInForm = z.object({
	email: addressField,
	password: passwordField,
	next: z.string().optional(),
	[CHALLENGE_FIELD]: z.string().optional(),
	...workFields,
});

// Does not say which of the two is wrong. An address that was never confirmed has no account.
const REFUSED = {
	title: 'Email or password is wrong',
	text: 'If you have just signed up, open the link in the mail that we sent you first.',
};

const PERSON_NEEDED = {
	title: 'Confirm that you are human',
	text: 'Wait for the check below, and enter your password again.',
};

/** Signing in and out. */
export function addSignIn(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/sign-in', async (c) => {
		const next = safeNext(c.req.query('next'));
		return c.var.signedIn === null ? showSignIn(c, { next }) : c.redirect(next, 303);
	});
	app.post('/dashboard/sign-in', withForm(signInForm, showSignInAgain), (c) => takeSignIn(c));
	// Without a sign-in there is nothing to protect, and signing out twice is no error.
	app.use('/dashboard/sign-out', (c, next) => (c.var.signedIn === null ? next() : withBareForm(c, next)));
	app.post('/dashboard/sign-out', async (c) => {
		if (c.var.signedIn !== null) await signOut(c.var.services, { token: c.var.sessionToken });
		endSession(c);
		leaveFlash(c, { kind: 'done', text: 'You are signed out' });
		return c.redirect('/dashboard/sign-in', 303);
	});
}

async function showSignInAgain(c: PageContext, { errors, typed }: RefusedForm): Promise<Response> {
	const { email = '', next } = typed;
	return showSignIn(c, { email, next: safeNext(next), errors }, 422);
}

async function takeSignIn(c: FormContext<typeof signInForm>): Promise<Response> {
	const {
		email: address,
		password,
		next: wanted,
		[CHALLENGE_FIELD]: answer,
		...fields
	} = c.req.valid('form');
	const next = safeNext(wanted);
	const earlierToken = readCookie(c, 'session');
	const browserToken = readCookie(c, 'browser');
	const challengeAnswer = answer ?? null;
	const tokens = { earlierToken, browserToken, challengeAnswer, work: workOf(fields) };
	const request = { address, password, ...tokens, formId: c.var.formId, ...clientAndDevice(c) };
	const result = await signIn(c.var.services, request);
	const draft = { email: address.email, next };
	switch (result.kind) {
		case 'signed_in':
			beginSession(c, result);
			return c.redirect(next, 303);
		case 'code_needed':
			writeCookie(c, 'half', result.halfToken);
			return c.redirect(`/dashboard/sign-in/code?next=${encodeURIComponent(next)}`, 303);
		case 'refused':
			return showSignIn(c, { ...draft, problem: REFUSED, asksForPerson: result.asksForPerson }, 422);
		case 'person_needed':
			return showSignIn(c, { ...draft, problem: PERSON_NEEDED, asksForPerson: true }, 422);
		case 'throttled': {
			const problem = { title: describeThrottled(c, result), text: null };
			return showSignIn(c, { ...draft, problem }, 429);
		}
	}
}

async function showSignIn(
	c: PageContext,
	draft: {
		next: string;
		email?: string;
		errors?: FieldErrors;
		problem?: NonNullable<SignInProps['problem']>;
		asksForPerson?: boolean;
	},
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { next, email = '', errors = {}, problem = null, asksForPerson = false } = draft;
	const siteKey = asksForPerson ? c.var.services.config.TURNSTILE_SITE_KEY : undefined;
	const page = { next, email, errors, problem, siteKey, flash: takeFlash(c) };
	return showPage(c, <SignInPage view={viewOf(c)} {...page} />, status);
}
