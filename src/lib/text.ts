/** Copies a text: a slice keeps the whole text that it was cut from in memory. */
export function ownCopy(text: string): string {
	return ` ${text}`.slice(1);
}
