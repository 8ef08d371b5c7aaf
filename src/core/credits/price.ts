/** What a definite answer costs, in credits; what was set aside for an `unknown` is given back. Said nowhere else. */
export const PRICE: Readonly<Record<'single' | 'verification' | 'catchall', number>> = {
	/** An address in a call of its own. */
	single: 1,
	/** An address of a list. */
	verification: 1,
	/** A catch-all address in a task. */
	catchall: 1,
};

/** `1 credit`, `2 credits`. */
export function inCredits(credits: number): string {
	return `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
}
