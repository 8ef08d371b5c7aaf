// A share of a whole, alike on pages, in mails, in files and in the API.

/** A share in whole percent, rounded down, so that 100 means all. */
export function percentOf(part: number, whole: number): number {
	// A fraction that was divided before may lie a hair below its value: 0.29 * 100 is less than 29.
	return whole === 0 ? 0 : Math.floor((100 * part) / whole + 1e-9);
}

/** The same in words, `37%`; `0%` only means none. */
export function share(part: number, whole: number): string {
	const percent = percentOf(part, whole);
	return percent === 0 && part > 0 && whole > 0 ? '<1%' : `${percent}%`;
}
