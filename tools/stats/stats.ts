import { analyticsFrom, askAnalytics } from './analytics.ts';
import { summarise } from './summary.ts';
import type { Stats } from './summary.ts';

// Points are kept for three months.
export const HOURS_MAX = 2_160;

/** The figures of the last hours. Throws `OperatorError` if they can't be read. */
export async function readStats(
	env: Readonly<Record<string, string | undefined>>,
	since: { readonly hours: number; readonly dataset: string },
): Promise<Stats> {
	return summarise(await askAnalytics(analyticsFrom(env), since), since.hours);
}

export function isStats(answer: object): answer is Stats {
	return 'unknownBy' in answer && 'queueAges' in answer;
}
