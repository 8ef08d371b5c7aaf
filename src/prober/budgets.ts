import type { OperatorName } from '../core/mail-operators/operators.ts';
import { dayOf } from '../core/politeness/day-book.ts';
import type { Spent } from '../core/politeness/day-book.ts';
import { partOf, warmth } from '../core/politeness/budget.ts';
import type { Budget } from '../core/politeness/budget.ts';
import { budgetOf } from '../core/politeness/budgets.ts';
import type { BudgetOverrides } from '../core/politeness/budgets.ts';
import type { BudgetMemory, Clock } from './ports.ts';
import { DAY_MS } from '../lib/time.ts';

/** Where it is kept what was spent, and since when source addresses are used. Keeps less rather than throw. */
export interface BudgetStore {
	/** Since that day; null: nothing. */
	spent(name: string, day: number): Spent | null;
	keepSpent(name: string, spent: Spent): void;
	/** When the source address was used first, epoch ms; the first to ask is that. */
	usedSince(egress: string): number;
}

export interface BudgetSettings {
	readonly overrides: BudgetOverrides;
	/** Names of source addresses that are known to operators; `all`: every one. */
	readonly warm: readonly string[];
}

/** The budgets of a prober's source addresses. */
export class Budgets implements BudgetMemory {
	readonly #clock: Clock;
	readonly #store: BudgetStore;
	readonly #settings: BudgetSettings;
	readonly #since = new Map<string, number>();

	constructor(clock: Clock, store: BudgetStore, settings: BudgetSettings) {
		this.#clock = clock;
		this.#store = store;
		this.#settings = settings;
	}

	budgetOf(operator: OperatorName | null, egress: string): Budget {
		return partOf(budgetOf(operator, this.#settings.overrides), this.warmthOf(egress));
	}

	/** How much of a budget the source address may use by now. */
	warmthOf(egress: string): number {
		const { warm } = this.#settings;
		if (warm.includes('all') || warm.includes(egress)) return 1;
		let since = this.#since.get(egress);
		if (since === undefined) {
			since = this.#store.usedSince(egress);
			this.#since.set(egress, since);
		}
		// Days of the calendar, as the day's budget.
		return warmth((dayOf(this.#clock.now()) - dayOf(since)) * DAY_MS);
	}

	spentOf(name: string): Spent | null {
		// Yesterday's says who else asks there.
		return this.#store.spent(name, dayOf(this.#clock.now()) - 1);
	}

	keepSpent(name: string, spent: Spent): void {
		this.#store.keepSpent(name, spent);
	}
}
