import type { MiddlewareHandler } from 'hono';
import type { BegunSession } from '../operations/people/steps/begin-session.ts';
import type { Admitted } from '../operations/accounts/port.ts';
import type { SignedIn } from '../operations/people/port.ts';
import { findSession } from '../operations/people/find-session.ts';
import { OWNERS_KEY_ID } from '../operations/verify/verify-for-owner.ts';
import type { DashboardEnv, PageContext } from './context.ts';
import { clearCookie, readCookie, writeCookie } from './cookies.ts';

/** Finds out who is signed in, for all pages. */
export const withSession: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	c.set('visitor', readCookie(c, 'visitor'));
	const token = readCookie(c, 'session');
	const signedIn = token === null || token === '' ? null : await findSession(c.var.services, { token });
	c.set('signedIn', signedIn);
	c.set('sessionToken', signedIn === null ? '' : (token ?? ''));
	await next();
};

/** Sends whoever is not signed in to the sign-in page, which comes back here. */
export const requireSignedIn: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	if (c.var.signedIn !== null) return next();
	const { pathname, search } = new URL(c.req.url);
	// A form that was sent can't be repeated: its page can.
	const back = c.req.method === 'GET' ? `?next=${encodeURIComponent(pathname + search)}` : '';
	return c.redirect(`/dashboard/sign-in${back}`, 303);
};

/** Who is signed in, on pages behind `requireSignedIn`. */
export function signedInOf(c: PageContext): SignedIn {
	if (c.var.signedIn === null) throw new Error('This page is behind requireSignedIn');
	return c.var.signedIn;
}

/** Their account, in which they do things without a key. */
export function ownerOf(c: PageContext): Admitted {
	return { accountId: signedInOf(c).user.accountId, keyId: OWNERS_KEY_ID };
}

/** Gives the browser a new session's token in the place of whatever it had, and what it is known by. */
export function beginSession(c: PageContext, { token, browserToken }: BegunSession): void {
	writeCookie(c, 'session', token);
	clearCookie(c, 'visitor');
	keepBrowser(c, browserToken);
}

/** From now on the browser is known. */
export function keepBrowser(c: PageContext, browserToken: string | null): void {
	if (browserToken !== null) writeCookie(c, 'browser', browserToken);
}

export function endSession(c: PageContext): void {
	clearCookie(c, 'session');
}

/** A path of the dashboard to go to after signing in; anything else leads to the overview. */
export function safeNext(text: string | undefined): string {
	if (text === undefined || !/^\/dashboard(?:[/?]|$)/.test(text)) return '/dashboard';
	const here = 'https://dashboard.test';
	const url = URL.canParse(text, here) ? new URL(text, here) : null;
	return url?.origin === here && url.pathname.startsWith('/dashboard')
		? url.pathname + url.search
		: '/dashboard';
}
