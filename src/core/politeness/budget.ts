import { DAY_MS } from '../../lib/time.ts';

/** The questions that one operator, or mail host, takes from one source address that it knows. */
export interface Budget {
	/** Open at once. */
	readonly connections: number;
	/** New ones. */
	readonly connectionsPerMinute: number;
	/** Invented recipients are recipients. */
	readonly recipientsPerMinute: number;
	readonly recipientsPerDay: number;
	/** Then it is closed, and another one opened. */
	readonly recipientsPerConnection: number;
}

/** With less a minute, a question with its invented recipients could never be asked. */
export const RECIPIENTS_PER_MINUTE_MIN = 6;
// The least part of a budget: two such questions at once, so that a visitor's does not keep a customer's waiting.
const PART_PER_MINUTE_MIN = 12;

/** A part of the budget, for a source address that is new or that was refused: never so little that nothing can be asked. */
export function partOf(budget: Budget, share: number): Budget {
	if (share >= 1) return budget;
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
 * How much of its budget a source address may use so many milliseconds after it was used first: operators listen to
 * addresses whose traffic grows, and refuse those that come from nowhere with thousands.
 */
export function warmth(ageMs: number): number {
	return Math.min(1, FIRST_DAY * GROWTH_A_DAY ** Math.floor(Math.max(0, ageMs) / DAY_MS));
}
