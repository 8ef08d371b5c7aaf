import type { Status } from '../verification/sub-status.ts';

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
}

const UNUSED: KeyUsage = {
	requests: 0,
	credits: 0,
	outcomes: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 },
	lastUsedAt: 0,
};

/** The UTC day of a time in epoch milliseconds. */
export function dayOf(now: number): string {
	return new Date(now).toISOString().slice(0, 10);
}

/** Counts a request of a key. */
export function countRequest(today: UsageToday, keyId: string, now: number): UsageToday {
	const usage = today.keys[keyId] ?? UNUSED;
	const counted = { ...usage, requests: usage.requests + 1, lastUsedAt: Math.max(usage.lastUsedAt, now) };
	return { ...today, keys: { ...today.keys, [keyId]: counted } };
}

/** Counts a verification on the day on which it ended. */
export function countOutcome(today: UsageToday, keyId: string, outcome: Status, credits: number): UsageToday {
	const usage = today.keys[keyId] ?? UNUSED;
	const outcomes = { ...usage.outcomes, [outcome]: usage.outcomes[outcome] + 1 };
	return {
		...today,
		keys: { ...today.keys, [keyId]: { ...usage, credits: usage.credits + credits, outcomes } },
	};
}

/** Counts verifications of a job that were settled together. */
export function countOutcomes(
	today: UsageToday,
	keyId: string,
	ended: Readonly<Record<Status, number>>,
	credits: number,
): UsageToday {
	const { deliverable, undeliverable, risky, unknown } = ended;
	const added = {
		requests: 0,
		credits,
		outcomes: { deliverable, undeliverable, risky, unknown },
		lastUsedAt: 0,
	};
	return { ...today, keys: { ...today.keys, [keyId]: addUsage(today.keys[keyId] ?? UNUSED, added) } };
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
