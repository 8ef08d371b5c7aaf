import { UNCONFIRMED } from '../../src/core/mail-operators/operator-row.ts';
import type { OperatorRow, RouteClass } from '../../src/core/mail-operators/operator-row.ts';
import { displayNameOf, OPERATORS } from '../../src/core/mail-operators/operators.ts';

const RECIPIENTS: Readonly<Record<RouteClass, string>> = {
	validating: 'checks',
	hosting: 'by customer',
	microsoft365: 'by customer',
	seg_callahead: 'by customer',
	seg: 'by customer',
	blind: 'accepts all',
	unknown: 'not known',
};

/** The rows of the page about mail operators: name, what it does with recipients, source and date. */
export function operatorRows(): string[][] {
	return Object.entries<OperatorRow>(OPERATORS)
		.map(([key, row]) => [displayNameOf(key), recipientsOf(row), row.source, row.date])
		.toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en'));
}

function recipientsOf({ routeClass, replyHabits = [], ownDomainsOnly, source }: OperatorRow): string {
	const filter = replyHabits.includes('calls_filtered_unknown') ? ' + filter' : '';
	const unconfirmed = routeClass !== 'unknown' && source.startsWith(UNCONFIRMED) ? ', unconfirmed' : '';
	return `${RECIPIENTS[routeClass]}${filter}${ownDomainsOnly === true ? ', own domains' : ''}${unconfirmed}`;
}
