// Controls (C0, DEL, C1), line and paragraph separators, and characters that reorder or hide text. A terminal would obey
// the first, and a reader be deceived by the last (Unicode TR 36 §2.7, UTS 39).
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F]/gu;

/**
 * A text from outside for a terminal or a log: what would steer it is spelt out, as JSON spells it (`\u001b`), so that
 * JSON stays what it was.
 */
export function visible(text: string): string {
	return text.replaceAll(UNSAFE, (letter) => letter.split('').map(escapeOf).join(''));
}

function escapeOf(unit: string): string {
	return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
