import type { Hono } from 'hono';
import type { DashboardEnv, PageContext } from '../context.ts';
import type { DocsPage } from '../docs/pages.ts';
import { OWN_TERMS, siteOf } from '../make-view.ts';

// Not the dashboard: whoever may not read a page does not learn from its header that it is not to be kept.
const NOT_FOR_CRAWLERS = ['/v1/', '/ops/', '/mcp', '/try', '/theme'];

/** What search engines ask for. Without PUBLIC_URL there is no address under which they could keep anything. */
export function addCrawlers(
	app: Hono<DashboardEnv>,
	docsOf: (c: PageContext) => readonly Pick<DocsPage, 'path'>[],
): void {
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
			...docsOf(c).map(({ path }) => path),
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
