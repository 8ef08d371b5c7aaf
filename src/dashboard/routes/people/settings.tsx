import type { Hono } from 'hono';
import { z } from 'zod';
import {
	changeName,
	deleteAccount,
	listSessions,
	revokeSession,
} from '../../../operations/people/settings.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { withBareForm, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext, RefusedForm } from '../../forms.ts';
import { endSession, leaveFlash, signedInOf, takeFlash } from '../../session.ts';
import { viewOf } from '../../make-view.ts';
import { DeleteAccountPage } from '../../pages/people/delete-account.tsx';
import { SettingsPage } from '../../pages/people/settings.tsx';
import { showPage } from '../../show-page.ts';

const SETTINGS = '/dashboard/settings';

const nameForm = z.object({
	name: z
		.string()
		.trim()
		.max(100, 'A name has at most 100 characters')
		.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A name has no invisible characters'),
});
const deleteForm = z.object({ email: z.string().trim() });

/** The settings of the person who is signed in. */
export function addSettings(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/settings', async (c) => showSettings(c, {}));
	app.post('/dashboard/settings/name', withForm(nameForm, showSettingsAgain), async (c) => {
		await changeName(c.var.services, signedInOf(c), c.req.valid('form'));
		return done(c, 'Your name is saved');
	});
	app.post('/dashboard/settings/sessions/revoke-others', withBareForm, async (c) => {
		await revokeSession(c.var.services, signedInOf(c), { which: 'others' });
		return done(c, 'All other browsers are signed out');
	});
	app.post('/dashboard/settings/sessions/:sessionId/revoke', withBareForm, async (c) => {
		await revokeSession(c.var.services, signedInOf(c), { which: { sessionId: c.req.param('sessionId') } });
		return done(c, 'That browser is signed out');
	});
	app.get('/dashboard/settings/delete', async (c) => showDelete(c, {}));
	app.post(
		'/dashboard/settings/delete',
		withForm(deleteForm, (c, { errors }) => showDelete(c, errors, 422)),
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

interface Shown {
	readonly errors?: FieldErrors;
	readonly typedName?: string | undefined;
}

async function showSettings(
	c: PageContext,
	{ errors = {}, typedName }: Shown,
	status: 200 | 422 = 200,
): Promise<Response> {
	const signedIn = signedInOf(c);
	const { user } = signedIn;
	const { services } = c.var;
	const account = services.accounts(user.accountId);
	const [sessions, { balance }] = await Promise.all([listSessions(services, signedIn), account.show()]);
	const credits = balance.availableCredits;
	const name = typedName ?? user.name;
	const page = { user, sessions, credits, name, errors, flash: takeFlash(c) };
	return showPage(c, <SettingsPage view={viewOf(c)} {...page} />, status);
}

async function takeDelete(c: FormContext<typeof deleteForm>): Promise<Response> {
	const signedIn = signedInOf(c);
	const { email } = c.req.valid('form');
	if (email.toLowerCase() !== signedIn.user.email.toLowerCase())
		return showDelete(c, { email: 'This is not the address of your account' }, 422);
	await deleteAccount(c.var.services, signedIn);
	endSession(c);
	leaveFlash(c, { kind: 'done', text: 'Your account is deleted' });
	return c.redirect('/dashboard/sign-in', 303);
}

async function showDelete(c: PageContext, errors: FieldErrors, status: 200 | 422 = 200): Promise<Response> {
	const { user } = signedInOf(c);
	const { balance } = await c.var.services.accounts(user.accountId).show();
	const page = { email: user.email, credits: balance.availableCredits, errors };
	return showPage(c, <DeleteAccountPage view={viewOf(c)} {...page} />, status);
}
