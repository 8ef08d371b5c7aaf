/** The threshold of `credits.low`. */
export interface LowCredits {
	/** In credits; null: the account is not told. */
	readonly below: number | null;
	/** The balance is below it, and the account was told. */
	readonly isLow: boolean;
}

/** The highest threshold. */
export const CREDITS_LOW_MAX = 1_000_000_000;

/**
 * What becomes of the threshold at a balance; null: nothing. Once below, it has to be reached again before the account
 * is told again. The balance counts what is reserved, or each call that ends as `unknown` would cross twice.
 */
export function crossed({ below, isLow }: LowCredits, balance: number): LowCredits | null {
	const nowLow = below !== null && balance < below;
	return nowLow === isLow ? null : { below, isLow: nowLow };
}
