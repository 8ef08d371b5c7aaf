/**
 * A text as searches compare it: in whatever letters of whatever script it was typed. Letter by letter, since the small
 * form of a Greek sigma depends on its place in the word.
 */
export function folded(text: string): string {
	return Array.from(text.normalize('NFKC'), (letter) => letter.toUpperCase().toLowerCase()).join('');
}
