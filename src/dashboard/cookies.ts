import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { BROWSER_KNOWN_MS } from '../core/identity/known-browser.ts';
import { SESSION_ABSOLUTE_MS } from '../core/identity/session-lifetime.ts';
import type { PageContext } from './context.ts';

/**
 * Our cookies. With the prefix `__Host-` the browser enforces Secure, no Domain and Path=/, so that no other host, not
 * even a sibling domain, can set one (RFC 6265bis §4.1.3.2). Browsers also accept them from http://localhost and
 * http://127.0.0.1, which they trust.
 */
const COOKIES = {
	session: '__Host-session',
	visitor: '__Host-visitor',
	flash: '__Host-flash',
	/** Between the password and the code of who signs in. */
	half: '__Host-half',
	/** Kept after signing out: it shows that the browser has signed in before. */
	browser: '__Host-browser',
} as const;

type CookieName = keyof typeof COOKIES;

const SECURE = { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' } as const;
const LIFETIME_SECONDS: Readonly<Record<CookieName, number>> = {
	session: SESSION_ABSOLUTE_MS / 1000,
	visitor: 24 * 3_600,
	flash: 300,
	half: 600,
	browser: BROWSER_KNOWN_MS / 1000,
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
