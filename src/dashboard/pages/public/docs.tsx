import type { Child } from 'hono/jsx';
import { markdownPath } from '../../docs/pages.ts';
import type { DocsGroup, DocsPage } from '../../docs/pages.ts';
import type { Found } from '../../docs/search.ts';
import { sectionsOf } from '../../docs/sections.ts';
import type { Section } from '../../docs/sections.ts';
import { PublicPage } from '../../layout.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Form, SearchDialog, SearchForm } from '../../parts/form.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

interface DocsFrame {
	readonly view: View;
	readonly pages: readonly DocsPage[];
}

/** The quickstart's offer of a test key: a link to sign in, a form, or the key just made. */
export type TestKeyOffer =
	| { readonly kind: 'sign_in' }
	| { readonly kind: 'form'; readonly error: string | null }
	| { readonly kind: 'made'; readonly apiKey: string };

const KEY = 'YOUR_API_KEY';

/** A page of the documentation. With an offer it is the quickstart. */
export function DocsTextPage(
	props: DocsFrame & { readonly page: DocsPage; readonly offer: TestKeyOffer | null },
) {
	const { page, offer } = props;
	const markdown = offer?.kind === 'made' ? page.markdown.replaceAll(KEY, offer.apiKey) : page.markdown;
	const sections = sectionsOf(markdown);
	const [first, ...rest] = sections;
	return (
		<Frame
			{...props}
			title={first?.title ?? page.title}
			description={page.summary}
			path={page.path}
			sections={sections}
		>
			<h1>{first?.title ?? page.title}</h1>
			<p class="small quiet docs-lead">
				<a href={markdownPath(page.path)}>This page as Markdown</a>
			</p>
			{first !== undefined && <Markdown sections={[first]} />}
			{offer !== null && <TestKey view={props.view} offer={offer} />}
			<Markdown sections={rest} />
			{page.path === '/docs' && <OldPlaces pages={props.pages} />}
		</Frame>
	);
}

/** The results of a query, or the form alone without one. */
export function DocsSearchPage(
	props: DocsFrame & { readonly query: string; readonly found: readonly Found[] },
) {
	return (
		<Frame
			{...props}
			title={props.query === '' ? 'Search the docs' : `“${props.query}” in the docs`}
			description="Search the documentation of the Mailsonar API."
			path="/docs/search"
			sections={[]}
		>
			<h1>Search the docs</h1>
			<div class="stack">
				<SearchForm id="search-page" action="/docs/search" label="Words" query={props.query} />
				<SearchResults query={props.query} found={props.found} />
			</div>
		</Frame>
	);
}

/** The results alone, with which a script fills the dialog. */
export function SearchResults({
	query,
	found,
}: {
	readonly query: string;
	readonly found: readonly Found[];
}) {
	return (
		<div data-found>
			{query !== '' && (
				<p class="quiet small" role="status">
					{found.length === 0 ? 'Nothing found. Try fewer or other words.' : `${found.length} found`}
				</p>
			)}
			<ul class="found">
				{found.map(({ href, page, section, excerpt }) => (
					<li>
						<a href={href}>{section === null ? page : `${page}: ${section}`}</a>
						<p class="small quiet">{excerpt}</p>
					</li>
				))}
			</ul>
		</div>
	);
}

function Frame(
	props: DocsFrame & {
		readonly title: string;
		readonly description: string;
		readonly path: string;
		readonly sections: readonly Section[];
		readonly children: Child;
	},
) {
	const { view, pages, path, sections } = props;
	return (
		<PublicPage
			view={view}
			title={props.title}
			description={props.description}
			// Search engines don't keep the results of a search.
			{...(path === '/docs/search' ? {} : { address: path })}
			current="docs"
			islands={['choice', 'copy', 'dialog', 'search']}
		>
			<div class="docs">
				<div class="docs-side side-nav">
					<ButtonLink kind="quiet" href="/docs/search" dialog="search">
						Search the docs
					</ButtonLink>
					<nav class="docs-nav" aria-label="Documentation">
						<Places pages={pages} path={path} sections={sections} />
					</nav>
					<details class="docs-menu">
						<summary>All pages</summary>
						<nav aria-label="All pages">
							<Places pages={pages} path={path} sections={[]} />
						</nav>
					</details>
				</div>
				<div class="docs-body">{props.children}</div>
			</div>
			<SearchDialog title="Search the docs" action="/docs/search" label="Words" />
		</PublicPage>
	);
}

function Places({
	pages,
	path,
	sections,
}: Omit<DocsFrame, 'view'> & { path: string; sections: readonly Section[] }) {
	const groups = [...new Set(pages.map(({ group }) => group))] as readonly DocsGroup[];
	return (
		<>
			{groups.map((group) => (
				<>
					<p class="nav-group small quiet">{group}</p>
					<ul>
						{pages
							.filter((page) => page.group === group)
							.map((page) => (
								<li>
									<a href={page.path} aria-current={page.path === path ? 'page' : undefined}>
										{page.title}
									</a>
									{page.path === path && <OnThisPage sections={sections} />}
								</li>
							))}
					</ul>
				</>
			))}
		</>
	);
}

function OnThisPage({ sections }: { readonly sections: readonly Section[] }) {
	const headings = sections.filter(({ level }) => level === 2);
	if (headings.length === 0) return null;
	return (
		<ul class="on-page">
			{headings.map(({ id, title }) => (
				<li>
					<a href={`#${id}`}>{title}</a>
				</li>
			))}
		</ul>
	);
}

function TestKey({ view, offer }: { readonly view: View; readonly offer: TestKeyOffer }) {
	switch (offer.kind) {
		case 'sign_in':
			return (
				<p class="quiet">
					When you are <a href="/dashboard/sign-in">signed in</a>, one button here puts a test key into the
					examples.
				</p>
			);
		case 'made':
			return (
				<div class="stack">
					<Notice kind="done" announce title="Your test key is in the examples below">
						<p>
							It contacts no mail server and costs nothing. You see it only this once: copy it to keep it.
						</p>
					</Notice>
					<CodeBlock id="test-key" code={offer.apiKey} what="The test key" wrap />
				</div>
			);
		case 'form':
			return (
				<div class="docs-offer">
					<Form view={view} action="/docs" layout="plain">
						<Button icon="plus">Make a test key and fill it in</Button>
					</Form>
					{offer.error !== null && (
						<Notice kind="failed" announce title="No key was made">
							<p>{offer.error}.</p>
						</Notice>
					)}
				</div>
			);
	}
}

/** Where the sections of the former single page are now: links to them from elsewhere still lead somewhere. */
const OLD_PLACES = [
	['quick-start', 'Quick start', '/docs'],
	['answers', 'Answers and credits', '/docs/guides/statuses'],
	['retries', 'Safe retries', '/docs/guides/idempotency'],
	['reasons', 'Reason codes', '/docs/guides/statuses#reasons'],
	['keys', 'Keys', '/docs/guides/keys'],
	['test-keys', 'Test keys', '/docs/guides/test-keys'],
	['errors', 'Errors', '/docs/guides/errors'],
	['limits', 'Limits', '/docs/guides/limits'],
	['webhooks', 'Webhooks', '/docs/guides/webhooks'],
] as const;

function OldPlaces({ pages }: { readonly pages: readonly DocsPage[] }) {
	const calls = pages.filter(({ path }) => path.startsWith('/docs/reference/'));
	return (
		<>
			<h2 id="all-calls">All calls</h2>
			<ul class="prose-list">
				{calls.map(({ path, title }) => (
					<li id={path.split('/').at(-1)}>
						<a href={path}>{title}</a>
					</li>
				))}
			</ul>
			<h2 id="topics">Topics</h2>
			<ul class="prose-list">
				{OLD_PLACES.map(([id, title, href]) => (
					<li id={id}>
						<a href={href}>{title}</a>
					</li>
				))}
			</ul>
		</>
	);
}
