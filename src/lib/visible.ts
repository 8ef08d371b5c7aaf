// Controls (C0, DEL, C1), line and paragraph separators, and characters that reorder or hide text. The first steer a
// terminal, and the last deceive a reader (Unicode TR 36 §2.7, UTS 39).
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F]/gu;

/**
 * Makes a text from outside safe for a terminal or a log. It spells out control characters as JSON does (`\u001b`),
 * so JSON keeps its meaning.
 */
export function visible(text: string): string {
	return text.replaceAll(UNSAFE, (letter) => letter.split('').map(escapeOf).join(''));
}

function escapeOf(unit: string): string {
	return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
