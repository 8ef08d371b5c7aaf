import type { Hono } from 'hono';
import { z } from 'zod';
import { parseAddress } from '../../../core/address/parse-address.ts';
import type { Address } from '../../../core/address/parse-address.ts';
import { askCode, lookAtCode } from '../../../operations/people/codes.ts';
import type { AskRequest, AskResult } from '../../../operations/people/codes.ts';
import { signIn, signOut } from '../../../operations/people/sign-in.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { addressField, bindingOf, codeField, withBareForm, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext } from '../../forms.ts';
import { mailboxHere, publicBase, viewOf } from '../../make-view.ts';
import { describeThrottled } from '../../page-error.ts';
import { CodeEndedPage, CodePage, SignInPage } from '../../pages/people/sign-in.tsx';
import {
	beginSession,
	endSession,
	leaveFlash,
	readCookie,
	safeNext,
	takeFlash,
	writeCookie,
} from '../../session.ts';
import { showPage } from '../../show-page.ts';

const SIGN_IN = '/dashboard/sign-in';

const next = z.string().optional();
const signInForm = z.object({
	email: addressField,
	next,
	/** The address for which our suggestion was shown. */
	keep: z.string().optional(),
});
const codeForm = z.object({ code: codeField, next });
const againForm = z.object({ next });

const WELCOME = {
	granted: 'Welcome. Your account is open',
	none: 'Welcome. Your account is open',
	had: 'Welcome back. Your address got its trial credits before, so there are none this time',
	on_request:
		'Welcome. Other accounts of your domain already got trial credits. Write to us if you want some for this one',
} as const;

type Status = 200 | 422 | 429;

/** Signing in, which also opens accounts, and signing out. */
export function addSignIn(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/sign-up', (c) => c.redirect(SIGN_IN, 303));
	app.get(SIGN_IN, async (c) => {
		const back = safeNext(c.req.query('next'));
		return c.var.signedIn === null ? showSignIn(c, { next: back }) : c.redirect(back, 303);
	});
	app.post(
		SIGN_IN,
		withForm(signInForm, (c, { errors, typed }) =>
			showSignIn(c, { email: typed['email'] ?? '', next: safeNext(typed['next']), errors }, 422),
		),
		(c) => takeSignIn(c),
	);
	app.get(`${SIGN_IN}/code`, async (c) => {
		const back = safeNext(c.req.query('next'));
		const code = c.req.query('code') ?? '';
		return c.var.signedIn === null ? showCode(c, { next: back, code }) : c.redirect(back, 303);
	});
	app.post(
		`${SIGN_IN}/code`,
		withForm(codeForm, (c, { errors, typed }) =>
			showCode(c, { next: safeNext(typed['next']), code: typed['code'] ?? '', errors }, 422),
		),
		(c) => takeCode(c),
	);
	app.post(
		`${SIGN_IN}/again`,
		withForm(againForm, (c) => showSignIn(c, { next: '/dashboard' }, 422)),
		(c) => takeAgain(c),
	);
	// Without a sign-in there is nothing to protect, and signing out twice is no error.
	app.use('/dashboard/sign-out', (c, proceed) =>
		c.var.signedIn === null ? proceed() : withBareForm(c, proceed),
	);
	app.post('/dashboard/sign-out', async (c) => {
		if (c.var.signedIn !== null) await signOut(c.var.services, { token: c.var.sessionToken });
		endSession(c);
		leaveFlash(c, { kind: 'done', text: 'You are signed out' });
		return c.redirect(SIGN_IN, 303);
	});
}

async function takeSignIn(c: FormContext<typeof signInForm>): Promise<Response> {
	const { email: address, keep, next: wanted } = c.req.valid('form');
	return sendCode(c, address, { keepsAddress: keep === address.email, next: safeNext(wanted) });
}

async function takeAgain(c: FormContext<typeof againForm>): Promise<Response> {
	const back = safeNext(c.req.valid('form').next);
	const awaited = await lookAtCode(c.var.services, { challenge: readCookie(c, 'code'), mover: null });
	const parsed = awaited === null ? null : parseAddress(awaited.email);
	if (awaited === null || parsed?.ok !== true) return c.redirect(signInPath(SIGN_IN, back), 303);
	if (awaited.againInMs === 0) return sendCode(c, parsed.address, { keepsAddress: true, next: back });
	const early = { kind: 'throttled', retryAfterMs: awaited.againInMs } as const;
	return showCode(c, { next: back, problem: describeThrottled(c, early) }, 429);
}

async function sendCode(
	c: PageContext,
	address: Address,
	{ keepsAddress, next: back }: { keepsAddress: boolean; next: string },
): Promise<Response> {
	const page = signInPath(`${SIGN_IN}/code`, back);
	const result = await askCode(c.var.services, askRequestOf(c, address, { keepsAddress, page }), null);
	if (result.kind === 'sent') {
		writeCookie(c, 'code', result.challenge);
		return c.redirect(page, 303);
	}
	const { draft, status } = wrongAddress(c, result);
	return showSignIn(c, { email: address.email, next: back, ...draft }, status);
}

/** The request for a code from this browser and its form. `page`: the path of the page for the code. */
export function askRequestOf(
	c: PageContext,
	address: Address,
	{ keepsAddress, page }: { keepsAddress: boolean; page: string },
): AskRequest {
	return {
		address,
		keepsAddress,
		client: clientAndDevice(c).client,
		binding: bindingOf(c),
		formId: c.var.formId,
		page: new URL(page, publicBase(c)),
	};
}

/** The words for an address that gets no code. */
export function wrongAddress(
	c: PageContext,
	result: Exclude<AskResult, { kind: 'sent' }>,
): { draft: { errors?: FieldErrors; suggestion?: string; problem?: string }; status: 422 | 429 } {
	switch (result.kind) {
		case 'typo':
			return { draft: { suggestion: result.suggestion }, status: 422 };
		case 'disposable': {
			const email = 'This is a disposable address. Use one where we can reach you';
			return { draft: { errors: { email } }, status: 422 };
		}
		case 'no_mail': {
			const email = 'This domain takes no mail. Check the part after the @';
			return { draft: { errors: { email } }, status: 422 };
		}
		case 'throttled':
			return { draft: { problem: describeThrottled(c, result) }, status: 429 };
	}
}

async function takeCode(c: FormContext<typeof codeForm>): Promise<Response> {
	const { code, next: wanted } = c.req.valid('form');
	const back = safeNext(wanted);
	const result = await signIn(c.var.services, {
		challenge: readCookie(c, 'code'),
		typed: code,
		earlierToken: readCookie(c, 'session'),
		...clientAndDevice(c),
	});
	switch (result.kind) {
		case 'signed_in':
			beginSession(c, result.token);
			if (result.trial !== null) leaveFlash(c, { kind: 'done', text: WELCOME[result.trial] });
			return c.redirect(back, 303);
		case 'wrong_code':
			return showCode(c, { next: back, code, errors: { code: WRONG_CODE } }, 422);
		case 'code_ended':
			// The same browser sent the form twice: the first time signed it in.
			return c.var.signedIn === null ? showEnded(c) : c.redirect(back, 303);
		case 'throttled':
			return showCode(c, { next: back, code, problem: describeThrottled(c, result) }, 429);
	}
}

export const WRONG_CODE = 'This code is wrong. Use the six digits of the newest mail';

function signInPath(path: string, back: string): string {
	return back === '/dashboard' ? path : `${path}?next=${encodeURIComponent(back)}`;
}

interface SignInDraft {
	readonly next: string;
	readonly email?: string;
	readonly errors?: FieldErrors;
	readonly suggestion?: string;
	readonly problem?: string;
}

async function showSignIn(c: PageContext, draft: SignInDraft, status: Status = 200): Promise<Response> {
	const { email = '', errors = {}, suggestion = null, problem = null } = draft;
	const { trialCredits } = c.var.services;
	const page = { next: draft.next, email, errors, suggestion, problem, trialCredits, flash: takeFlash(c) };
	return showPage(c, <SignInPage view={viewOf(c)} {...page} />, status);
}

interface CodeDraft {
	readonly next: string;
	readonly code?: string;
	readonly errors?: FieldErrors;
	readonly problem?: string;
}

async function showCode(c: PageContext, draft: CodeDraft, status: Status = 200): Promise<Response> {
	const awaited = await lookAtCode(c.var.services, { challenge: readCookie(c, 'code'), mover: null });
	if (awaited === null) return showEnded(c);
	const { code = '', errors = {}, problem = null } = draft;
	const page = { next: draft.next, email: awaited.email, code, errors, problem };
	return showPage(c, <CodePage view={viewOf(c)} {...page} mailboxHere={mailboxHere(c) !== null} />, status);
}

async function showEnded(c: PageContext): Promise<Response> {
	return showPage(c, <CodeEndedPage view={viewOf(c)} />, 410);
}
