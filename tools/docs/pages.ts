import { readFileSync } from 'node:fs';
import { fillIn } from './inserts.ts';
import { toHtml } from './markdown.ts';
import { referencePages } from './reference.ts';

// The documentation, made when the Worker is built: Markdown in src/dashboard/texts, the tables and examples that the code
// decides, and a reference from docs/openapi.json. Both forms of a page, Markdown and HTML, come from one text.

/** The guides in the order of the navigation, by their file and by their group. */
const GUIDES = {
	Start: ['quickstart', 'sign-up', 'keys', 'test-keys'],
	Guides:
		'lists statuses catch-all catch-all-score operators errors idempotency webhooks feedback limits'.split(
			' ',
		),
	Tools: ['client', 'mcp', 'no-code', 'account', 'moving'],
	Reference: [],
	'About the API': ['changelog', 'versioning'],
} as const;

/** Pages that are no guide by their address. */
const PATHS: Readonly<Record<string, string>> = {
	quickstart: '/docs',
	operators: '/docs/operators',
	changelog: '/docs/changelog',
	versioning: '/docs/versioning',
};

/** Pages of their own: what the service does with data, and who runs it. */
const TEXTS = ['terms', 'imprint', 'contact', 'security', 'opt-out'] as const;

/** The documentation, in the order of its navigation. Words in double braces are left for the Worker: what is configured. */
export function docsPages() {
	return Object.entries(GUIDES).flatMap(([group, names]) =>
		group === 'Reference'
			? referencePages().map(({ path, text }) => pageOf(path, group, text))
			: names.map((name) => pageOf(PATHS[name] ?? `/docs/guides/${name}`, group, textOf(name))),
	);
}

/** The pages beside the documentation. */
export function textPages() {
	return TEXTS.map((name) => pageOf(`/${name}`, '', textOf(name)));
}

function textOf(name: string): string {
	const file = name === 'changelog' ? 'CHANGELOG.md' : `src/dashboard/texts/${name}.md`;
	return fillIn(readFileSync(file, 'utf8')).replaceAll('https://YOUR-SERVICE', '{{base}}').trim();
}

function pageOf(path: string, group: string, markdown: string) {
	const [, title = '', first = ''] = /^# (.+)\n\n([^]*?)(?:\n\n|$)/.exec(markdown) ?? [];
	const { html, headings } = toHtml(markdown);
	const summary = first.replaceAll(/\[([^\]]+)\]\([^)]+\)|[`*]/g, '$1').replaceAll(/\s+/g, ' ');
	return {
		path,
		title,
		group,
		summary: /^.*?\.(?=\s|$)/.exec(summary)?.[0] ?? summary,
		markdown,
		html,
		headings,
	};
}
