import type { Status } from '../verification/sub-status.ts';
import { DAY_MS } from '../../lib/time.ts';

/** The usage of one key on one day (UTC). */
export interface KeyUsage {
	readonly requests: number;
	/** Credits charged. */
	readonly credits: number;
	/** Verifications by outcome. */
	readonly outcomes: Readonly<Record<Status, number>>;
	/** Epoch milliseconds. */
	readonly lastUsedAt: number;
}

/** The current day's usage, kept in the account's one wide row; past days have rows of their own. */
export interface UsageToday {
	/** `2026-11-21`. */
	readonly day: string;
	readonly keys: Readonly<Record<string, KeyUsage>>;
	/** The recipients that were asked about for nothing (`free-answers.ts`). Left out: none. */
	readonly free?: number;
}

export const UNUSED: KeyUsage = {
	requests: 0,
	credits: 0,
	outcomes: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 },
	lastUsedAt: 0,
};

/** The UTC day of a time in epoch milliseconds. */
export function dayOf(now: number): string {
	return new Date(now).toISOString().slice(0, 10);
}

/** Adds what a key did to its usage of the day. */
export function countUsage(today: UsageToday, keyId: string, added: Partial<KeyUsage>): UsageToday {
	const usage = addUsage(today.keys[keyId] ?? UNUSED, { ...UNUSED, ...added });
	return { ...today, keys: { ...today.keys, [keyId]: usage } };
}

/** Counts recipients that were asked about for nothing. */
export function countFree(today: UsageToday, recipients: number): UsageToday {
	return recipients === 0 ? today : { ...today, free: (today.free ?? 0) + recipients };
}

/** Adds two usage records. */
export function addUsage(a: KeyUsage, b: KeyUsage): KeyUsage {
	return {
		requests: a.requests + b.requests,
		credits: a.credits + b.credits,
		outcomes: {
			deliverable: a.outcomes.deliverable + b.outcomes.deliverable,
			undeliverable: a.outcomes.undeliverable + b.outcomes.undeliverable,
			risky: a.outcomes.risky + b.outcomes.risky,
			unknown: a.outcomes.unknown + b.outcomes.unknown,
		},
		lastUsedAt: Math.max(a.lastUsedAt, b.lastUsedAt),
	};
}

/** The usage of one key, or of all keys, on one day (UTC). */
export type DayUsage = Omit<KeyUsage, 'lastUsedAt'> & Pick<UsageToday, 'day'>;

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
	for (const { day, usage } of entries) sums.set(day, addUsage(sums.get(day) ?? UNUSED, usage));
	// A list that failed gives back on its last day what it paid before: that counts on the days that paid.
	let givenBack = 0;
	return Array.from({ length: days }, (_, index) => {
		const day = dayOf(now - index * DAY_MS);
		const { requests, credits: charged, outcomes } = sums.get(day) ?? UNUSED;
		const credits = Math.max(0, charged - givenBack);
		givenBack += credits - charged;
		return { day, requests, credits, outcomes };
	}).toReversed();
}
