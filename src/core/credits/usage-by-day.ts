import type { Status } from '../verification/sub-status.ts';
import { addUsage, dayOf } from './usage.ts';
import type { KeyUsage } from './usage.ts';
import { DAY_MS } from '../../lib/utc-days.ts';

/** The usage of one key, or of all keys, on one day (UTC). */
export interface DayUsage {
	/** `2026-11-21`. */
	readonly day: string;
	readonly requests: number;
	/** Credits charged. */
	readonly credits: number;
	readonly outcomes: Readonly<Record<Status, number>>;
}

const NOTHING: KeyUsage = {
	requests: 0,
	credits: 0,
	outcomes: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 },
	lastUsedAt: 0,
};

/** The first of the last `days` days, today included. */
export function firstDayOf(days: number, now: number): string {
	return dayOf(now - (days - 1) * DAY_MS);
}

/** The last `days` days in order and without gaps, today last. */
export function usageByDay(
	entries: readonly { readonly day: string; readonly usage: KeyUsage }[],
	days: number,
	now: number,
): readonly DayUsage[] {
	const sums = new Map<string, KeyUsage>();
	for (const { day, usage } of entries) sums.set(day, addUsage(sums.get(day) ?? NOTHING, usage));
	return Array.from({ length: days }, (_, index) => {
		const day = dayOf(now - (days - 1 - index) * DAY_MS);
		const { requests, credits, outcomes } = sums.get(day) ?? NOTHING;
		return { day, requests, credits, outcomes };
	});
}
