import { DAY_MS, beginOfDay } from '../../lib/utc-days.ts';

/** The longest lifetime of a key that expires. */
export const EXPIRY_DAYS_MAX = 3_660;

/** The choices for the lifetime of a new key. */
export const EXPIRIES = ['never', '30', '90', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/**
 * The expiry (epoch ms) of a key made at `now`; null: never. A date counts to its end, in UTC. `undefined`: the date
 * does not exist, is over, or is too far away.
 */
export function expiresAtOf(expiry: Expiry, date: string, now: number): number | null | undefined {
	if (expiry === 'never') return null;
	if (expiry !== 'date') return now + Number(expiry) * DAY_MS;
	const begin = beginOfDay(date);
	if (begin === null) return undefined;
	const end = begin + DAY_MS;
	return end > now && end <= now + EXPIRY_DAYS_MAX * DAY_MS ? end : undefined;
}

/** Whether a key has expired at `now`. */
export function isExpired({ expiresAt }: { readonly expiresAt: number | null }, now: number): boolean {
	return expiresAt !== null && now >= expiresAt;
}
