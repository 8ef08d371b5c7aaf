/**
 * Folds the case of a text for searches. It works letter by letter, because the small form of a Greek sigma depends
 * on its place in the word.
 */
export function folded(text: string): string {
	return Array.from(text.normalize('NFKC'), (letter) => letter.toUpperCase().toLowerCase()).join('');
}
