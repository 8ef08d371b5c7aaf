import { PAGES } from 'docs:pages';
import type { DocsPage } from 'docs:pages';
import type { Hono } from 'hono';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { SCOPES } from '../../core/keys/scopes.ts';
import { DEFAULT_LIMITS } from '../../core/rate-limit/window.ts';
import { createKey } from '../../operations/accounts/keys.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { count, plural } from '../format.ts';
import { withBareForm } from '../forms.ts';
import { exampleBase, viewOf } from '../make-view.ts';
import { describeThrottled, suspended } from '../page-error.ts';
import { DocsTextPage, markdownPath } from '../pages/public/docs.tsx';
import type { DocsFacts, TestKeyOffer } from '../pages/public/docs.tsx';
import { fillIn } from '../parts/text-page.tsx';
import { requireSignedIn, signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';

// The documentation: its pages are made when the Worker is built (tools/docs), and get what is configured here.

const QUICKSTART = '/docs';
const QUICKSTART_KEY = { label: 'Quickstart', mode: 'test', scopes: SCOPES, expiresAt: null } as const;

/** The guides and the reference, each also as Markdown. */
export function addDocs(app: Hono<DashboardEnv>): void {
	app.get('/llms.txt', (c) => c.text(llmsText(factsOf(c))));
	// People put `.md` behind the address that they see.
	app.get(`${QUICKSTART}.md`, (c) => c.redirect(markdownPath(QUICKSTART), 308));
	app.post(QUICKSTART, requireSignedIn, withBareForm, async (c) => {
		const page = PAGES.find(({ path }) => path === QUICKSTART);
		if (page === undefined) return c.notFound();
		const outcome = await createKey(c.var.services, signedInOf(c), {
			...QUICKSTART_KEY,
			formId: c.var.formId,
			sessionToken: c.var.sessionToken,
		});
		switch (outcome.kind) {
			case 'created':
				return showDocs(c, page, { kind: 'made', apiKey: outcome.apiKey });
			case 'too_many':
				return showDocs(
					c,
					page,
					{ kind: 'form', error: `An account has at most ${outcome.max} keys. Revoke one first` },
					422,
				);
			case 'ended':
				return showDocs(
					c,
					page,
					{ kind: 'form', error: 'This form’s key has been revoked. Make another one' },
					422,
				);
			case 'shut':
				throw suspended();
			case 'throttled':
				return showDocs(c, page, { kind: 'form', error: describeThrottled(c, outcome) }, 429);
		}
	});
	app.get(QUICKSTART, (c) => serve(c));
	app.get('/docs/*', (c) => serve(c));
}

async function serve(c: PageContext): Promise<Response> {
	const { path: asked } = c.req;
	const source = PAGES.find(({ path }) => markdownPath(path) === asked);
	if (source !== undefined) {
		const text = fillIn(source.markdown, factsOf(c)).replace('{{test-key}}\n\n', '');
		return c.body(`${text}\n`, 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
	}
	const page = PAGES.find(({ path }) => path === asked);
	if (page !== undefined) {
		const offer =
			c.var.signedIn === null ? { kind: 'sign_in' as const } : { kind: 'form' as const, error: null };
		return showDocs(c, page, asked === QUICKSTART ? offer : null);
	}
	// An error names the page of its call, which is a place on the page of its group.
	const id = asked.replace('/docs/reference/', '');
	const place = PAGES.find(
		({ path, headings }) => path.startsWith('/docs/reference/') && headings.some((one) => one.id === id),
	);
	return place === undefined || id === asked ? c.notFound() : c.redirect(`${place.path}#${id}`, 301);
}

async function showDocs(
	c: PageContext,
	page: DocsPage,
	offer: TestKeyOffer | null,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	return showPage(c, <DocsTextPage view={viewOf(c)} facts={factsOf(c)} page={page} offer={offer} />, status);
}

/** The addresses of all pages, for search engines. */
export function docsPaths(): readonly string[] {
	return PAGES.map(({ path }) => path);
}

/** The index for language models: https://llmstxt.org. */
function llmsText(facts: DocsFacts): string {
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

function factsOf(c: PageContext): DocsFacts {
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
