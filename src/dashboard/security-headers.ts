import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { strictTransport } from '../http/strict-transport.ts';
import type { DashboardEnv, PageContext } from './context.ts';
import { CHALLENGE_ORIGIN } from './parts/challenge.tsx';

/** All comes from us: no inline scripts or styles, no frames, no forms to elsewhere. */
const POLICY = {
	defaultSrc: ["'none'"],
	scriptSrc: ["'self'"],
	styleSrc: ["'self'"],
	imgSrc: ["'self'", 'data:'],
	fontSrc: ["'self'"],
	connectSrc: ["'self'"],
	formAction: ["'self'"],
	baseUri: ["'none'"],
	frameAncestors: ["'none'"],
};

const HEADERS = {
	contentSecurityPolicy: POLICY,
	// With `no-referrer` browsers would send `Origin: null` with our own forms.
	referrerPolicy: 'same-origin',
	xFrameOptions: 'DENY',
	permissionsPolicy: { camera: false, geolocation: false, microphone: false, payment: false },
	// As configured, below.
	strictTransportSecurity: false,
};

const usual = secureHeaders(HEADERS);
const withChallenge = secureHeaders({
	...HEADERS,
	contentSecurityPolicy: {
		...POLICY,
		scriptSrc: ["'self'", CHALLENGE_ORIGIN],
		frameSrc: [CHALLENGE_ORIGIN],
	},
});

/** Headers of every page and file. Pages are kept nowhere, unless the handler says otherwise. */
export const withSecurityHeaders: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	await next();
	await (mayAskForPerson(c) ? withChallenge : usual)(c, async () => {});
	// Unknown for our own files, and where the configuration can't be read.
	const transport = c.var.services === undefined ? null : strictTransport(c.var.services.config);
	if (transport !== null) c.header('Strict-Transport-Security', transport);
	c.header('X-Request-Id', c.var.requestId);
	if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};

/** Whether the page is the one that may hold a widget of others. */
function mayAskForPerson(c: PageContext): boolean {
	return c.req.path === '/dashboard/sign-in' && c.var.services?.config.TURNSTILE_SITE_KEY !== undefined;
}
