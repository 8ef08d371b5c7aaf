import type { Hono } from 'hono';
import { retentionInWords } from '../../core/jobs/retention.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { mailboxHere, OWN_TERMS, siteOf, viewOf } from '../make-view.ts';
import { ContactPage, ImprintPage, NotFilledInPage, TermsPage } from '../pages/public/legal.tsx';
import type { Contacts, Operator } from '../pages/public/legal.tsx';
import { SecurityPage } from '../pages/people/security.tsx';
import { StatusPage } from '../pages/public/status.tsx';
import { showPage } from '../show-page.ts';
import { docsPaths } from './docs.tsx';
import { OptOutPage } from '../pages/public/opt-out.tsx';
import { MailboxPage } from '../pages/mailbox.tsx';

/** The pages about the operator, the terms and the state of this installation. */
export function addCompany(app: Hono<DashboardEnv>): void {
	app.get('/security', async (c) => {
		const { config } = c.var.services;
		const page = {
			kept: keptIn(c),
			resolvers: config.DOH_URL.map((url) => new URL(url).hostname),
			checksPeople: config.TURNSTILE_SITE_KEY !== undefined,
			takesPayments: config.STRIPE_SECRET_KEY !== undefined,
			keptIn: config.JURISDICTION === 'eu' ? 'in the European Union' : null,
			operator: operatorOf(c),
		};
		return showPage(c, <SecurityPage view={viewOf(c)} {...page} />);
	});
	app.get('/status', async (c) => {
		const health = await c.var.services.health();
		return showPage(c, <StatusPage view={viewOf(c)} health={health} />);
	});
	app.get('/imprint', async (c) => {
		const operator = operatorOf(c);
		if (operator === null) return showNotFilledIn(c, 'Imprint');
		return showPage(c, <ImprintPage view={viewOf(c)} operator={operator} contacts={contactsOf(c)} />);
	});
	app.get(OWN_TERMS, async (c) => {
		const { TERMS_URL } = c.var.services.config;
		if (TERMS_URL !== undefined) return c.redirect(TERMS_URL, 302);
		const operator = operatorOf(c);
		if (operator === null) return showNotFilledIn(c, 'Terms');
		const page = { operator, contacts: contactsOf(c), kept: keptIn(c) };
		return showPage(c, <TermsPage view={viewOf(c)} {...page} />);
	});
	app.get('/contact', async (c) => {
		const contacts = contactsOf(c);
		if (!viewOf(c).site.hasContact) return showNotFilledIn(c, 'Contact');
		return showPage(c, <ContactPage view={viewOf(c)} operator={operatorOf(c)} contacts={contacts} />);
	});
}

async function showNotFilledIn(c: PageContext, title: string): Promise<Response> {
	return showPage(c, <NotFilledInPage view={viewOf(c)} title={title} />, 404);
}

function operatorOf(c: PageContext): Operator | null {
	const { LEGAL_NAME: name, LEGAL_ADDRESS: address } = c.var.services.config;
	return name === undefined || address === undefined ? null : { name, address };
}

function contactsOf(c: PageContext): Contacts {
	const { CONTACT_ADDRESS: mail = null, CONTACT_URL: url = null } = c.var.services.config;
	return { mail, url };
}

function keptIn(c: PageContext): string {
	return retentionInWords(c.var.services.jobTiming.resultsTtlMs);
}

// The dashboard is left out: a crawler that may not read a page never sees its noindex.
const NOT_FOR_CRAWLERS = ['/v1/', '/ops/', '/mcp', '/try', '/theme'];

/** The files for search engines. Without PUBLIC_URL they have no address to keep. */
export function addCrawlers(app: Hono<DashboardEnv>): void {
	app.get('/robots.txt', (c) => {
		const { base } = siteOf(c.var.services.config);
		if (base === null) return c.text('User-agent: *\nDisallow: /\n');
		const rules = NOT_FOR_CRAWLERS.map((path) => `Disallow: ${path}`);
		return c.text(`${['User-agent: *', ...rules, '', `Sitemap: ${base}/sitemap.xml`].join('\n')}\n`);
	});
	app.get('/sitemap.xml', (c) => {
		const { base, hasOperator, hasContact, terms } = siteOf(c.var.services.config);
		if (base === null) return c.notFound();
		const paths = [
			'/',
			'/security',
			...(terms === OWN_TERMS ? [OWN_TERMS] : []),
			...(hasOperator ? ['/imprint'] : []),
			...(hasContact ? ['/contact'] : []),
			'/status',
			'/opt-out',
			...docsPaths(),
		];
		return c.body(sitemapOf(paths.map((path) => `${base}${path}`)), 200, {
			'Content-Type': 'application/xml; charset=utf-8',
		});
	});
}

/** https://www.sitemaps.org/protocol.html */
function sitemapOf(urls: readonly string[]): string {
	const entries = urls.map((url) => `\t<url><loc>${escapeXml(url)}</loc></url>`);
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
		...entries,
		'</urlset>',
		'',
	].join('\n');
}

function escapeXml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** For those whose mail servers we asked. */
export function addOptOut(app: Hono<DashboardEnv>): void {
	app.get('/opt-out', async (c) => {
		const { CONTACT_ADDRESS: contact = null } = c.var.services.config;
		return showPage(c, <OptOutPage view={viewOf(c)} contact={contact} />);
	});
}

/** GET /dashboard/dev/mailbox: stored mails. Exists on a developer's machine only. */
export function addMailbox(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/dev/mailbox', async (c) => {
		const mailbox = mailboxHere(c);
		if (mailbox === null) return c.notFound();
		const mails = await mailbox.list();
		return showPage(c, <MailboxPage view={viewOf(c)} mails={mails} />);
	});
}
