import { Marked, Renderer } from 'marked';
import type { Token, Tokens } from 'marked';
import { escapeMarkup } from '../../src/lib/text.ts';

const LANGUAGES: Readonly<Record<string, string>> = { sh: 'curl', js: 'TypeScript', python: 'Python' };

/** The HTML below the title of a page, and its headings of the second level. HTML within a text is shown as text. */
export function toHtml(markdown: string): {
	readonly html: string;
	readonly headings: readonly { readonly id: string; readonly title: string }[];
} {
	const headings: { id: string; title: string }[] = [];
	const taken = new Map<string, number>();
	let title = '';
	let blocks = 0;
	let ofHeading = 0;
	const marked = new Marked({
		renderer: {
			heading({ tokens, depth, text }) {
				if (depth === 1) return '';
				// `{#id}` behind a heading is its address; without it, its words are.
				const [, words = '', given] = /^(.*?)(?: \{#(\w+)\})?$/.exec(text) ?? [];
				title = words.replaceAll('`', '');
				ofHeading = 0;
				const id = given ?? idOf(title, taken);
				if (depth === 2) headings.push({ id, title });
				const content = this.parser.parseInline(tokens).replace(/ \{#\w+\}$/, '');
				const link = `<a class="heading-link" href="#${id}" aria-label="Link to “${escapeMarkup(title)}”">#</a>`;
				return `<h${depth} id="${id}">${content} ${link}</h${depth}>`;
			},
			code(token) {
				const examples = 'examples' in token ? (token.examples as readonly Tokens.Code[]) : [token];
				const id = `code-${(blocks += 1)}`;
				// Blocks below one heading need names of their own, by which a screen reader tells them apart.
				const of = ofHeading === 0 ? title : `${title}, ${ofHeading + 1}`;
				ofHeading += 1;
				return examples.length === 1
					? codeBlock(id, token, `${(token.lang ?? '').toUpperCase()}: ${of}`)
					: codeTabs(id, examples, of);
			},
			table(token) {
				const table = Renderer.prototype.table.call(this, token);
				return `<div class="table-scroll" tabindex="0" role="group" aria-label="${escapeMarkup(title)}">${table}</div>`;
			},
			// An address in a text is an example, and gets no link.
			link(token) {
				const isPlace = /^(?:https?:\/\/|\/|#|\{\{base\}\})/.test(token.href);
				return isPlace ? Renderer.prototype.link.call(this, token) : this.parser.parseInline(token.tokens);
			},
			html: ({ text }) => escapeMarkup(text),
		},
	});
	return { html: marked.parser(withTabs(marked.lexer(markdown))), headings };
}

/** Blocks of code that follow each other are one program in several languages. */
function withTabs(tokens: readonly Token[]): Token[] {
	const all: Token[] = [];
	for (const token of tokens) {
		if (token.type === 'space') continue;
		const last = all.at(-1);
		if (token.type === 'code' && last?.type === 'code')
			(last as { examples?: Token[] }).examples = [
				...((last as { examples?: Token[] }).examples ?? [last]),
				token,
			];
		else all.push(token);
	}
	return all;
}

// As src/dashboard/parts/basic.tsx draws them.
function codeBlock(id: string, { text }: Tokens.Code, what: string): string {
	const about = escapeMarkup(what);
	const code = `<pre tabindex="0" role="region" aria-label="${about}"><code id="${id}">${escapeMarkup(text)}</code></pre>`;
	const word = '<span data-word aria-live="polite">Copy</span>';
	const button = `<button type="button" class="button button-quiet button-small" data-copy="${id}" hidden>${word}<span class="unseen"> ${about}</span></button>`;
	return `<div class="code">${code}${button}</div>`;
}

function codeTabs(id: string, examples: readonly Tokens.Code[], of: string): string {
	const names = examples.map(({ lang = '' }) => LANGUAGES[lang] ?? lang);
	const choices = names.map(
		(name, at) =>
			`<label><input type="radio" name="${id}-language" value="${name}"${at === 0 ? ' checked' : ''}>${name}</label>`,
	);
	const panels = examples.map(
		(example, at) =>
			`<div class="panel">${codeBlock(`${id}-${at}`, example, `${names[at]} example: ${of}`)}</div>`,
	);
	const label = escapeMarkup(`Language of the example: ${of}`);
	return `<div class="tabs"><div class="choices" role="radiogroup" aria-label="${label}">${choices.join('')}</div>${panels.join('')}</div>`;
}

/** The words of a heading with dashes; a second heading of the same words gets a number. */
function idOf(title: string, taken: Map<string, number>): string {
	const id =
		title
			.toLowerCase()
			.replaceAll(/[^a-z0-9_]+/g, '-')
			.replaceAll(/^-|-$/g, '') || 'section';
	const before = taken.get(id) ?? 0;
	taken.set(id, before + 1);
	return before === 0 ? id : `${id}-${before + 1}`;
}
