import type { ApiCall } from '../api-reference.ts';
import { fillIn } from './inserts.ts';
import type { DocsFacts, Samples } from './inserts.ts';
import { referenceIndex, referenceOf } from './reference.ts';

/** The groups of pages, in the order of the navigation. */
export type DocsGroup = 'Start' | 'Guides' | 'Tools' | 'Reference' | 'About the API';

/** A page of the documentation. Its Markdown is its only source: pages, search and `.md` are made from it. */
export interface DocsPage {
	/** `/docs/guides/lists`. */
	readonly path: string;
	/** As in the navigation. */
	readonly title: string;
	readonly group: DocsGroup;
	/** One sentence: for search engines and /llms.txt. */
	readonly summary: string;
	readonly markdown: string;
}

const GUIDES = [
	[
		'quickstart',
		'/docs',
		'Quickstart',
		'Start',
		'From nothing to a verified address and a verified list, in curl, Node, Python, PHP and Go.',
	],
	[
		'signUp',
		'/docs/guides/sign-up',
		'Check addresses at sign-up',
		'Start',
		'The answer while a person waits: the quick check, a time limit, and a form that works when copied.',
	],
	[
		'keys',
		'/docs/guides/keys',
		'API keys',
		'Start',
		'How a call carries its key, what a key may do, and until when.',
	],
	[
		'testKeys',
		'/docs/guides/test-keys',
		'Test keys',
		'Start',
		'Keys that ask nobody and cost nothing: every word and its answer.',
	],
	[
		'lists',
		'/docs/guides/lists',
		'Lists done right',
		'Guides',
		'Sending a list, asking for it, waiting, reading its pages, and being called instead.',
	],
	[
		'statuses',
		'/docs/guides/statuses',
		'Statuses and reasons',
		'Guides',
		'The four statuses, every reason, the flags, and what costs a credit.',
	],
	[
		'catchAll',
		'/docs/guides/catch-all',
		'Reading a breakdown',
		'Guides',
		'What score, verdict and breakdown of a catch-all address say.',
	],
	[
		'catchAllScore',
		'/docs/guides/catch-all-score',
		'How a score adds up',
		'Guides',
		'The method behind the score of a catch-all address.',
	],
	[
		'operators',
		'/docs/operators',
		'Mail operators',
		'Guides',
		'Which operators can tell whether a mailbox exists, which accept everything, and from where we know.',
	],
	['errors', '/docs/guides/errors', 'Errors', 'Guides', 'Every error code, its cause, and what to do.'],
	[
		'idempotency',
		'/docs/guides/idempotency',
		'Repeating safely',
		'Guides',
		'Idempotency keys: what they promise and how long they live.',
	],
	['webhooks', '/docs/guides/webhooks', 'Webhooks', 'Guides', 'Being called when a list or a task is done.'],
	[
		'feedback',
		'/docs/guides/feedback',
		'Feedback',
		'Guides',
		'Telling us what happened to a message, and what that changes.',
	],
	[
		'limits',
		'/docs/guides/limits',
		'Limits',
		'Guides',
		'Windows, sizes, and the headers that say where you stand.',
	],
	[
		'client',
		'/docs/guides/client',
		'SDK and command line',
		'Tools',
		'The npm package mailsonar: a client for TypeScript and JavaScript, and a program for lists.',
	],
	[
		'mcp',
		'/docs/guides/mcp',
		'Assistants (MCP)',
		'Tools',
		'The tools that an assistant gets over the Model Context Protocol.',
	],
	[
		'noCode',
		'/docs/guides/no-code',
		'n8n, Make, Zapier',
		'Tools',
		'The settings for any tool that sends HTTP requests.',
	],
	[
		'account',
		'/docs/guides/account',
		'Your account',
		'Tools',
		'Two-factor sign-in, another address, and what happened to the account.',
	],
	[
		'moving',
		'/docs/guides/moving',
		'Moving here',
		'Tools',
		'ZeroBounce, Kickbox, NeverBounce, Emailable and Reacher: their words and ours.',
	],
] as const satisfies readonly Row[];
const ABOUT = [
	['changelog', '/docs/changelog', 'Changelog', 'About the API', 'What changed for those who use the API.'],
	[
		'versioning',
		'/docs/versioning',
		'Versioning',
		'About the API',
		'What may be added at any time, and what never changes within /v1.',
	],
] as const satisfies readonly Row[];

type Row = readonly [name: string, path: string, title: string, group: DocsGroup, summary: string];

/** The Markdown of the guides, by name. */
export type DocsTexts = Readonly<Record<(typeof GUIDES)[number][0] | (typeof ABOUT)[number][0], string>>;

/** All pages, in the order of the navigation. */
export function docsPages(
	sources: { readonly texts: DocsTexts; readonly samples: Samples },
	calls: readonly ApiCall[],
	facts: DocsFacts,
): readonly DocsPage[] {
	const { baseUrl } = facts;
	const pageOf = ([name, path, title, group, summary]: (typeof GUIDES | typeof ABOUT)[number]): DocsPage => {
		const text = sources.texts[name].replaceAll('https://YOUR-SERVICE', baseUrl);
		return { path, title, group, summary, markdown: fillIn(text, facts, calls, sources.samples).trim() };
	};
	return [
		...GUIDES.map(pageOf),
		{
			path: '/docs/reference',
			title: 'All calls',
			group: 'Reference',
			summary: 'Every call of the API.',
			markdown: referenceIndex(calls, baseUrl),
		},
		...calls.map((call): DocsPage => ({
			path: `/docs/reference/${call.id}`,
			title: call.summary,
			group: 'Reference',
			summary: `${call.method} ${call.path}: what it takes, and every answer.`,
			markdown: referenceOf(call, baseUrl),
		})),
		...ABOUT.map(pageOf),
	];
}

/** The index for language models: https://llmstxt.org. */
export function llmsText(pages: readonly DocsPage[], baseUrl: string): string {
	const groups = [...new Set(pages.map(({ group }) => group))];
	return [
		'# Mailsonar',
		'> Says whether an email address will take mail, and why: single addresses, lists of up to 50,000, and catch-all domains. REST with JSON; credits are charged for definite answers only.',
		'Look at the HTTP status first: every error has its sentence in `message`, all but a 429 a `code` too. Keys that begin with `ms_test_` ask nobody and cost nothing.',
		...groups.map((group) =>
			[
				`## ${group}`,
				'',
				...pages
					.filter((page) => page.group === group)
					.map(({ title, path, summary }) => `- [${title}](${baseUrl}${markdownPath(path)}): ${summary}`),
			].join('\n'),
		),
		`## Optional\n\n- [OpenAPI](${baseUrl}/openapi.json): the same as a machine reads it`,
	]
		.join('\n\n')
		.concat('\n');
}

/** Where the Markdown of a page is. */
export function markdownPath(path: string): string {
	return path === '/docs' ? '/docs/index.md' : `${path}.md`;
}
