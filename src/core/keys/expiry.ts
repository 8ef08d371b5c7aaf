import { DAY_MS, beginOfDay } from '../../lib/utc-days.ts';

/** No key that ends is made for longer than this. */
export const EXPIRY_DAYS_MAX = 3_660;

/** How long a new key shall be accepted. */
export const EXPIRIES = ['never', '30', '90', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/**
 * When a key made at `now` ends (epoch ms); null: never. A date counts to its end, in UTC. `undefined`: there is no such
 * date, or it is over, or too far away.
 */
export function expiresAtOf(expiry: Expiry, date: string, now: number): number | null | undefined {
	if (expiry === 'never') return null;
	if (expiry !== 'date') return now + Number(expiry) * DAY_MS;
	const begin = beginOfDay(date);
	if (begin === null) return undefined;
	const end = begin + DAY_MS;
	return end > now && end <= now + EXPIRY_DAYS_MAX * DAY_MS ? end : undefined;
}

/** Whether a key is over at `now`. */
export function isExpired({ expiresAt }: { readonly expiresAt: number | null }, now: number): boolean {
	return expiresAt !== null && now >= expiresAt;
}
