import { PAGES } from 'docs:pages';
import type { DocsPage } from 'docs:pages';
import { raw } from 'hono/html';
import { PublicPage } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { fillIn } from '../../parts/text-page.tsx';
import type { View } from '../../view.ts';

const KEY = 'YOUR_API_KEY';

/** The quickstart's offer of a test key: a link to sign in, a form, or the key just made. */
export type TestKeyOffer =
	| { readonly kind: 'sign_in' }
	| { readonly kind: 'form'; readonly error: string | null }
	| { readonly kind: 'made'; readonly apiKey: string };

/** The words that texts have in double braces. */
export type DocsFacts = Readonly<
	Record<'base' | 'window' | 'kept' | 'limit-default' | 'limit-batch' | 'limit-polling', string>
>;

/** A page of the documentation. With an offer it is the quickstart. */
export function DocsTextPage(props: {
	readonly view: View;
	readonly facts: DocsFacts;
	readonly page: DocsPage;
	readonly offer: TestKeyOffer | null;
}) {
	const { view, page, offer } = props;
	const html = fillIn(page.html, props.facts);
	const [before = '', after] = (offer?.kind === 'made' ? html.replaceAll(KEY, offer.apiKey) : html).split(
		'<p>{{test-key}}</p>',
	);
	return (
		<PublicPage
			view={view}
			title={page.title}
			description={fillIn(page.summary, props.facts)}
			address={page.path}
			current="docs"
			islands={['copy']}
		>
			<div class="docs">
				<div class="docs-side side-nav">
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
				<div class="docs-body">
					<h1>{page.title}</h1>
					<p class="small quiet docs-lead">
						<a href={markdownPath(page.path)}>This page as Markdown</a>
					</p>
					{raw(before)}
					{offer !== null && <TestKey view={view} offer={offer} />}
					{after !== undefined && raw(after)}
				</div>
			</div>
		</PublicPage>
	);
}

function Places({ page }: { readonly page: DocsPage }) {
	return (
		<>
			{[...new Set(PAGES.map(({ group }) => group))].map((group) => (
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
			))}
		</>
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

/** Where the Markdown of a page is. */
export function markdownPath(path: string): string {
	return path === '/docs' ? '/docs/index.md' : `${path}.md`;
}
