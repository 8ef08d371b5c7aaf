import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { DashboardEnv } from './context.ts';

const HEADERS: NonNullable<Parameters<typeof secureHeaders>[0]> = {
	// All comes from us: no inline scripts or styles, no frames, no forms to elsewhere.
	contentSecurityPolicy: {
		defaultSrc: ["'none'"],
		scriptSrc: ["'self'"],
		styleSrc: ["'self'"],
		imgSrc: ["'self'", 'data:'],
		fontSrc: ["'self'"],
		connectSrc: ["'self'"],
		formAction: ["'self'"],
		baseUri: ["'none'"],
		frameAncestors: ["'none'"],
	},
	// With `no-referrer` browsers would send `Origin: null` with our own forms.
	referrerPolicy: 'same-origin',
	xFrameOptions: 'DENY',
	permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [] },
	strictTransportSecurity: 'max-age=31536000',
};
const overTls = secureHeaders(HEADERS);
// RFC 6797 §7.2: never over plain HTTP.
const inPlain = secureHeaders({ ...HEADERS, strictTransportSecurity: false });

/** Headers of every page and file. Pages are kept nowhere, unless the handler says otherwise. */
export const withSecurityHeaders: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	const isTls = new URL(c.req.url).protocol === 'https:';
	await (isTls ? overTls : inPlain)(c, next);
	c.header('X-Request-Id', c.var.requestId);
	if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};
