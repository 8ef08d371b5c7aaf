import { beginOfDay, DAY_MS } from '../../lib/time.ts';

/** The permissions of a key. `read` spends nothing and changes nothing. */
export const SCOPES = ['verify', 'lists', 'read'] as const;
export type Scope = (typeof SCOPES)[number];

/** The meaning of each scope, for the pages and the guide. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
	verify: 'Verify single addresses, look up domains, and send feedback',
	lists: 'Start, read, finish and delete lists and catch-all checks; manage webhooks',
	read: 'Read lists, results and webhooks, which spends nothing',
};

/** The scopes that allow a call (the key needs one of them), or that any key may make it. */
export type NeededScopes = readonly Scope[] | 'any key';

/** The scopes for a call that reads: a program that starts lists may also read them. */
export const READING = ['lists', 'read'] as const satisfies readonly Scope[];

/** Whether a key with these scopes may make a call that needs one of the `needed` scopes. */
export function isInScope(held: readonly Scope[], needed: NeededScopes): boolean {
	return needed === 'any key' || needed.some((scope) => held.includes(scope));
}

/** The longest lifetime of a key that expires. */
const EXPIRY_DAYS_MAX = 3_660;

/**
 * The expiry (epoch ms) of a key made at `now`; null: never. A date counts to its end, in UTC. `undefined`: the date
 * does not exist, is over, or is too far away.
 */
export function expiresAtOf(
	expiry: 'never' | '30' | '90' | 'date',
	date: string,
	now: number,
): number | null | undefined {
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
