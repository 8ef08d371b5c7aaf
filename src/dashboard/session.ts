import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { MiddlewareHandler } from 'hono';
import { CODE_MS } from '../core/identity/codes.ts';
import { SESSION_MS } from '../core/identity/tokens.ts';
import type { DashboardEnv, PageContext } from './context.ts';
import { parseJson } from '../lib/text.ts';
import type { Admitted } from '../operations/accounts/port.ts';
import type { SignedIn } from '../operations/people/port.ts';
import { findSession } from '../operations/people/sign-in.ts';
import { OWNERS_KEY_ID } from '../operations/verify/verify-for-owner.ts';

/**
 * Our cookies. With the prefix `__Host-` the browser enforces Secure, no Domain and Path=/, so that no other host, not
 * even a sibling domain, can set one (RFC 6265bis §4.1.3.2). Browsers also accept them from http://localhost and
 * http://127.0.0.1, which they trust.
 */
const COOKIES = {
	session: '__Host-session',
	visitor: '__Host-visitor',
	flash: '__Host-flash',
	/** The challenge of a browser that asked for a code. */
	code: '__Host-code',
} as const;

type CookieName = keyof typeof COOKIES;

const SECURE = { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' } as const;
const LIFETIME_SECONDS: Readonly<Record<CookieName, number>> = {
	session: SESSION_MS / 1000,
	visitor: 24 * 3_600,
	flash: 300,
	code: CODE_MS / 1000,
};

/** The value of one of our cookies, or null. */
export function readCookie(c: PageContext, name: CookieName): string | null {
	return getCookie(c, COOKIES[name]) ?? null;
}

export function writeCookie(c: PageContext, name: CookieName, value: string): void {
	setCookie(c, COOKIES[name], value, { ...SECURE, maxAge: LIFETIME_SECONDS[name] });
}

export function clearCookie(c: PageContext, name: CookieName): void {
	deleteCookie(c, COOKIES[name], SECURE);
}

const schema = z.object({ kind: z.enum(['done', 'failed', 'info']), text: z.string().max(500) });

/** A message about what was just done, for the page after a redirect. */
export type Flash = z.infer<typeof schema>;

/** Leaves a message for the next page that this browser loads. */
export function leaveFlash(c: PageContext, flash: Flash): void {
	writeCookie(c, 'flash', JSON.stringify(flash));
}

/** Takes the message that the last page left; it is shown once. */
export function takeFlash(c: PageContext): Flash | null {
	const text = readCookie(c, 'flash');
	if (text === null) return null;
	clearCookie(c, 'flash');
	return schema.safeParse(parseJson(text)).data ?? null;
}

/** Middleware that finds out who is signed in. */
export const withSession: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	c.set('visitor', readCookie(c, 'visitor'));
	const token = readCookie(c, 'session');
	const signedIn = token === null || token === '' ? null : await findSession(c.var.services, token);
	c.set('signedIn', signedIn);
	c.set('sessionToken', signedIn === null ? '' : (token ?? ''));
	await next();
};

/** Redirects a stranger to the sign-in page, which leads back here. */
export const requireSignedIn: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	if (c.var.signedIn !== null) return next();
	const back = pageOf(c);
	// A cookie without a session: it has ended since.
	if ((readCookie(c, 'session') ?? '') !== '') {
		clearCookie(c, 'session');
		leaveFlash(c, { kind: 'info', text: SESSION_ENDED[isRead(c) ? 'read' : 'sent'] });
	}
	const query = back === null ? '' : `?next=${encodeURIComponent(back)}`;
	return c.redirect(`/dashboard/sign-in${query}`, 303);
};

const SESSION_ENDED = {
	read: 'Your session has ended. Sign in to go on',
	sent: 'Your session had ended, so nothing was changed. Sign in, then send it again',
} as const;

function isRead(c: PageContext): boolean {
	return c.req.method === 'GET' || c.req.method === 'HEAD';
}

/** The page that the person sees: of a form, which a redirect can't repeat, the one that it stands on. */
function pageOf(c: PageContext): string | null {
	const { origin, pathname, search } = new URL(c.req.url);
	if (isRead(c)) return pathname + search;
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

/** The path to go to after signing in, if it is one of the dashboard; else the overview. */
export function safeNext(text: string | undefined): string {
	if (text === undefined || !/^\/dashboard(?:[/?]|$)/.test(text)) return '/dashboard';
	const here = 'https://dashboard.test';
	const url = URL.canParse(text, here) ? new URL(text, here) : null;
	return url?.origin === here && url.pathname.startsWith('/dashboard')
		? url.pathname + url.search
		: '/dashboard';
}
