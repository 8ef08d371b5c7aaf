import type { CoverageItem } from './coverage.ts';
import { ageInDays } from './domain-facts.ts';
import type { DomainFacts } from './domain-facts.ts';

/** The items of evidence that could be measured for a domain. */
export function measuredOf(facts: DomainFacts): ReadonlySet<CoverageItem> {
	const { dns, website } = facts;
	const measured = new Set<CoverageItem>();
	if (dns.spf !== null && dns.dmarc !== null) measured.add('auth');
	if (website !== null) measured.add('web');
	if (dns.parking !== null) measured.add('parking');
	if (ageInDays(facts) !== null) measured.add('age');
	return measured;
}
