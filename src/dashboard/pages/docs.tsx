import { PAGES } from 'built:site';
import type { DocsPage } from 'built:site';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { SCOPES } from '../../core/keys/scopes.ts';
import { DEFAULT_LIMITS } from '../../core/rate-limit/window.ts';
import type { PageApp, PageContext, Visit } from '../view.ts';
import { form } from '../form.tsx';
import type { Refusal } from '../form.tsx';
import { count, plural } from '../format.ts';
import { PublicPage, showPage } from '../layout.tsx';
import { CodeBlock, FlashNotice, Notice } from '../parts/basic.tsx';
import { Place } from '../place.tsx';
import { builtText, requireSignedIn, exampleBase } from '../view.ts';
import { makeKey } from './api.tsx';

// The documentation: its pages are made when the Worker is built (tools/docs), and get what is configured here.

const QUICKSTART = '/docs';
const KEY = 'YOUR_API_KEY';

/** The quickstart, which offers a test key: a link to sign in, a button, or the key in all examples. */
export const quickstartPlace = new Place(QUICKSTART, {
	load: ({ c }) => quickstart(c, null),
	view: (data, { view, Form }) => (
		<DocsTextPage {...data}>
			{data.apiKey !== null && (
				<div class="stack">
					<Notice kind="done" announce title="Your test key is in the examples below">
						It contacts no mail server and costs nothing. You see it only this once: copy it to keep it.
					</Notice>
					<CodeBlock id="test-key" code={data.apiKey} what="The test key" wrap />
				</div>
			)}
			{data.apiKey === null && view.viewer === null && (
				<p class="quiet">
					When you are <a href="/dashboard/sign-in">signed in</a>, one button here puts a test key into the
					examples.
				</p>
			)}
			{data.apiKey === null && view.viewer !== null && <Form of="key" />}
			<FlashNotice />
		</DocsTextPage>
	),
	forms: {
		key: form({ at: '', button: 'Make a test key and fill it in', icon: 'plus', run: fillInKey }),
	},
});

async function fillInKey(visit: Visit): Promise<Response | Refusal> {
	const key = { label: 'Quickstart', mode: 'test', scope: SCOPES, expiresAt: null } as const;
	const apiKey = await makeKey(visit, key);
	if (typeof apiKey !== 'string') return apiKey;
	return quickstartPlace.answer(visit, await quickstart(visit.c, apiKey));
}

/** @param apiKey the test key that was just made */
async function quickstart(c: PageContext, apiKey: string | null) {
	const page = PAGES.find(({ path }) => path === QUICKSTART);
	if (page === undefined) throw new Error('The build makes a quickstart');
	return { page, html: await builtText(c, QUICKSTART, 'html'), facts: factsOf(c), apiKey };
}

/** The guides and the reference, each also as Markdown. */
export function addDocs(app: PageApp): void {
	app.get('/llms.txt', (c) => c.text(llmsText(factsOf(c))));
	// People put `.md` behind the address that they see.
	app.get(`${QUICKSTART}.md`, (c) => c.redirect(markdownPath(QUICKSTART), 308));
	app.post(QUICKSTART, requireSignedIn);
	quickstartPlace.addTo(app);
	app.get('/docs/*', (c) => serve(c));
}

async function serve(c: PageContext): Promise<Response> {
	const { path: asked } = c.req;
	const facts = factsOf(c);
	const source = PAGES.find(({ path }) => markdownPath(path) === asked);
	if (source !== undefined) {
		const markdown = await builtText(c, source.path, 'md');
		const text = fillIn(markdown, facts).replace('{{test-key}}\n\n', '');
		return c.body(`${text}\n`, 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
	}
	const page = PAGES.find(({ path }) => path === asked);
	if (page !== undefined) {
		const html = await builtText(c, page.path, 'html');
		return showPage(c, <DocsTextPage facts={facts} page={page} html={html} />);
	}
	// An error names the page of its call, which is a place on the page of its group.
	const id = asked.replace('/docs/reference/', '');
	const group = PAGES.find(
		({ path, headings }) => path.startsWith('/docs/reference/') && headings.some((one) => one.id === id),
	);
	return group === undefined || id === asked ? c.notFound() : c.redirect(`${group.path}#${id}`, 301);
}

/** The index for language models: https://llmstxt.org. */
function llmsText(facts: ReturnType<typeof factsOf>): string {
	const { base } = facts;
	const groups = [...new Set(PAGES.map(({ group }) => group))];
	return [
		'# Mailsonar',
		'> Says whether an email address will take mail, and why: single addresses, lists of up to 50,000, and catch-all domains. REST with JSON; credits are charged for definite answers only.',
		'Look at the HTTP status first: every error has its sentence in `message`, all but a 429 a `code` too. Keys that begin with `ms_test_` ask nobody and cost nothing.',
		...groups.map((group) => {
			const lines = PAGES.filter((page) => page.group === group).map(
				({ title, path, summary }) => `- [${title}](${base}${markdownPath(path)}): ${fillIn(summary, facts)}`,
			);
			return [`## ${group}`, '', ...lines].join('\n');
		}),
		`## Optional\n\n- [OpenAPI](${base}/openapi.json): the same as a machine reads it\n`,
	].join('\n\n');
}

/** The words that texts have in double braces. */
function factsOf(c: PageContext) {
	const { config, jobTiming } = c.var.services;
	return {
		base: exampleBase(c),
		window: plural(config.RATE_WINDOW_SECONDS / 60, 'minute'),
		kept: retentionInWords(jobTiming.resultsTtlMs),
		'limit-default': count(DEFAULT_LIMITS.default),
		'limit-batch': count(DEFAULT_LIMITS.batch),
		'limit-polling': count(DEFAULT_LIMITS.polling),
	};
}

/** Puts facts into a text. A paragraph, an item or a row that asks for a fact which is not there is left out. */
export function fillIn(text: string, facts: Readonly<Record<string, string | undefined>>): string {
	return text
		.replaceAll(/<(p|li|tr)>(?:(?!<\1>)[^])*?<\/\1>/g, (block) =>
			[...block.matchAll(/\{\{([a-z-]+)\}\}/g)].some(
				([, name = '']) => name in facts && facts[name] === undefined,
			)
				? ''
				: block,
		)
		.replaceAll(/\{\{([a-z-]+)\}\}/g, (whole, name: string) => facts[name] ?? whole);
}

/** Where the Markdown of a page is. */
function markdownPath(path: string): string {
	return path === QUICKSTART ? '/docs/index.md' : `${path}.md`;
}

/** A page of the documentation; the quickstart with its offer. */
export function DocsTextPage(props: {
	readonly facts: ReturnType<typeof factsOf>;
	readonly page: DocsPage;
	/** All that stands below the title. */
	readonly html: string;
	readonly apiKey?: string | null;
	readonly children?: Child;
}) {
	const { page, apiKey = null } = props;
	const html = fillIn(props.html, props.facts).replaceAll(KEY, apiKey ?? KEY);
	const [before = '', after = ''] = html.split('<p>{{test-key}}</p>');
	return (
		<PublicPage title={page.title} description={fillIn(page.summary, props.facts)} address={page.path}>
			<div class="docs">
				<div class="docs-side">
					<nav class="docs-nav" aria-label="Documentation">
						<Places page={page} />
					</nav>
					<details class="docs-menu">
						<summary>All pages</summary>
						<nav aria-label="All pages">
							<Places page={{ ...page, headings: [] }} />
						</nav>
					</details>
				</div>
				<div class="docs-body stack">
					<h1>{page.title}</h1>
					<p class="small quiet">
						<a href={markdownPath(page.path)}>This page as Markdown</a>
					</p>
					{raw(before)}
					{props.children}
					{raw(after)}
				</div>
			</div>
		</PublicPage>
	);
}

function Places({ page }: { readonly page: DocsPage }) {
	return [...new Set(PAGES.map(({ group }) => group))].map((group) => (
		<>
			<p class="nav-group small quiet">{group}</p>
			<ul>
				{PAGES.filter((one) => one.group === group).map(({ path, title }) => (
					<li>
						<a href={path} aria-current={path === page.path ? 'page' : undefined}>
							{title}
						</a>
						{path === page.path && page.headings.length > 0 && (
							<ul class="on-page">
								{page.headings.map((heading) => (
									<li>
										<a href={`#${heading.id}`}>{heading.title}</a>
									</li>
								))}
							</ul>
						)}
					</li>
				))}
			</ul>
		</>
	));
}
