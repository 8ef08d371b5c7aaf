import { TEXTS } from 'docs:pages';
import type { Hono } from 'hono';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { escapeMarkup } from '../../lib/text.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { mailboxHere, OWN_TERMS, siteOf, viewOf } from '../make-view.ts';
import { StatusPage } from '../pages/public/status.tsx';
import { showPage } from '../show-page.ts';
import { list } from '../format.ts';
import { TextPage, WrittenPage } from '../parts/text-page.tsx';
import type { TextFacts } from '../parts/text-page.tsx';
import { docsPaths } from './docs.tsx';
import { MailboxPage } from '../pages/mailbox.tsx';

/** The fact without which a page has nothing to say. */
const NEEDED: Readonly<Record<string, string>> = {
	[OWN_TERMS]: 'operator',
	'/imprint': 'operator',
	'/contact': 'contact',
};

/** The pages about the operator, the terms and the state of this installation. */
export function addCompany(app: Hono<DashboardEnv>): void {
	for (const page of TEXTS)
		app.get(page.path, async (c) => {
			const { TERMS_URL } = c.var.services.config;
			if (page.path === OWN_TERMS && TERMS_URL !== undefined) return c.redirect(TERMS_URL, 302);
			const facts = factsOf(c);
			const needed = NEEDED[page.path];
			if (needed !== undefined && facts[needed] === undefined) return showNotFilledIn(c, page.title);
			return showPage(c, <WrittenPage view={viewOf(c)} page={page} facts={facts} />);
		});
	app.get('/status', async (c) => {
		const health = await c.var.services.health();
		return showPage(c, <StatusPage view={viewOf(c)} health={health} />);
	});
}

async function showNotFilledIn(c: PageContext, title: string): Promise<Response> {
	const page = (
		<TextPage view={viewOf(c)} title={title} description="Not filled in.">
			<p>The operator of this installation has not filled this in.</p>
		</TextPage>
	);
	return showPage(c, page, 404);
}

function factsOf(c: PageContext): TextFacts {
	const { config, jobTiming } = c.var.services;
	const { LEGAL_NAME: name, LEGAL_ADDRESS: lines, CONTACT_ADDRESS: mail, CONTACT_URL: url } = config;
	const isNamed = name !== undefined && lines !== undefined;
	return {
		kept: escapeMarkup(retentionInWords(jobTiming.resultsTtlMs)),
		operator: isNamed ? escapeMarkup(name) : undefined,
		address: isNamed
			? `<strong>${escapeMarkup(name)}</strong><br>${lines.map(escapeMarkup).join('<br>')}`
			: undefined,
		mail: mail === undefined ? undefined : linkOf(`mailto:${mail}`),
		sales: url === undefined || url === `mailto:${mail}` ? undefined : linkOf(url),
		contact: siteOf(config).hasContact ? '' : undefined,
		peace:
			mail === undefined
				? 'postmaster at the domain of the name that our machine introduced itself with (the name after EHLO in your log),'
				: linkOf(`mailto:${mail}`),
		resolvers: escapeMarkup(list(config.DOH_URL.map((one) => new URL(one).hostname))),
		'kept-in': config.JURISDICTION === 'eu' ? ', kept in the European Union' : '',
		payments: config.STRIPE_SECRET_KEY === undefined ? undefined : '',
	};
}

function linkOf(url: string): string {
	return `<a href="${escapeMarkup(url)}">${escapeMarkup(url.replace(/^(?:https:\/\/|mailto:)/, ''))}</a>`;
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
	const entries = urls.map((url) => `\t<url><loc>${escapeMarkup(url)}</loc></url>`);
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
		...entries,
		'</urlset>',
		'',
	].join('\n');
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
