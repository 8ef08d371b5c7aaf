import type { Hono } from 'hono';
import { z } from 'zod';
import { describePasswordFault } from '../../../core/identity/passwords.ts';
import {
	lookAtReset,
	requestPasswordReset,
	resetPassword,
} from '../../../operations/people/reset-password.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { endSession, keepBrowser, leaveFlash, readCookie } from '../../session.ts';
import { addressField, linkToken, passwordField, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext } from '../../forms.ts';
import { mailboxHere, publicBase, viewOf } from '../../make-view.ts';
import { ForgottenPasswordPage, ResetPasswordPage } from '../../pages/people/password-reset.tsx';
import { LinkEndedPage, LookInMailPage } from '../../pages/people/sign-up.tsx';
import { showPage } from '../../show-page.ts';
import { describeThrottled } from '../../page-error.ts';

const forgottenForm = z.object({ email: addressField });
const resetForm = z.object({ token: linkToken, password: passwordField });

/** The pages for a forgotten password. */
export function addPasswordReset(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/forgotten-password', async (c) => showForgotten(c, {}));
	app.post(
		'/dashboard/forgotten-password',
		withForm(forgottenForm, (c, { errors, typed }) =>
			showForgotten(c, { email: typed['email'] ?? '', errors }, 422),
		),
		(c) => takeForgotten(c),
	);
	app.get('/dashboard/forgotten-password/sent', async (c) => {
		return showPage(
			c,
			<LookInMailPage view={viewOf(c)} purpose="reset" mailboxHere={mailboxHere(c) !== null} />,
		);
	});
	app.get('/dashboard/reset-password', async (c) => showReset(c, c.req.query('token') ?? '', {}));
	app.post(
		'/dashboard/reset-password',
		withForm(resetForm, (c, { errors, typed }) => showReset(c, typed['token'] ?? '', { errors }, 422)),
		(c) => takeReset(c),
	);
}

async function takeForgotten(c: FormContext<typeof forgottenForm>): Promise<Response> {
	const { email: address } = c.req.valid('form');
	const { client } = clientAndDevice(c);
	const browserToken = readCookie(c, 'browser');
	const request = { address, client, browserToken, formId: c.var.formId, base: publicBase(c) };
	const result = await requestPasswordReset(c.var.services, request);
	if (result.kind === 'look_in_mail') return c.redirect('/dashboard/forgotten-password/sent', 303);
	return showForgotten(c, { email: address.email, problem: describeThrottled(c, result) }, 429);
}

async function showForgotten(
	c: PageContext,
	draft: { email?: string; errors?: FieldErrors; problem?: string },
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { email = '', errors = {}, problem = null } = draft;
	return showPage(c, <ForgottenPasswordPage view={viewOf(c)} {...{ email, errors, problem }} />, status);
}

async function takeReset(c: FormContext<typeof resetForm>): Promise<Response> {
	const { token, password } = c.req.valid('form');
	const request = { token, password, ...clientAndDevice(c), base: publicBase(c) };
	const result = await resetPassword(c.var.services, request);
	switch (result.kind) {
		case 'changed':
			endSession(c);
			keepBrowser(c, result.browserToken);
			leaveFlash(c, { kind: 'done', text: 'Your password is changed. Sign in with the new one' });
			return c.redirect('/dashboard/sign-in', 303);
		case 'link_ended':
			return showEnded(c);
		case 'weak_password': {
			const errors = { password: describePasswordFault(result.fault) };
			return showReset(c, token, { errors }, 422);
		}
		case 'throttled':
			return showReset(c, token, { problem: describeThrottled(c, result) }, 429);
	}
}

async function showReset(
	c: PageContext,
	token: string,
	{ errors = {}, problem = null }: { errors?: FieldErrors; problem?: string | null },
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const link = await lookAtReset(c.var.services, { token });
	if (link === null) return showEnded(c);
	const page = { token, email: link.email, errors, problem };
	return showPage(c, <ResetPasswordPage view={viewOf(c)} {...page} />, status);
}

async function showEnded(c: PageContext): Promise<Response> {
	return showPage(c, <LinkEndedPage view={viewOf(c)} purpose="reset" />, 410);
}
