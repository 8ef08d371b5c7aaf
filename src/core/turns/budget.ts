import { GATEWAY_BUDGET, HOST_BUDGET, STRANGER_BUDGET } from '../mail-operators/operator-row.ts';
import type { Budget, OperatorKind } from '../mail-operators/operator-row.ts';
import { OPERATORS } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';

/** Overrides of a budget, by operator, by kind of operator, for unknown hosts (`other`), or for `all`. */
export type BudgetOverrides = Readonly<
	Partial<Record<OperatorName | OperatorKind | 'other' | 'all', Partial<Budget>>>
>;

/** The budget with an operator, or with an unknown mail host (null). An override for it alone comes first. */
export function budgetOf(operator: OperatorName | null, overrides: BudgetOverrides = {}): Budget {
	if (operator === null) return { ...STRANGER_BUDGET, ...overrides.all, ...overrides.other };
	const row = OPERATORS[operator];
	return {
		...(row.budget ?? (row.kind === 'gateway' ? GATEWAY_BUDGET : HOST_BUDGET)),
		...overrides.all,
		...overrides[row.kind],
		...overrides[operator],
	};
}

/** With less a minute, a question with its invented recipients could never be asked. */
export const RECIPIENTS_PER_MINUTE_MIN = 6;
// The least part of a budget: two such questions at once, so that a visitor's does not keep a customer's waiting.
const PART_PER_MINUTE_MIN = 12;

/**
 * A part of the budget, for a source address that is new or that was refused: never so little that nothing can be asked.
 * More than one: a multiple, for the machines of one network together.
 */
export function partOf(budget: Budget, share: number): Budget {
	const part = (of: number, min: number): number => Math.max(Math.min(of, min), Math.floor(of * share));
	return {
		connections: Math.max(1, Math.ceil(budget.connections * share)),
		connectionsPerMinute: part(budget.connectionsPerMinute, 6),
		recipientsPerMinute: part(budget.recipientsPerMinute, PART_PER_MINUTE_MIN),
		recipientsPerDay: part(budget.recipientsPerDay, RECIPIENTS_PER_MINUTE_MIN),
		recipientsPerConnection: budget.recipientsPerConnection,
	};
}

const FIRST_DAY = 0.05;
const GROWTH_A_DAY = 1.5;

/**
 * How much of its budget a source address may use so many days (of the calendar) after it was used first: operators
 * listen to addresses whose traffic grows, and refuse those that come from nowhere with thousands.
 */
export function warmth(days: number): number {
	return Math.min(1, FIRST_DAY * GROWTH_A_DAY ** Math.max(0, days));
}
