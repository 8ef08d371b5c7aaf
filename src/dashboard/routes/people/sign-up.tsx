import type { Hono } from 'hono';
import { z } from 'zod';
import { describePasswordFault } from '../../../core/identity/passwords.ts';
import { confirmAddress, lookAtConfirmation, signUp } from '../../../operations/people/sign-up.ts';
import type { SignUpResult } from '../../../operations/people/sign-up.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { addressField, linkToken, passwordField, withForm, workFields, workOf } from '../../forms.ts';
import type { FieldErrors, FormContext } from '../../forms.ts';
import { beginSession, leaveFlash } from '../../session.ts';
import { mailboxHere, publicBase, viewOf } from '../../make-view.ts';
import { ConfirmPage, LinkEndedPage, LookInMailPage, SignUpPage } from '../../pages/people/sign-up.tsx';
import { showPage } from '../../show-page.ts';
import { describeThrottled } from '../../page-error.ts';

export const THROW_AWAY = 'This is a disposable address. Use one where we can reach you';
export const NO_MAIL = 'This domain takes no mail. Check the part after the @';

const signUpForm = z.object({
	email: addressField,
	password: passwordField,
	/** The address for which our suggestion was shown. */
	keep: z.string().optional(),
	...workFields,
});
const confirmForm = z.object({ token: linkToken, password: passwordField.optional() });

const WELCOME = {
	granted: 'Your address is confirmed. Welcome',
	none: 'Your address is confirmed. Welcome',
	had: 'Your address is confirmed. It got its trial credits before, so there are none this time',
	on_request:
		'Your address is confirmed. Other accounts of your domain already got trial credits. Write to us if you want some for this one',
} as const;

/** Signing up, and confirming the address. */
export function addSignUp(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/sign-up', async (c) =>
		c.var.signedIn === null ? showSignUp(c, {}) : c.redirect('/dashboard', 303),
	);
	app.post(
		'/dashboard/sign-up',
		withForm(signUpForm, (c, { errors, typed }) => showSignUp(c, { email: typed['email'] ?? '', errors })),
		(c) => takeSignUp(c),
	);
	app.get('/dashboard/sign-up/sent', async (c) => {
		return showPage(
			c,
			<LookInMailPage view={viewOf(c)} purpose="confirm" mailboxHere={mailboxHere(c) !== null} />,
		);
	});
	app.get('/dashboard/confirm', async (c) => showConfirm(c, c.req.query('token') ?? '', {}));
	app.post(
		'/dashboard/confirm',
		// Another browser than the one that signed up is asked for the password first.
		withForm(confirmForm, (c, { errors, typed }) => showConfirm(c, typed['token'] ?? '', { errors })),
		(c) => takeConfirmation(c),
	);
}

async function takeSignUp(c: FormContext<typeof signUpForm>): Promise<Response> {
	const { email: address, password, keep, ...fields } = c.req.valid('form');
	const result = await signUp(c.var.services, {
		address,
		password,
		keepsAddress: keep === address.email,
		client: clientAndDevice(c).client,
		formId: c.var.formId,
		work: workOf(fields),
		visitor: c.var.visitor,
		base: publicBase(c),
	});
	if (result.kind === 'look_in_mail') return c.redirect('/dashboard/sign-up/sent', 303);
	return showRefusal(c, address.email, result);
}

async function showRefusal(
	c: PageContext,
	email: string,
	result: Exclude<SignUpResult, { kind: 'look_in_mail' }>,
): Promise<Response> {
	switch (result.kind) {
		case 'weak_password':
			return showSignUp(c, { email, errors: { password: describePasswordFault(result.fault) } });
		case 'disposable':
			return showSignUp(c, { email, errors: { email: THROW_AWAY } });
		case 'no_mail':
			return showSignUp(c, { email, errors: { email: NO_MAIL } });
		case 'typo':
			return showSignUp(c, { email, suggestion: result.suggestion });
		case 'throttled':
			return showSignUp(c, { email, problem: describeThrottled(c, result) }, 429);
	}
}

interface Shown {
	readonly email?: string;
	readonly errors?: FieldErrors;
	readonly suggestion?: string | null;
	readonly problem?: string | null;
}

async function showSignUp(c: PageContext, draft: Shown, status?: 429): Promise<Response> {
	const { email = '', errors = {}, suggestion = null, problem = null } = draft;
	const { trialCredits } = c.var.services;
	const page = { email, errors, suggestion, problem, trialCredits };
	const isFirst = Object.keys(errors).length === 0 && suggestion === null;
	return showPage(c, <SignUpPage view={viewOf(c)} {...page} />, status ?? (isFirst ? 200 : 422));
}

async function takeConfirmation(c: FormContext<typeof confirmForm>): Promise<Response> {
	const { token, password = null } = c.req.valid('form');
	const { visitor } = c.var;
	const { client, device } = clientAndDevice(c);
	const request = { token, password, visitor, client, device, formId: c.var.formId };
	const result = await confirmAddress(c.var.services, request);
	switch (result.kind) {
		case 'confirmed':
			beginSession(c, result);
			leaveFlash(c, {
				kind: 'done',
				text: WELCOME[result.trial],
			});
			return c.redirect('/dashboard', 303);
		case 'link_ended':
			// The same browser sent the form twice: the first time signed it in.
			if (c.var.signedIn !== null) return c.redirect('/dashboard', 303);
			return showEnded(c);
		case 'password_needed':
			return showConfirm(c, token, { errors: { password: 'Enter your password' } });
		case 'wrong_password':
			return showConfirm(c, token, { errors: { password: 'This is not the password of this sign-up' } });
		case 'throttled':
			return showConfirm(c, token, { problem: describeThrottled(c, result) }, 429);
	}
}

async function showConfirm(
	c: PageContext,
	token: string,
	{ errors = {}, problem = null }: { errors?: FieldErrors; problem?: string | null },
	status?: 429,
): Promise<Response> {
	const found = await lookAtConfirmation(c.var.services, { token, visitor: c.var.visitor });
	if (found === null) return showEnded(c);
	const page = { ...found, token, errors, problem };
	const hasErrors = Object.keys(errors).length > 0;
	return showPage(c, <ConfirmPage view={viewOf(c)} {...page} />, status ?? (hasErrors ? 422 : 200));
}

async function showEnded(c: PageContext): Promise<Response> {
	return showPage(c, <LinkEndedPage view={viewOf(c)} purpose="confirm" />, 410);
}
