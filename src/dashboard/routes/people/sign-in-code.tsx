import type { Hono } from 'hono';
import { z } from 'zod';
import { findHalfSignedIn, finishSignIn } from '../../../operations/people/sign-in.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { beginSession, clearCookie, leaveFlash, readCookie, safeNext } from '../../session.ts';
import { codeField, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext } from '../../forms.ts';
import { publicBase, viewOf } from '../../make-view.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { describeThrottled } from '../../page-error.ts';
import { SignInCodePage } from '../../pages/people/sign-in-code.tsx';
import { showPage } from '../../show-page.ts';

// After a hundred wrong codes in a row.
const BY_MAIL = 'If that was not you, somebody knows your password. Reset it by mail, then sign in here.';

const codeForm = z.object({ code: codeField, next: z.string().optional() });

/** The second step of signing in, for people with two-factor sign-in. */
export function addSignInCode(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/sign-in/code', async (c) => {
		const halfToken = readCookie(c, 'half') ?? '';
		const half = await findHalfSignedIn(c.var.services, { halfToken });
		const next = safeNext(c.req.query('next'));
		return half === null ? startAgain(c, null) : showCode(c, { next });
	});
	app.post(
		'/dashboard/sign-in/code',
		withForm(codeForm, (c, { errors, typed }) => showCode(c, { next: safeNext(typed['next']), errors }, 422)),
		(c) => takeCode(c),
	);
}

async function takeCode(c: FormContext<typeof codeForm>): Promise<Response> {
	const { code, next: wanted } = c.req.valid('form');
	const next = safeNext(wanted);
	const result = await finishSignIn(c.var.services, {
		halfToken: readCookie(c, 'half') ?? '',
		code,
		earlierToken: readCookie(c, 'session'),
		browserToken: readCookie(c, 'browser'),
		formId: c.var.formId,
		base: publicBase(c),
		...clientAndDevice(c),
	});
	switch (result.kind) {
		case 'signed_in':
			clearCookie(c, 'half');
			beginSession(c, result);
			return c.redirect(next, 303);
		case 'wrong_code': {
			const errors = { code: 'This code is wrong, or was used before. Wait for the next one' };
			return showCode(c, { next, errors }, 422);
		}
		case 'password_needed':
			return startAgain(c, 'That took too long. Sign in again, then enter a new code');
		case 'throttled': {
			const wayOut = result.retryAfterMs > DAY_MS ? ` ${BY_MAIL}` : '';
			return showCode(c, { next, problem: `${describeThrottled(c, result)}${wayOut}` }, 429);
		}
	}
}

function startAgain(c: PageContext, why: string | null): Response {
	clearCookie(c, 'half');
	if (why !== null) leaveFlash(c, { kind: 'info', text: why });
	return c.redirect('/dashboard/sign-in', 303);
}

async function showCode(
	c: PageContext,
	{ next, errors = {}, problem = null }: { next: string; errors?: FieldErrors; problem?: string | null },
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	return showPage(c, <SignInCodePage view={viewOf(c)} {...{ next, errors, problem }} />, status);
}
