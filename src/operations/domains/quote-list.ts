import { parseDomain } from '../../core/address/parse-address.ts';
import { quoteOf } from '../../core/jobs/quote.ts';
import type { Quote, QuotedDomain } from '../../core/jobs/quote.ts';
import { isDisposable } from '../../core/lists/domain-kinds.ts';
import { findMailOperator } from '../../core/mail-operators/find-operator.ts';
import { publicMailOf } from '../../core/mail-operators/public-mail.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';

/** The most domains that are looked up for a quote: it is free, so it must cost next to nothing. */
export const LOOKED_UP_MAX = 50;

/**
 * Says what may be expected of a list with so many addresses at each domain. The domains of large providers are known by
 * name; of the others the largest are looked up, and the rest counts as unknown providers. Names that are no domains are
 * left out, as they are of a list.
 */
export async function quoteList(
	{ describeDomains }: Pick<Services, 'describeDomains'>,
	histogram: ReadonlyMap<string, number>,
): Promise<Quote> {
	const counts = new Map<string, number>();
	for (const [name, addresses] of histogram) {
		const domain = parseDomain(name);
		if (domain !== null) counts.set(domain, (counts.get(domain) ?? 0) + addresses);
	}
	const quoted: QuotedDomain[] = [];
	const unknown: { readonly domain: string; readonly addresses: number }[] = [];
	for (const [domain, addresses] of counts) {
		const operator = publicMailOf(domain);
		if (operator !== null) quoted.push({ addresses, operator, isAsked: true });
		else if (isDisposable(domain)) quoted.push({ addresses, operator, isAsked: false });
		else unknown.push({ domain, addresses });
	}
	unknown.sort((a, b) => b.addresses - a.addresses);
	const reports = await lookUp(describeDomains, unknown.slice(0, LOOKED_UP_MAX));
	for (const [at, { addresses }] of unknown.entries()) {
		const { mx = [], accepts_mail: acceptsMail = null, disposable = false } = reports[at] ?? {};
		const operator = findMailOperator(mx)?.operator ?? null;
		quoted.push({ addresses, operator, isAsked: acceptsMail !== false && !disposable });
	}
	return quoteOf(quoted);
}

/** Without our resolvers a quote is less exact, and no failure. */
async function lookUp(
	describeDomains: Services['describeDomains'],
	domains: readonly { readonly domain: string }[],
): Promise<readonly DomainReport[]> {
	try {
		return await describeDomains(domains.map(({ domain }) => domain));
	} catch (error) {
		if (error instanceof ServiceError) return [];
		throw error;
	}
}
