import type { MiddlewareHandler } from 'hono';
import type { DashboardEnv } from './context.ts';

/** All comes from us: no inline scripts or styles, no frames, no forms to elsewhere. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"font-src 'self'",
	"connect-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join('; ');

const HEADERS = {
	'Content-Security-Policy': POLICY,
	// With `no-referrer` browsers would send `Origin: null` with our own forms.
	'Referrer-Policy': 'same-origin',
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

/** Headers of every page and file. Pages are kept nowhere, unless the handler says otherwise. */
export const withSecurityHeaders: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	await next();
	for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
	if (new URL(c.req.url).protocol === 'https:') c.header('Strict-Transport-Security', 'max-age=31536000');
	c.header('X-Request-Id', c.var.requestId);
	if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};
