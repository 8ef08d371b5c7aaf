// Controls (C0, DEL, C1), line and paragraph separators, and characters that reorder or hide text. A terminal would obey
// the first, and a reader be deceived by the last (Unicode TR 36 §2.7, UTS 39).
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F]/gu;

/** A text from outside for a terminal: what would steer it is spelt out, such as `\x1b`. */
export function visible(text: string): string {
	return text.replaceAll(UNSAFE, (letter) => escapeOf(letter.codePointAt(0) ?? 0));
}

function escapeOf(point: number): string {
	if (point < 0x100) return `\\x${point.toString(16).padStart(2, '0')}`;
	return point < 0x10000 ? `\\u${point.toString(16).padStart(4, '0')}` : `\\u{${point.toString(16)}}`;
}

/** JSON in one line, in ASCII, which no terminal obeys. */
export function json(value: unknown): string {
	return JSON.stringify(value).replaceAll(
		/[\x7F-\uFFFF]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}
