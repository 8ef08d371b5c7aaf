import { Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import { trimTrailingSlash } from 'hono/trailing-slash';
import type { Services } from '../services.ts';
import { newId } from '../lib/encodings.ts';
import { ASSETS, FAVICON } from './assets.ts';
import { addDocs } from './routes/docs.tsx';
import type { DashboardEnv } from './context.ts';
import { refuseForeignForms } from './forms.ts';
import { isPerson, showError, showNotFound } from './on-error.tsx';
import { addChangeAddress } from './routes/people/change-address.tsx';
import { addCompany, addCrawlers, addMailbox } from './routes/public.tsx';
import { addCreditsPage } from './routes/credits.tsx';
import { addKeys } from './routes/keys.tsx';
import { addLanding } from './routes/landing.tsx';
import { draftPage } from './pages/draft.tsx';
import { addListPage } from './pages/list.tsx';
import { addLists } from './pages/lists.tsx';
import { addPaymentPages } from './routes/payments.tsx';
import { addOverview } from './routes/overview.tsx';
import { addSettings } from './routes/people/settings.tsx';
import { addSignIn } from './routes/people/sign-in.tsx';
import { addTheme } from './routes/theme.ts';
import { addSearch } from './routes/search.tsx';
import { addVerifyPage } from './routes/verify.tsx';
import { addWebhookPages } from './routes/webhooks.tsx';
import { withSecurityHeaders } from './security-headers.ts';
import { requireSignedIn, withSession } from './session.ts';

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
	addLanding(app);
	addDocs(app);
	addCompany(app);
	addCrawlers(app);
	addSignIn(app);
	addMailbox(app);
	// All pages from here on require a signed-in person.
	app.use('/dashboard', requireSignedIn);
	app.use('/dashboard/*', requireSignedIn);
	addOverview(app);
	addSearch(app);
	addVerifyPage(app);
	addLists(app);
	draftPage.addTo(app);
	addListPage(app);
	addKeys(app);
	addWebhookPages(app);
	addCreditsPage(app);
	addPaymentPages(app);
	addSettings(app);
	addChangeAddress(app);
	return app;
}
