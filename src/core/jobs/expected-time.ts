import type { OperatorName } from '../mail-operators/operators.ts';
import { publicMailOf } from '../mail-operators/public-mail.ts';
import { budgetOf } from '../politeness/budgets.ts';

/** We mail the owner when a list ends that was expected to take longer than this, unless they chose otherwise. */
export const LONG_MS = 5 * 60_000;

/**
 * Estimates before its start how long a list will take, from the rate that each large provider accepts from one
 * source address. Large providers decide; a list without their addresses takes minutes.
 */
export class ExpectedTime {
	readonly #counts = new Map<OperatorName, number>();

	add(domain: string): void {
		const operator = publicMailOf(domain);
		if (operator !== null) this.#counts.set(operator, (this.#counts.get(operator) ?? 0) + 1);
	}

	/** The least time, in milliseconds. */
	result(): number {
		const minutes = [...this.#counts].map(
			([operator, count]) => count / budgetOf(operator).recipientsPerMinute,
		);
		return Math.ceil(Math.max(0, ...minutes) * 60_000);
	}
}
