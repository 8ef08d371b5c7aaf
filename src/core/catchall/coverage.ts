import { ageInDays } from './domain-facts.ts';
import type { DomainFacts } from './domain-facts.ts';

/**
 * The items of evidence, and the share of the whole that each is worth. An item counts when it was measured, whatever
 * the result. `mx_route` counts when any mail host answered, even of an unknown operator. That is the scorecard's
 * reference class, worth 0 points, and not a failure to measure.
 */
export const COVERAGE_WEIGHTS = {
	mx_route: 0.25,
	auth: 0.15,
	web: 0.15,
	parking: 0.15,
	age: 0.1,
	smtp_stack: 0.05,
	mailbox: 0.15,
};
export type CoverageItem = keyof typeof COVERAGE_WEIGHTS;

/** Below this share of the evidence the verdict is `unknown`. */
export const COVERAGE_MIN = 0.6;

/** The share of the evidence that could be measured, 0-1, rounded to hundredths. */
export function coverageOf(measured: ReadonlySet<CoverageItem>): number {
	const sum = [...measured].reduce((all, item) => all + COVERAGE_WEIGHTS[item], 0);
	// In binary, 0.25 + 0.15 + 0.15 + 0.05 is slightly more than 0.6, and slightly less in another order.
	return Math.round(sum * 100) / 100;
}

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
