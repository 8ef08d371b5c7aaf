import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { BROWSER_KNOWN_MS } from '../core/identity/known-browser.ts';
import { SESSION_ABSOLUTE_MS } from '../core/identity/session-lifetime.ts';
import type { PageContext } from './context.ts';

/**
 * Our cookies. `__Host-` makes the browser insist on what we ask for: Secure, no Domain, Path=/; so no other host, not
 * even a sister domain, can plant one (RFC 6265bis §4.1.3.2). Browsers take them from http://localhost and
 * http://127.0.0.1, which they trust.
 */
const COOKIES = {
	session: '__Host-session',
	visitor: '__Host-visitor',
	flash: '__Host-flash',
	/** Stays after signing out: by it a browser is known to have signed in before. */
	browser: '__Host-browser',
} as const;

type CookieName = keyof typeof COOKIES;

const SECURE = { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' } as const;
const LIFETIME_SECONDS: Readonly<Record<CookieName, number>> = {
	session: SESSION_ABSOLUTE_MS / 1000,
	visitor: 24 * 3_600,
	flash: 300,
	browser: BROWSER_KNOWN_MS / 1000,
};

/** The value of one of our cookies; null without it. */
export function readCookie(c: PageContext, name: CookieName): string | null {
	return getCookie(c, COOKIES[name]) ?? null;
}

export function writeCookie(c: PageContext, name: CookieName, value: string): void {
	setCookie(c, COOKIES[name], value, { ...SECURE, maxAge: LIFETIME_SECONDS[name] });
}

export function clearCookie(c: PageContext, name: CookieName): void {
	deleteCookie(c, COOKIES[name], SECURE);
}
