import { parse } from 'parse5';
import type { DefaultTreeAdapterMap } from 'parse5';
import { expect, test } from 'vitest';
import { PAGES, htmlOf } from '../../support/dashboard/pages.tsx';

// Every page, in every state, with texts of strangers wherever a text of theirs can stand: it is shown as text, and makes
// neither an element nor an attribute nor a link.

/** It leaves attributes, elements, titles, scripts and comments, if any of them lets it. */
const HOSTILE = `javascript:owned()//"'\`><x-owned onowned=1></title></textarea></script></style><!--<x-owned>&lt;x-owned&gt;`;

/** Properties of pages that hold what people, lists, browsers or mail servers said. */
const OF_STRANGERS: ReadonlySet<string> = new Set([
	...'answeredBy cells device email did_you_mean error fileName label mx_record name query'.split(' '),
	...'sample search smtp_provider subject text typed url'.split(' '),
]);
/** Those that the page made itself. */
const OURS: ReadonlySet<string> = new Set(['assets', 'flash', 'baseUrl']);
/** Pages whose links and names are the operator's configuration. */
const OF_THE_OPERATOR: ReadonlySet<string> = new Set(['contact', 'imprint', 'terms']);
const NAMES = Object.keys(PAGES).filter((name) => !OF_THE_OPERATOR.has(name));

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];
type Page = (typeof PAGES)[string];

function withHostileTexts(value: unknown, name = ''): unknown {
	if (OURS.has(name)) return value;
	if (typeof value === 'string') return OF_STRANGERS.has(name) ? HOSTILE : value;
	if (Array.isArray(value)) return value.map((item) => withHostileTexts(item, name));
	if (typeof value !== 'object' || value === null || value instanceof Map) return value;
	const hostileOnes = Object.entries(value).map(([key, item]) => [
		key,
		withHostileTexts(item, name === 'typed' ? 'typed' : key),
	]);
	// Of the same kind: a plain object in place of an element would be drawn as `[object Object]`.
	return Object.assign(
		Object.create(Object.getPrototypeOf(value) as object) as object,
		Object.fromEntries(hostileOnes),
	);
}

/** The page, drawn again with such texts. */
function hostile(page: Page): Page {
	const { tag, props } = page as unknown as { tag: (props: unknown) => Page; props: object };
	return tag(withHostileTexts(props));
}

function elementsOf(node: Node): readonly Element[] {
	const own = 'tagName' in node ? [node] : [];
	const children = 'childNodes' in node ? node.childNodes : [];
	return [...own, ...children.flatMap(elementsOf)];
}

test.each(NAMES)('shows texts of strangers as texts: the page %s', async (name) => {
	const html = await htmlOf(hostile(PAGES[name]));
	const elements = elementsOf(parse(html));
	expect(elements.length).toBeGreaterThan(20);
	expect(html).not.toContain('[object Object]');
	expect(elements.filter(({ tagName }) => tagName.includes('owned'))).toEqual([]);
	for (const { tagName, attrs, childNodes } of elements) {
		for (const { name: attribute, value } of attrs) {
			expect(attribute, tagName).not.toMatch(/^on|owned/);
			if (/^(?:href|src|srcset|action|formaction|poster|data|xlink:href)$/.test(attribute))
				expect(value, `${attribute} of ${tagName}`).toMatch(
					/^(?:\/(?!\/)|#|\?|https:\/\/|mailto:|data:(?:image\/svg|text\/plain;))/,
				);
			expect(attribute === 'style' || attribute === 'srcdoc', tagName).toBe(false);
		}
		if (tagName === 'script') {
			expect(attrs.some(({ name: attribute }) => attribute === 'src')).toBe(true);
			expect(childNodes).toEqual([]);
		}
	}
});

test('most pages do show such texts', async () => {
	const drawn = await Promise.all(NAMES.map((name) => htmlOf(hostile(PAGES[name]))));
	expect(drawn.filter((html) => html.includes('&lt;x-owned onowned=1&gt;')).length).toBeGreaterThan(30);
});
