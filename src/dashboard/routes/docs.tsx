import { SCOPES } from '../../core/keys/scopes.ts';
import type { Hono } from 'hono';
import { DEFAULT_LIMITS } from '../../core/rate-limit/window.ts';
import { createKey } from '../../operations/accounts/keys.ts';
import { readApi } from '../api-reference.ts';
import type { ApiCall } from '../api-reference.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import type { DocsFacts } from '../docs/inserts.ts';
import { docsPages, llmsText, markdownPath } from '../docs/pages.ts';
import type { DocsPage } from '../docs/pages.ts';
import { searchDocs, searchIndex } from '../docs/search.ts';
import { SAMPLES, TEXTS } from '../docs/texts.js';
import { withBareForm } from '../forms.ts';
import { exampleBase, viewOf } from '../make-view.ts';
import { describeThrottled, suspended } from '../page-error.ts';
import { DocsSearchPage, DocsTextPage, SearchResults } from '../pages/public/docs.tsx';
import type { TestKeyOffer } from '../pages/public/docs.tsx';
import { requireSignedIn, signedInOf } from '../session.ts';
import { showPage, showPart } from '../show-page.ts';

interface Library {
	readonly facts: DocsFacts;
	readonly pages: readonly DocsPage[];
	readonly index: ReturnType<typeof searchIndex>;
}

const QUERY_MAX = 100;
const QUICKSTART = '/docs';
const QUICKSTART_KEY = { label: 'Quickstart', mode: 'test', scopes: SCOPES, expiresAt: null } as const;

/** The API's documentation: guides, and a reference made from its OpenAPI document. Returns where its pages are. */
export function addDocs(
	app: Hono<DashboardEnv>,
	describeApi: () => object,
): { readonly pagesOf: (c: PageContext) => readonly DocsPage[] } {
	let calls: readonly ApiCall[] | null = null;
	let kept: Library | null = null;
	const libraryOf = (c: PageContext): Library => {
		const facts = factsOf(c);
		if (kept !== null && JSON.stringify(kept.facts) === JSON.stringify(facts)) return kept;
		calls ??= readApi(describeApi());
		const pages = docsPages({ texts: TEXTS, samples: SAMPLES }, calls, facts);
		kept = { facts, pages, index: searchIndex(pages) };
		return kept;
	};
	const showQuickstart = async (c: PageContext, offer: TestKeyOffer, status: 200 | 422 | 429 = 200) => {
		const { pages } = libraryOf(c);
		const page = pages.find(({ path }) => path === QUICKSTART);
		if (page === undefined) return c.notFound();
		return showPage(c, <DocsTextPage view={viewOf(c)} pages={pages} page={page} offer={offer} />, status);
	};

	app.get('/llms.txt', (c) => {
		const { pages, facts } = libraryOf(c);
		return c.text(llmsText(pages, facts.baseUrl));
	});
	// People put `.md` behind the address that they see.
	app.get(`${QUICKSTART}.md`, (c) => c.redirect(markdownPath(QUICKSTART), 308));
	app.get(QUICKSTART, async (c) =>
		showQuickstart(c, c.var.signedIn === null ? { kind: 'sign_in' } : { kind: 'form', error: null }),
	);
	app.post(QUICKSTART, requireSignedIn, withBareForm, async (c) => {
		const outcome = await createKey(c.var.services, signedInOf(c), {
			...QUICKSTART_KEY,
			formId: c.var.formId,
			sessionToken: c.var.sessionToken,
			...clientAndDevice(c),
		});
		const { offer, status } = offerOf(c, outcome);
		return showQuickstart(c, offer, status);
	});
	app.get('/docs/search', async (c) => {
		const { pages, index } = libraryOf(c);
		const query = (c.req.query('q') ?? '').trim().slice(0, QUERY_MAX);
		const found = searchDocs(index, query);
		if (c.req.query('part') !== undefined) return showPart(c, <SearchResults query={query} found={found} />);
		return showPage(c, <DocsSearchPage view={viewOf(c)} pages={pages} query={query} found={found} />);
	});
	app.get('/docs/*', async (c) => {
		const { pages } = libraryOf(c);
		const { path: asked } = c.req;
		const source = pages.find(({ path }) => markdownPath(path) === asked);
		if (source !== undefined) {
			return c.body(`${source.markdown}\n`, 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
		}
		const page = pages.find(({ path }) => path === asked);
		if (page === undefined) return c.notFound();
		return showPage(c, <DocsTextPage view={viewOf(c)} pages={pages} page={page} offer={null} />);
	});
	return { pagesOf: (c) => libraryOf(c).pages };
}

/** The quickstart's answer to the request for a test key. */
function offerOf(
	c: PageContext,
	outcome: Awaited<ReturnType<typeof createKey>>,
): { readonly offer: TestKeyOffer; readonly status: 200 | 422 | 429 } {
	switch (outcome.kind) {
		case 'created':
			return { offer: { kind: 'made', apiKey: outcome.apiKey }, status: 200 };
		case 'too_many':
			return refused(`An account has at most ${outcome.max} keys. Revoke one first`, 422);
		case 'ended':
			return refused('This form’s key has been revoked. Make another one', 422);
		case 'shut':
			throw suspended();
		case 'throttled':
			return refused(describeThrottled(c, outcome), 429);
	}
}

function refused<S extends 422 | 429>(
	error: string,
	status: S,
): { readonly offer: TestKeyOffer; readonly status: S } {
	return { offer: { kind: 'form', error }, status };
}

function factsOf(c: PageContext): DocsFacts {
	const { config, jobTiming } = c.var.services;
	return {
		baseUrl: exampleBase(c),
		limits: {
			...DEFAULT_LIMITS,
			windowSeconds: config.RATE_WINDOW_SECONDS,
			resultsTtlMs: jobTiming.resultsTtlMs,
		},
	};
}
