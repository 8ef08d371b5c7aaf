import { lexer } from 'marked';
import type { Token, Tokens } from 'marked';

export interface Section {
	/** Unique on the page; empty for the text before the first heading. */
	readonly id: string;
	/** Without marks. */
	readonly title: string;
	/** 1 to 6. */
	readonly level: number;
	readonly heading: Tokens.Heading | null;
	readonly tokens: readonly Token[];
}

/** A page of Markdown, cut at its headings. */
export function sectionsOf(markdown: string): readonly Section[] {
	const taken = new Map<string, number>();
	const sections: {
		id: string;
		title: string;
		level: number;
		heading: Tokens.Heading | null;
		tokens: Token[];
	}[] = [];
	for (const token of lexer(markdown)) {
		if (isHeading(token)) {
			const title = plainText(token.tokens);
			sections.push({ id: idOf(title, taken), title, level: token.depth, heading: token, tokens: [] });
		} else if (sections.length === 0) {
			sections.push({ id: '', title: '', level: 0, heading: null, tokens: [token] });
		} else {
			sections.at(-1)?.tokens.push(token);
		}
	}
	return sections;
}

function isHeading(token: Token): token is Tokens.Heading {
	return token.type === 'heading';
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

/** The text of tokens, without its marks. */
export function plainText(tokens: readonly Token[]): string {
	return tokens
		.map((token) => {
			if (token.type === 'table') {
				const { header, rows } = token as Tokens.Table;
				return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
			}
			if (token.type === 'list')
				return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
			if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
			return 'text' in token ? String(token.text) : ' ';
		})
		.join('');
}
