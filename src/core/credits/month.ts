/** The calendar month of a moment, in UTC: `2026-11`. */
export function monthOf(at: number): string {
	return new Date(at).toISOString().slice(0, 7);
}

/** When a month (`2026-11`) is over, in UTC. Epoch milliseconds. */
export function endOfMonth(month: string): number {
	return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1);
}
