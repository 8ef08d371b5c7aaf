import type { Hono } from 'hono';
import { z } from 'zod';
import { ACTIVITIES_MAX } from '../../../core/identity/activity.ts';
import { describePasswordFault } from '../../../core/identity/passwords.ts';
import {
	changeName,
	changePassword,
	deleteAccount,
	listSessions,
	revokeSession,
} from '../../../operations/people/settings.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { codeField, passwordField, withBareForm, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext, RefusedForm } from '../../forms.ts';
import { beginSession, endSession, leaveFlash, signedInOf, takeFlash } from '../../session.ts';
import { publicBase, viewOf } from '../../make-view.ts';
import { ActivityPage } from '../../pages/people/activity.tsx';
import { DeleteAccountPage } from '../../pages/people/delete-account.tsx';
import { SettingsPage } from '../../pages/people/settings.tsx';
import { proofOf, wrongProof } from '../../prove.ts';
import { showPage } from '../../show-page.ts';
import { describeThrottled } from '../../page-error.ts';

const WRONG_PASSWORD = 'This is not your password';
const SETTINGS = '/dashboard/settings';

const nameForm = z.object({
	name: z
		.string()
		.trim()
		.max(100, 'A name has at most 100 characters')
		.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A name has no invisible characters'),
});
const passwordForm = z.object({ current: passwordField, password: passwordField });
const deleteForm = z.object({
	email: z.string().trim(),
	current: passwordField,
	code: codeField.optional(),
});
// The activity has a page with all events.
const NEWEST = 8;

/** The settings of the person who is signed in. */
export function addSettings(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/settings', async (c) => showSettings(c, {}));
	app.post('/dashboard/settings/name', withForm(nameForm, showSettingsAgain), async (c) => {
		await changeName(c.var.services, signedInOf(c), c.req.valid('form'));
		return done(c, 'Your name is saved');
	});
	app.post('/dashboard/settings/password', withForm(passwordForm, showSettingsAgain), (c) => takePassword(c));
	app.post('/dashboard/settings/sessions/revoke-others', withBareForm, async (c) => {
		await revokeSession(c.var.services, signedInOf(c), { which: 'others' });
		return done(c, 'All other browsers are signed out');
	});
	app.post('/dashboard/settings/sessions/:sessionId/revoke', withBareForm, async (c) => {
		await revokeSession(c.var.services, signedInOf(c), { which: { sessionId: c.req.param('sessionId') } });
		return done(c, 'That browser is signed out');
	});
	app.get('/dashboard/settings/activity', async (c) => {
		const { accountId } = signedInOf(c).user;
		const activities = await c.var.services.activities.list(accountId, ACTIVITIES_MAX);
		return showPage(c, <ActivityPage view={viewOf(c)} activities={activities} />);
	});
	app.get('/dashboard/settings/delete', async (c) => showDelete(c, {}));
	app.post(
		'/dashboard/settings/delete',
		withForm(deleteForm, (c, { errors }) => showDelete(c, { errors }, 422)),
		(c) => takeDelete(c),
	);
}

async function showSettingsAgain(c: PageContext, { errors, typed }: RefusedForm): Promise<Response> {
	return showSettings(c, { errors, typedName: typed['name'] }, 422);
}

function done(c: PageContext, text: string): Response {
	leaveFlash(c, { kind: 'done', text });
	return c.redirect(SETTINGS, 303);
}

async function takePassword(c: FormContext<typeof passwordForm>): Promise<Response> {
	const request = {
		...c.req.valid('form'),
		...clientAndDevice(c),
		formId: c.var.formId,
		base: publicBase(c),
	};
	const result = await changePassword(c.var.services, signedInOf(c), request);
	switch (result.kind) {
		case 'changed':
			beginSession(c, result);
			return done(c, 'Your password is changed, and all other browsers are signed out');
		case 'wrong_password':
			return showSettings(c, { errors: { current: WRONG_PASSWORD } }, 422);
		case 'weak_password':
			return showSettings(c, { errors: { password: describePasswordFault(result.fault) } }, 422);
		case 'throttled':
			return showSettings(c, { problem: describeThrottled(c, result) }, 429);
	}
}

interface Shown {
	readonly errors?: FieldErrors;
	readonly typedName?: string | undefined;
	readonly problem?: string;
}

async function showSettings(
	c: PageContext,
	{ errors = {}, typedName, problem }: Shown,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const signedIn = signedInOf(c);
	const { user } = signedIn;
	const { services } = c.var;
	const account = services.accounts(user.accountId);
	const [sessions, factor, activities, { balance }] = await Promise.all([
		listSessions(services, signedIn),
		services.secondFactors.find(user.id),
		services.activities.list(user.accountId, NEWEST),
		account.show(),
	]);
	const draft = { user, sessions, factor, activities, credits: balance.availableCredits };
	const name = typedName ?? user.name;
	const page = { ...draft, name, errors, problem: problem ?? null, flash: takeFlash(c) };
	return showPage(c, <SettingsPage view={viewOf(c)} {...page} />, status);
}

async function takeDelete(c: FormContext<typeof deleteForm>): Promise<Response> {
	const signedIn = signedInOf(c);
	const { email, ...proof } = c.req.valid('form');
	if (email.toLowerCase() !== signedIn.user.email.toLowerCase())
		return showDelete(c, { errors: { email: 'This is not the address of your account' } }, 422);
	const result = await deleteAccount(c.var.services, signedIn, proofOf(c, proof));
	if (result.kind === 'deleted') {
		endSession(c);
		leaveFlash(c, { kind: 'done', text: 'Your account is deleted' });
		return c.redirect('/dashboard/sign-in', 303);
	}
	const { draft, status } = wrongProof(c, result);
	return showDelete(c, draft, status);
}

async function showDelete(
	c: PageContext,
	{ errors = {}, problem }: Shown,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { user } = signedInOf(c);
	const { accounts, secondFactors } = c.var.services;
	const { balance } = await accounts(user.accountId).show();
	const hasFactor = (await secondFactors.find(user.id)) !== null;
	const page = { email: user.email, hasFactor, credits: balance.availableCredits, errors };
	return showPage(c, <DeleteAccountPage view={viewOf(c)} {...page} problem={problem ?? null} />, status);
}
