/** The threshold of low credits, by which webhooks, mails and pages go. */
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
export function crossed<T extends LowCredits>(low: T, balance: number): T | null {
	const isLow = low.below !== null && balance < low.below;
	return isLow === low.isLow ? null : { ...low, isLow };
}
