import { ASSET_PATHS } from 'built:site';
import { Hono } from 'hono';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { secureHeaders } from 'hono/secure-headers';
import { trimTrailingSlash } from 'hono/trailing-slash';
import { strictTransport } from '../config.ts';
import type { Services } from '../services.ts';
import { newId } from '../lib/encodings.ts';
import { addDocs } from './pages/docs.tsx';
import type { DashboardEnv, PageContext } from './view.ts';
import { refuseForeignForms } from './form.tsx';
import { isPerson, showError, showNotFound } from './on-error.tsx';
import { addCompany, addCrawlers, addMailbox, addTheme } from './pages/public.tsx';
import { creditsPlace } from './pages/credits.tsx';
import { draftPage } from './pages/draft.tsx';
import { answerPlace, homePlace } from './pages/home.tsx';
import { apiPlace, keyPlace } from './pages/api.tsx';
import { listPage } from './pages/list.tsx';
import { addLists } from './pages/lists.tsx';
import { addCreditsPlace, purchasePlace } from './pages/payments.tsx';
import { changeAddressPlace, newAddressPlace, settingsPlace } from './pages/settings.tsx';
import { addSignOut, codePlace, signInPlace } from './pages/sign-in.tsx';
import { webhookPlace } from './pages/webhooks.tsx';
import { hrefOf } from './layout.tsx';
import { landingPlace } from './pages/landing.tsx';
import { builtFile, requireSignedIn, withSession } from './view.ts';

/** Pages of those who are not signed in. */
const OPEN = [landingPlace, signInPlace, codePlace] as const;
/** Pages of those who are. */
const PLACES = [
	homePlace,
	answerPlace,
	apiPlace,
	keyPlace,
	webhookPlace,
	draftPage,
	listPage,
	creditsPlace,
	addCreditsPlace,
	purchasePlace,
	settingsPlace,
	changeAddressPlace,
	newAddressPlace,
] as const;

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
const withSecurityHeaders: MiddlewareHandler<DashboardEnv> = async (c, next) => {
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

/** The pages for people. */
export function createDashboard(makeServices: (env: Env) => Services): Hono<DashboardEnv> {
	const app = new Hono<DashboardEnv>();
	app.onError(showError);
	app.notFound(showNotFound);
	app.use('*', async (c, next) => {
		c.set('requestId', newId('req'));
		await next();
	});
	app.use('*', withSecurityHeaders);
	app.use('*', async (c, next) => {
		// No session is read, and no form is judged, for a program that calls a path of no page.
		const isServed = matchedRoutes(c).some(({ path }) => path !== '/*');
		return isServed || isPerson(c) ? next() : c.notFound();
	});
	app.use('*', trimTrailingSlash({ alwaysRedirect: true }));
	// The file's name changes with its content.
	app.get('/assets/:name', (c) => sendFile(c, c.req.path, 'public, max-age=31536000, immutable'));
	// Browsers ask for it by themselves.
	app.get('/favicon.ico', (c) => sendFile(c, ASSET_PATHS.favicon, 'public, max-age=86400'));
	app.use('*', async (c, next) => {
		c.set('services', makeServices(c.env));
		await next();
	});
	app.use('*', refuseForeignForms);
	app.use('*', withSession);
	addTheme(app);
	addDocs(app);
	addCompany(app);
	addCrawlers(app);
	for (const each of OPEN) each.addTo(app);
	addSignOut(app);
	addMailbox(app);
	// All pages from here on require a signed-in person.
	app.use('/dashboard', requireSignedIn);
	app.use('/dashboard/*', requireSignedIn);
	addLists(app);
	// Each had a page of its own.
	for (const part of ['keys', 'webhooks'])
		app.get(`/dashboard/${part}`, (c) => c.redirect(`${hrefOf('API')}#${part}`));
	for (const each of PLACES) each.addTo(app);
	return app;
}

async function sendFile(c: PageContext, path: string, cacheControl: string): Promise<Response> {
	const file = await builtFile(c, path);
	if (file === null) return c.notFound();
	const type = file.headers.get('Content-Type') ?? '';
	return c.body(await file.arrayBuffer(), 200, { 'Cache-Control': cacheControl, 'Content-Type': type });
}
