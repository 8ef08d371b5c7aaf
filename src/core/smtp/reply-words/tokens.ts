import { CLASS_OF, FILLERS } from './word-classes.ts';

// Replies state their reason early; the longest labelled one about a mailbox has 60 words.
const WORDS_MAX = 80;
// Longer runs of letters are ids, not words.
const WORD_CHARACTERS_MAX = 18;

/**
 * The words of a reply, clause by clause, without numbers, ids, host names and links. A word that has a class is
 * replaced by it. `text` comes from `wordsOf`.
 */
export function clausesOf(text: string): readonly (readonly string[])[] {
	let left = WORDS_MAX;
	const clauses: string[][] = [];
	const marked = withoutLinks(text)
		.replaceAll(/\bin (use|service)\b/gu, 'in$1')
		.replaceAll('<>', ' RCPT ')
		.replaceAll(/<(?:us|@)>/gu, ' OTHER ');
	for (const clause of marked.split(/(?<![.;!?:,|])[.;!?:,|]+(?:\s|$)| [-–—]+ |[()[\]"]+/u)) {
		const words = wordsOfClause(clause).slice(0, left);
		left -= words.length;
		if (words.length > 0) clauses.push(words);
	}
	return clauses;
}

/** Removes links and host names, because their words were not chosen for this reply. */
export function withoutLinks(text: string): string {
	return text
		.replaceAll(/(?:https?:|www\.)\S*/gu, ' ')
		.replaceAll(
			/(?<![\p{L}\p{N}.-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,20}\.[a-z]{2,24}(?![\p{L}\p{N}-])/gu,
			' ',
		);
}

function wordsOfClause(clause: string): string[] {
	return clause
		.split(/[\s/<>{}=*#]+/u)
		.map((word) =>
			word.replaceAll(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '').replace(/'s$/u, ''),
		)
		.filter((word) => /^\p{L}(?:[\p{L}'-]*\p{L})?$/u.test(word) && word.length <= WORD_CHARACTERS_MAX)
		.filter((word) => !FILLERS.has(word))
		.map((word) => (word === 'RCPT' || word === 'OTHER' ? `<${word}>` : (CLASS_OF.get(word) ?? word)));
}
