import { DAY_MS } from '../../lib/time.ts';
import { companyOf, OPERATORS } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { budgetOf } from '../turns/budget.ts';

// Consumers store what was answered about every 15 seconds.
const USUAL_PAUSE_MS = 30_000;

/**
 * When a running job will be done (epoch ms), if it goes on at its pace so far, but not before the last waiting row is due.
 * Null: no row is final yet. While no answer comes, the end moves away faster than the clock.
 */
export function expectedEnd(
	job: {
		readonly status: string;
		readonly createdAt: number;
		readonly updatedAt: number;
		readonly processed: number;
		readonly accepted: number;
		/** When the last of its waiting rows is due; null: none waits. */
		readonly lastDueAt: number | null;
	},
	now: number,
): number | null {
	const { createdAt, updatedAt, processed, accepted, lastDueAt } = job;
	if (job.status !== 'processing' || processed === 0) return null;
	const idleMs = Math.max(0, now - updatedAt - USUAL_PAUSE_MS);
	const elapsedMs = updatedAt - createdAt + idleMs;
	const leftMs = Math.ceil((elapsedMs * (accepted - processed)) / processed);
	return Math.max(updatedAt + idleMs + leftMs, lastDueAt ?? 0);
}

/**
 * The least minutes that addresses at large providers take: what these accept from one source address. The slowest
 * decides, and operators of one company share its budget.
 */
export function leastMinutesOf(atProviders: ReadonlyMap<OperatorName, number>): number {
	const companies = new Map<OperatorName, number>();
	for (const [operator, addresses] of atProviders) {
		if (isNotAsked(operator)) continue;
		const company = companyOf(operator);
		companies.set(company, (companies.get(company) ?? 0) + addresses);
	}
	const minutes = [...companies].map(([company, addresses]) => {
		const { recipientsPerMinute, recipientsPerDay } = budgetOf(company);
		const fullDays = Math.floor((addresses - 1) / recipientsPerDay);
		return Math.max(addresses / recipientsPerMinute, (fullDays * DAY_MS) / 60_000);
	});
	return Math.ceil(Math.max(0, ...minutes));
}

/** A list does not ask who accepts everything. */
export function isNotAsked(operator: OperatorName): boolean {
	return OPERATORS[operator].routeClass === 'blind';
}

/** We mail the owner when a list ends that was expected to take longer than this, unless they chose otherwise. */
export const LONG_MINUTES = 5;
