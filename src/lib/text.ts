/** `50,000`. A locale would be read with the first number, which costs a start some milliseconds. */
export function thousands(count: number): string {
	return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A text in HTML or XML, also within an attribute. */
export function escapeMarkup(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}

/** A name in one line: white space and control characters are one space. */
export function inOneLine(name: string): string {
	return name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Copies a text: a slice keeps the whole text that it was cut from in memory. */
export function ownCopy(text: string): string {
	return ` ${text}`.slice(1);
}

// Controls (C0, DEL, C1), line and paragraph separators, and characters that reorder or hide text. The first steer a
// terminal, and the last deceive a reader (Unicode TR 36 §2.7, UTS 39).
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F]/gu;

/**
 * Makes a text from outside safe for a terminal or a log. It spells out control characters as JSON does (`\u001b`),
 * so JSON keeps its meaning.
 */
export function visible(text: string): string {
	return text.replaceAll(UNSAFE, (letter) => letter.split('').map(escapeOf).join(''));
}

/** A UTF-16 unit as JSON writes it in ASCII: `\u001b`. */
export function escapeOf(unit: string): string {
	return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Rows as a table for a terminal: each column as wide as its widest cell, the last one as wide as it is. Control
 * characters in cells are made visible, so that no cell can steer the terminal.
 */
export function textTable(cells: readonly (readonly string[])[]): string {
	const rows = cells.map((row) => row.map(visible));
	const widths: number[] = [];
	for (const row of rows)
		for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/**
 * Folds the case of a text for searches. It works letter by letter, because the small form of a Greek sigma depends
 * on its place in the word.
 */
export function folded(text: string): string {
	return Array.from(text.normalize('NFKC'), (letter) => letter.toUpperCase().toLowerCase()).join('');
}

/** The value of a text as JSON; undefined: it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
