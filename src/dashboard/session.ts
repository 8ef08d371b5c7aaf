import type { MiddlewareHandler } from 'hono';
import type { BegunSession } from '../operations/people/steps/begin-session.ts';
import type { Admitted } from '../operations/accounts/port.ts';
import type { SignedIn } from '../operations/people/port.ts';
import { findSession } from '../operations/people/find-session.ts';
import { OWNERS_KEY_ID } from '../operations/verify/verify-for-owner.ts';
import type { DashboardEnv, PageContext } from './context.ts';
import { clearCookie, readCookie, writeCookie } from './cookies.ts';

/** Middleware that finds out who is signed in. */
export const withSession: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	c.set('visitor', readCookie(c, 'visitor'));
	const token = readCookie(c, 'session');
	const signedIn = token === null || token === '' ? null : await findSession(c.var.services, { token });
	c.set('signedIn', signedIn);
	c.set('sessionToken', signedIn === null ? '' : (token ?? ''));
	await next();
};

/** Redirects to the sign-in page, which leads back here, if nobody is signed in. */
export const requireSignedIn: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	if (c.var.signedIn !== null) return next();
	const back = pageOf(c);
	const query = back === null ? '' : `?next=${encodeURIComponent(back)}`;
	return c.redirect(`/dashboard/sign-in${query}`, 303);
};

/** The page that the person sees: of a form, which a redirect can't repeat, the one that it stands on. */
function pageOf(c: PageContext): string | null {
	const { origin, pathname, search } = new URL(c.req.url);
	if (c.req.method === 'GET' || c.req.method === 'HEAD') return pathname + search;
	const from = c.req.header('referer') ?? '';
	const page = URL.canParse(from) ? new URL(from) : null;
	return page?.origin === origin ? page.pathname + page.search : null;
}

/** The session and its person, on pages behind `requireSignedIn`. */
export function signedInOf(c: PageContext): SignedIn {
	if (c.var.signedIn === null) throw new Error('This page is behind requireSignedIn');
	return c.var.signedIn;
}

/** The account of the person who is signed in, in which they act without a key. */
export function ownerOf(c: PageContext): Admitted {
	return { accountId: signedInOf(c).user.accountId, keyId: OWNERS_KEY_ID };
}

/** Sets the cookies of a new session, which replaces any earlier one, and of the known browser. */
export function beginSession(c: PageContext, { token, browserToken }: BegunSession): void {
	writeCookie(c, 'session', token);
	clearCookie(c, 'visitor');
	keepBrowser(c, browserToken);
}

/** Sets the cookie by which the browser is known. */
export function keepBrowser(c: PageContext, browserToken: string | null): void {
	if (browserToken !== null) writeCookie(c, 'browser', browserToken);
}

export function endSession(c: PageContext): void {
	clearCookie(c, 'session');
}

/** The path to go to after signing in, if it is one of the dashboard; else the overview. */
export function safeNext(text: string | undefined): string {
	if (text === undefined || !/^\/dashboard(?:[/?]|$)/.test(text)) return '/dashboard';
	const here = 'https://dashboard.test';
	const url = URL.canParse(text, here) ? new URL(text, here) : null;
	return url?.origin === here && url.pathname.startsWith('/dashboard')
		? url.pathname + url.search
		: '/dashboard';
}
