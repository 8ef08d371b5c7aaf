import type { OperatorKind } from '../mail-operators/operator-row.ts';
import { OPERATORS } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import type { Budget } from './budget.ts';

// Starting points, for a source address that is known: what other senders keep to (KumoMTA's shaping rules, Reacher's
// throttle), and less where an operator is known to be touchy. A prober's operator overrides them.
const HOSTING: Budget = {
	connections: 3,
	connectionsPerMinute: 30,
	recipientsPerMinute: 120,
	recipientsPerDay: 20_000,
	recipientsPerConnection: 50,
};
const GATEWAY: Budget = {
	connections: 4,
	connectionsPerMinute: 60,
	recipientsPerMinute: 240,
	recipientsPerDay: 40_000,
	recipientsPerConnection: 50,
};
const OTHER: Budget = {
	connections: 2,
	connectionsPerMinute: 10,
	recipientsPerMinute: 60,
	recipientsPerDay: 2_000,
	recipientsPerConnection: 100,
};

const BY_KIND: Readonly<Record<OperatorKind, Budget>> = {
	gateway: GATEWAY,
	hosting: HOSTING,
	mailbox: HOSTING,
	forwarder: HOSTING,
};

/** Overrides of a budget, by operator, by kind of operator, for unknown hosts (`other`), or for `all`. */
export type BudgetOverrides = Readonly<
	Partial<Record<OperatorName | OperatorKind | 'other' | 'all', Partial<Budget>>>
>;

/** The budget with an operator, or with an unknown mail host (null). An override for it alone comes first. */
export function budgetOf(operator: OperatorName | null, overrides: BudgetOverrides = {}): Budget {
	if (operator === null) return { ...OTHER, ...overrides.all, ...overrides.other };
	const row = OPERATORS[operator];
	return {
		...(row.budget ?? BY_KIND[row.kind]),
		...overrides.all,
		...overrides[row.kind],
		...overrides[operator],
	};
}
