import { Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import { trimTrailingSlash } from 'hono/trailing-slash';
import type { Services } from '../services.ts';
import { newId } from '../lib/encodings.ts';
import { ASSETS, FAVICON } from './assets.ts';
import { addDocs } from './pages/docs.tsx';
import type { DashboardEnv } from './view.ts';
import { refuseForeignForms } from './form.tsx';
import { isPerson, showError, showNotFound } from './on-error.tsx';
import { addCompany, addCrawlers, addMailbox, addTheme } from './pages/public.tsx';
import { addLedgerFile, creditsPlace } from './pages/credits.tsx';
import { draftPage } from './pages/draft.tsx';
import { answerPlace, homePlace } from './pages/home.tsx';
import { keyPlace, keysPlace } from './pages/keys.tsx';
import { addListPage } from './pages/list.tsx';
import { addLists } from './pages/lists.tsx';
import { addCreditsPlace, purchasePlace } from './pages/payments.tsx';
import { changeAddressPlace, newAddressPlace, settingsPlace } from './pages/settings.tsx';
import { addSignOut, codePlace, signInPlace } from './pages/sign-in.tsx';
import { webhookPlace, webhooksPlace } from './pages/webhooks.tsx';
import { landingPlace } from './pages/landing.tsx';
import { withSecurityHeaders } from './security-headers.ts';
import { requireSignedIn, withSession } from './view.ts';

/** Pages of those who are not signed in. */
const OPEN = [landingPlace, signInPlace, codePlace] as const;
/** Pages of those who are. */
const PLACES = [
	homePlace,
	answerPlace,
	keysPlace,
	keyPlace,
	webhooksPlace,
	webhookPlace,
	draftPage,
	creditsPlace,
	addCreditsPlace,
	purchasePlace,
	settingsPlace,
	changeAddressPlace,
	newAddressPlace,
] as const;

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
	app.get('/assets/:name', (c) => {
		const asset = ASSETS.get(c.req.param('name'));
		if (asset === undefined) return c.notFound();
		// The file's name changes with its content.
		c.header('Cache-Control', 'public, max-age=31536000, immutable');
		return c.body(asset.content, 200, { 'Content-Type': asset.type });
	});
	app.get('/favicon.ico', (c) => {
		c.header('Cache-Control', 'public, max-age=86400');
		return c.body(FAVICON, 200, { 'Content-Type': 'image/png' });
	});
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
	addListPage(app);
	for (const each of PLACES) each.addTo(app);
	addLedgerFile(app);
	return app;
}
