/** The settings of a key for browsers. The key is no secret, so they bound what a thief of it can cost. */
export interface BrowserKey {
	/** The key itself, which its owner may read again: everybody can, in the owner's pages. */
	readonly publicKey: string;
	/** The pages that may use it: `https://shop.example`. */
	readonly origins: readonly string[];
	/** The most calls a day (UTC), and so the most credits. */
	readonly dailyLimit: number;
	/** The owner's Turnstile secret, sealed; null: visitors need no token. */
	readonly turnstile: string | null;
}

export const ORIGINS_MAX = 20;
export const DAILY_LIMIT = { min: 1, max: 100_000, usual: 1_000 } as const;
/** The longest Turnstile secret that we store. */
export const TURNSTILE_SECRET_LENGTH_MAX = 200;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads an origin as browsers send it (RFC 6454 §6.2): https, or http on a developer's own machine. Null for any other
 * text. A path, a query or a password in it is a mistake that must not be dropped in silence.
 */
export function readOrigin(text: string): string | null {
	if (!URL.canParse(text)) return null;
	const url = new URL(text);
	const isBare =
		`${url.pathname}${url.search}${url.hash}${url.username}${url.password}` === '/' && !/[?#@]/.test(text);
	const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
	return isBare && isSafe ? url.origin : null;
}
