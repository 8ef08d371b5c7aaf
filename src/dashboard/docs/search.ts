import type { DocsPage } from './pages.ts';
import { plainText, sectionsOf } from './sections.ts';

/** A place in the documentation that can be found. */
interface Place {
	readonly href: string;
	readonly page: string;
	/** Null: the beginning of the page. */
	readonly section: string | null;
	readonly text: string;
}

export interface Found extends Omit<Place, 'text'> {
	/** The text around the first word found. */
	readonly excerpt: string;
}

const FOUND_MAX = 20;
const WORDS_MAX = 8;
const EXCERPT = 140;

/** Every section of every page. */
export function searchIndex(pages: readonly DocsPage[]): readonly Place[] {
	return pages.flatMap(({ path, title, markdown }) =>
		sectionsOf(markdown)
			// Errors of a call are many of a kind; the table of errors has them all.
			.filter(({ level }) => level <= (path.startsWith('/docs/reference/') ? 2 : 3))
			.map(({ id, title: heading, level, tokens }) => ({
				href: level <= 1 ? path : `${path}#${id}`,
				page: title,
				section: level <= 1 ? null : heading,
				text: plainText(tokens.filter(({ type }) => type !== 'code'))
					.replaceAll(/\s+/g, ' ')
					.trim(),
			})),
	);
}

/** The sections that hold all words of a query, those with a word in their title first. */
export function searchDocs(index: readonly Place[], query: string): readonly Found[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
	if (words.length === 0) return [];
	return index
		.map((place) => ({ place, rank: rankOf(place, words) }))
		.filter(({ rank }) => rank > 0)
		.toSorted((a, b) => b.rank - a.rank)
		.slice(0, FOUND_MAX)
		.map(({ place: { text, ...place } }) => ({ ...place, excerpt: excerptOf(text, words) }));
}

/** 0: a word is missing. */
function rankOf({ page, section, text }: Place, words: readonly string[]): number {
	const [inPage, inHeading, inText] = [page, section ?? page, text].map((one) => one.toLowerCase()) as [
		string,
		string,
		string,
	];
	let rank = 0;
	for (const word of words) {
		const points =
			(inHeading.includes(word) ? 10 : 0) + (inPage.includes(word) ? 6 : 0) + (inText.includes(word) ? 1 : 0);
		if (points === 0) return 0;
		rank += points;
	}
	// The beginning of a page goes before its equals.
	return section === null ? rank + 1 : rank;
}

function excerptOf(text: string, words: readonly string[]): string {
	const lower = text.toLowerCase();
	const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
	const first = places.length === 0 ? 0 : Math.min(...places);
	const from = first < EXCERPT / 2 ? 0 : text.lastIndexOf(' ', first - EXCERPT / 3) + 1;
	const to = from + EXCERPT >= text.length ? text.length : text.lastIndexOf(' ', from + EXCERPT);
	return `${from > 0 ? '… ' : ''}${text.slice(from, Math.max(to, first))}${to < text.length ? ' …' : ''}`;
}
