import { isTestAccount } from '../keys/api-key.ts';
import { thousands } from '../../lib/text.ts';

/** The price of a definite answer, in credits; an `unknown` is refunded. Prices are defined only here. */
export const PRICE: Readonly<Record<'single' | 'verification' | 'catchall', number>> = {
	/** An address in a single call. */
	single: 1,
	/** An address of a list. */
	verification: 1,
	/** A catch-all address in a task. */
	catchall: 1,
};

/** So many domains are looked up for a credit. */
const DOMAINS_PER_CREDIT = 10;

/** The price of looking up so many domains: a credit for each ten, and for the rest. */
export function priceOfDomains(domains: number): number {
	return Math.ceil(domains / DOMAINS_PER_CREDIT);
}

/** The part of a price that the account pays: none with a test key. */
export function priceFor(accountId: string, credits: number): number {
	return isTestAccount(accountId) ? 0 : credits;
}

/** `1 credit`, `2,000 credits`. */
export function inCredits(credits: number): string {
	return `${thousands(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}

/** The price of a look-up of domains, in words. */
export const PRICE_OF_DOMAINS = `${inCredits(1)} for each ${DOMAINS_PER_CREDIT} or part of it`;

/** The id of the grant that an account begins with. It has a space, which the ids of an admin's grants can't have. */
export const INITIAL_GRANT_ID = 'initial grant';
