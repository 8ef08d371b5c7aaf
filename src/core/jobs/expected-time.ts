import type { OperatorName } from '../mail-operators/operators.ts';
import { publicMailOf } from '../mail-operators/public-mail.ts';
import { budgetOf } from '../politeness/budgets.ts';

/** A list that is expected to take longer than this is one whose end people are told by mail, unless they say otherwise. */
export const LONG_MS = 5 * 60_000;

/**
 * How long a list will take before any of it is asked, from what each large provider bears a minute from one source
 * address: theirs decide, as a day of theirs is long. Lists without them are done in minutes.
 */
export class ExpectedTime {
	readonly #counts = new Map<OperatorName, number>();

	add(domain: string): void {
		const operator = publicMailOf(domain);
		if (operator !== null) this.#counts.set(operator, (this.#counts.get(operator) ?? 0) + 1);
	}

	/** Milliseconds, at least. */
	result(): number {
		const minutes = [...this.#counts].map(
			([operator, count]) => count / budgetOf(operator).recipientsPerMinute,
		);
		return Math.ceil(Math.max(0, ...minutes) * 60_000);
	}
}
