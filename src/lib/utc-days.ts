/** A day of UTC, which knows no summer time. */
export const DAY_MS = 86_400_000;

/** When a day such as `2026-11-21` begins in UTC, epoch ms; null: there is no such day. */
export function beginOfDay(day: string): number | null {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
	const begin = Date.parse(`${day}T00:00:00Z`);
	// `2026-02-30` would be read as the second of March.
	return Number.isNaN(begin) || new Date(begin).toISOString().slice(0, 10) !== day ? null : begin;
}
