import { PRICE } from '../credits/price.ts';
import { recipientsOf } from '../mail-operators/find-operator.ts';
import { companyOf, OPERATORS, speaksForOf, wordOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { leastTimeMs } from './estimate.ts';

/** The addresses of a list at one domain. */
export interface QuotedDomain {
	readonly addresses: number;
	/** The operator that takes its mail; null: none that we know, or not looked up. */
	readonly operator: OperatorName | null;
	/** False: lists or DNS decide, and no mail server is asked. */
	readonly isAsked: boolean;
}

/** The expectation of a list, in the API's form. */
export interface Quote {
	readonly addresses: number;
	readonly expected: {
		readonly told: number;
		readonly not_told_free: number;
		readonly by_provider: readonly QuotedProvider[];
	};
	readonly maxCredits: number;
	readonly expectedMinutes: number;
}

/** The addresses of a list at one provider; null: at unknown ones. */
export interface QuotedProvider {
	readonly provider: string | null;
	readonly addresses: number;
	/** Null: not known, or different for each customer. */
	readonly told_at_rcpt: boolean | null;
	readonly minutes: number;
}

const TOLD = { checked: true, accepts_everything: false, unknown: null } as const;

/** The expectation for a list, by its domains and today's budgets of mail operators. */
export function quoteOf(domains: readonly QuotedDomain[]): Quote {
	const addresses = sumOf(domains);
	const byProvider = [...Map.groupBy(domains, ({ operator }) => providerOf(operator))]
		.map(([provider, those]): QuotedProvider => {
			const kinds = new Set(those.map(({ operator }) => toldBy(operator)));
			const [only = null] = kinds;
			return {
				provider,
				addresses: sumOf(those),
				told_at_rcpt: kinds.size === 1 ? only : null,
				minutes: minutesOf(those),
			};
		})
		.toSorted((a, b) => b.addresses - a.addresses);
	const notTold = sumOf(domains.filter(({ operator, isAsked }) => isAsked && toldBy(operator) === false));
	return {
		addresses,
		expected: { told: addresses - notTold, not_told_free: notTold, by_provider: byProvider },
		maxCredits: addresses * PRICE.verification,
		expectedMinutes: minutesOf(domains),
	};
}

function sumOf(domains: readonly QuotedDomain[]): number {
	return domains.reduce((sum, { addresses }) => sum + addresses, 0);
}

function providerOf(operator: OperatorName | null): string | null {
	return operator === null ? null : wordOf(operator);
}

function toldBy(operator: OperatorName | null): boolean | null {
	return operator === null ? null : TOLD[recipientsOf(OPERATORS[operator].routeClass)];
}

/** The slowest of them: an operator with one standing is asked for all its domains together, other hosts each by itself. */
function minutesOf(domains: readonly QuotedDomain[]): number {
	let most = 0;
	const together = new Map<OperatorName, number>();
	for (const { operator, addresses, isAsked } of domains) {
		if (!isAsked || toldBy(operator) === false) continue;
		if (operator === null || speaksForOf(operator) !== 'operator')
			most = Math.max(most, leastTimeMs(operator, addresses));
		else together.set(operator, (together.get(operator) ?? 0) + addresses);
	}
	const companies = Map.groupBy(together, ([operator]) => companyOf(operator));
	for (const [company, members] of companies)
		most = Math.max(
			most,
			leastTimeMs(
				company,
				members.reduce((sum, [, addresses]) => sum + addresses, 0),
			),
		);
	return Math.ceil(most / 60_000);
}
