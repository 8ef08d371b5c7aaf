import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Services } from '../services.ts';
import { strictTransport } from '../config.ts';
import type { DashboardEnv } from './view.ts';

/** Our own origin only: no inline scripts or styles, no frames, no forms to other sites. */
const POLICY = {
	defaultSrc: ["'none'"],
	scriptSrc: ["'self'"],
	styleSrc: ["'self'"],
	imgSrc: ["'self'", 'data:'],
	fontSrc: ["'self'"],
	connectSrc: ["'self'"],
	baseUri: ["'none'"],
	frameAncestors: ["'none'"],
};

const HEADERS = {
	// With `no-referrer` browsers would send `Origin: null` with our own forms.
	referrerPolicy: 'same-origin',
	xFrameOptions: 'DENY',
	permissionsPolicy: { camera: false, geolocation: false, microphone: false, payment: false },
	// Set below, as configured.
	strictTransportSecurity: false,
};

// Where the form of a price leads: a browser holds `form-action` against redirects, too.
const PAYMENT_PAGES = 'https://checkout.stripe.com';

/** Where the forms of a page may lead: those of the price table lead to the payment page. */
function formActionOf(path: string, services: Services | undefined): string[] {
	if (path !== '/dashboard/credits/add' || (services?.checkout ?? null) === null) return ["'self'"];
	const other = services?.config.STRIPE_API_URL;
	return ["'self'", PAYMENT_PAGES, ...(other === undefined ? [] : [new URL(other).origin])];
}

/** Sets the headers of every page and file. Pages are not cached unless the handler says otherwise. */
export const withSecurityHeaders: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	await next();
	// There are no services for our own files, or when the configuration can't be read.
	const services: Services | undefined = c.var.services;
	const policy = { ...POLICY, formAction: formActionOf(c.req.path, services) };
	await secureHeaders({ ...HEADERS, contentSecurityPolicy: policy })(c, async () => {});
	const transport = services === undefined ? null : strictTransport(services.config);
	if (transport !== null) c.header('Strict-Transport-Security', transport);
	c.header('X-Request-Id', c.var.requestId);
	// Search engines keep no page of a person, and nothing that is no page.
	if (/^\/dashboard(?:\/|$)/.test(c.req.path) || c.res.status >= 400) c.header('X-Robots-Tag', 'noindex');
	if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};
