import type { DayUsage } from './usage-by-day.ts';

/** How long credits last at the pace of late. */
export type Forecast =
	/** Nothing was charged in these days. */
	| { readonly kind: 'unused' }
	/** The first charge is too fresh to make a pace of. */
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

// Less than a week has no weekend in it.
const DAYS_MIN = 7;

/** What `available` credits last for, by the use of the given days, of which the last one is today. */
export function forecast(available: number, days: readonly DayUsage[]): Forecast {
	const first = days.findIndex(({ credits }) => credits > 0);
	if (first === -1) return { kind: 'unused' };
	const of = days.length - first;
	if (of < Math.min(DAYS_MIN, days.length)) return { kind: 'too_fresh' };
	const used = days.reduce((sum, { credits }) => sum + credits, 0);
	// In this order, so that no fraction makes a day of it.
	return { kind: 'pace', days: Math.floor((available * of) / used), perDay: used / of, of };
}
