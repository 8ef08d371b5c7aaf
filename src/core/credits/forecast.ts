import type { DayUsage } from './usage.ts';

/** How long credits last at the recent pace. */
export type Forecast =
	/** Nothing was charged in these days. */
	| { readonly kind: 'unused' }
	/** The first charge is too recent to compute a pace. */
	| { readonly kind: 'too_fresh' }
	| {
			readonly kind: 'pace';
			/** Whole days, rounded down. */
			readonly days: number;
			/** Credits a day. */
			readonly perDay: number;
			/** Over how many days, today included. */
			readonly of: number;
	  };

// A shorter span may have no weekend in it.
const DAYS_MIN = 7;

/** How long `available` credits last, by the usage of the given days; the last day is today. */
export function forecast(available: number, days: readonly DayUsage[]): Forecast {
	const first = days.findIndex(({ credits }) => credits > 0);
	if (first === -1) return { kind: 'unused' };
	const of = days.length - first;
	if (of < Math.min(DAYS_MIN, days.length)) return { kind: 'too_fresh' };
	const used = days.reduce((sum, { credits }) => sum + credits, 0);
	// Multiply before dividing, so that a rounding error does not change the number of days.
	return { kind: 'pace', days: Math.floor((available * of) / used), perDay: used / of, of };
}
