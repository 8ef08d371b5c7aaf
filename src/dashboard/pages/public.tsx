import { PAGES, TEXTS } from 'built:site';
import type { DocsPage } from 'built:site';
import { setCookie } from 'hono/cookie';
import { raw } from 'hono/html';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { escapeMarkup } from '../../lib/text.ts';
import type { DevelopmentMail } from '../../operations/people/port.ts';
import type { Services } from '../../services.ts';
import type { PageApp, PageContext } from '../view.ts';
import { list } from '../format.ts';
import { readFields } from '../form.tsx';
import { NarrowPage, PublicPage, showPage } from '../layout.tsx';
import { Shape, Time, Empty, Mono } from '../parts/table.tsx';
import { builtText, mailboxHere, OWN_TERMS, siteOf, THEMES } from '../view.ts';
import { fillIn } from './docs.tsx';

/** A public page to be read from top to bottom. */
function TextPage({ children, ...page }: Parameters<typeof PublicPage>[0]) {
	return (
		<PublicPage {...page}>
			<article class="text-page stack">
				<h1>{page.title}</h1>
				{children}
			</article>
		</PublicPage>
	);
}

/** The fact without which a page has nothing to say. */
const NEEDED: Readonly<Record<string, string>> = {
	[OWN_TERMS]: 'operator',
	'/imprint': 'operator',
	'/contact': 'contact',
};

/** The pages about the operator, the terms and the state of this installation. */
export function addCompany(app: PageApp): void {
	for (const page of TEXTS)
		app.get(page.path, async (c) => {
			const { TERMS_URL, LEGAL_NAME: operator } = c.var.services.config;
			if (page.path === OWN_TERMS && TERMS_URL !== undefined) return c.redirect(TERMS_URL, 302);
			const facts = factsOf(c);
			const isThere = saysSomething(page, facts);
			const html = isThere ? fillIn(await builtText(c, page.path, 'html'), facts) : null;
			const named = { ...page, summary: fillIn(page.summary, { operator }) };
			return showPage(c, <WrittenPage page={named} html={html} />, isThere ? 200 : 404);
		});
	app.get('/status', async (c) => {
		const health = await c.var.services.health();
		return showPage(c, <StatusPage health={health} />);
	});
}

function saysSomething({ path }: DocsPage, facts: TextFacts): boolean {
	const needed = NEEDED[path];
	return needed === undefined || facts[needed] !== undefined;
}

/** Facts about this installation, as HTML; undefined: there is none. */
type TextFacts = Readonly<Record<string, string | undefined>>;

/** A text that the build made, with the facts of this installation; null: its operator gave none. */
export function WrittenPage({ page, html }: { readonly page: DocsPage; readonly html: string | null }) {
	const { title, summary, path } = page;
	return html === null ? (
		<TextPage title={title} description="Not filled in.">
			<p>The operator of this installation has not filled this in.</p>
		</TextPage>
	) : (
		<TextPage title={title} description={summary} address={path}>
			{raw(html)}
		</TextPage>
	);
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
export function addCrawlers(app: PageApp): void {
	app.get('/robots.txt', (c) => {
		const { base } = siteOf(c.var.services.config);
		if (base === null) return c.text('User-agent: *\nDisallow: /\n');
		const rules = NOT_FOR_CRAWLERS.map((path) => `Disallow: ${path}`);
		return c.text(`${['User-agent: *', ...rules, '', `Sitemap: ${base}/sitemap.xml`].join('\n')}\n`);
	});
	app.get('/sitemap.xml', (c) => {
		const { base, terms } = siteOf(c.var.services.config);
		if (base === null) return c.notFound();
		const facts = factsOf(c);
		const texts = TEXTS.filter(
			(page) => saysSomething(page, facts) && (page.path !== OWN_TERMS || terms === OWN_TERMS),
		);
		const paths = ['/', '/status', ...[...texts, ...PAGES].map(({ path }) => path)];
		// https://www.sitemaps.org/protocol.html
		const entries = paths.map((path) => `\t<url><loc>${escapeMarkup(base + path)}</loc></url>\n`).join('');
		return c.body(
			`<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`,
			200,
			{ 'Content-Type': 'application/xml; charset=utf-8' },
		);
	});
}

/** GET /dashboard/dev/mailbox: stored mails. Exists on a developer's machine only. */
export function addMailbox(app: PageApp): void {
	app.get('/dashboard/dev/mailbox', async (c) => {
		const mailbox = mailboxHere(c);
		if (mailbox === null) return c.notFound();
		const mails = await mailbox.list();
		return showPage(c, <MailboxPage mails={mails} />);
	});
}

const LINK = /(https?:\/\/\S+)/;

/** Mails that a developer's machine stored instead of sending, with clickable links. */
export function MailboxPage({ mails }: { readonly mails: readonly DevelopmentMail[] }) {
	return (
		<NarrowPage
			title="Mailbox"
			lead="Only a development machine has this page. In production we send these mails."
		>
			{mails.length === 0 && (
				<Empty title="No mail yet" text="Sign in, and the mail with the code lands here." />
			)}
			{mails.map((mail) => (
				<article class="stack-small" aria-labelledby={`mail-${mail.id}`}>
					<h2 id={`mail-${mail.id}`}>{mail.subject}</h2>
					<p class="quiet small">
						To <Mono text={mail.to} />, <Time at={mail.at} />
					</p>
					{mail.text
						.trim()
						.split('\n\n')
						.map((paragraph) => (
							<p>
								{paragraph.split(LINK).map((piece) =>
									LINK.test(piece) ? (
										<a href={piece}>
											<Mono text={piece} />
										</a>
									) : (
										piece
									),
								)}
							</p>
						))}
				</article>
			))}
		</NarrowPage>
	);
}

const PARTS = [
	['database', 'Sign-in and the dashboard', 'The database answers.'],
	['accounts', 'Credits and verifications', 'Accounts answer.'],
	['files', 'Lists and results', 'Files can be read.'],
	['queues', 'Work on lists', 'Lists can be handed out.'],
	['keys', 'API keys', 'Keys can be checked.'],
	['probers', 'Asking mail servers', 'A machine that asks them is ready.'],
] as const satisfies readonly (readonly [keyof Health, string, string])[];

type Health = Awaited<ReturnType<Services['health']>>;

/** How the service is at this moment: what /healthz says, for people. */
export function StatusPage({ health }: { readonly health: Health }) {
	const allWell = PARTS.every(([part]) => health[part].length === 0);
	return (
		<TextPage
			title="Status"
			description="Whether the service works at this moment: accounts, keys, and the machines that ask mail servers."
			address="/status"
		>
			<p>{allWell ? 'All systems work.' : 'Some systems do not work.'}</p>
			<ul class="health">
				{PARTS.map(([part, name, well]) => {
					const [problem] = health[part];
					const tone = problem === undefined ? 'deliverable' : 'undeliverable';
					return (
						<li class="row">
							<span class={`disc tone-${tone}`}>
								<Shape tone={tone} />
							</span>
							<div>
								<h2>{name}</h2>
								<p class="quiet">{problem === undefined ? well : 'Does not work at the moment.'}</p>
							</div>
							<strong class={`ink-${tone}`}>{problem === undefined ? 'Works' : 'Fails'}</strong>
						</li>
					);
				})}
			</ul>
			<p class="quiet">
				Checked within the last ten seconds. This page keeps no history. We release credits reserved for work
				that fails.
			</p>
			<p>
				For monitors: <a href="/healthz">/healthz</a> is 200 when all is well and 503 when it is not.
			</p>
		</TextPage>
	);
}

/** POST /theme: switches the theme. */
export function addTheme(app: PageApp): void {
	app.post('/theme', async (c) => {
		const fields = await readFields(c);
		const [theme, back] = [fields.get('theme'), fields.get('back')];
		const chosen = THEMES.find((each) => each === theme);
		if (chosen !== undefined) {
			const secure = new URL(c.req.url).protocol === 'https:';
			setCookie(c, 'theme', chosen, { path: '/', maxAge: 31_536_000, sameSite: 'Lax', secure });
		}
		// Only a path of ours: one leading slash, and no character that browsers treat as a second one.
		const isOwnPath = back !== null && /^\/(?![/\\])[^\s\\]*$/.test(back);
		return c.redirect(isOwnPath ? back : '/', 303);
	});
}
