import { describe, expect, test } from 'vitest';
import { estimateCompletion } from '../../../src/core/jobs/estimate.ts';

const HOUR_MS = 3_600_000;
const PACE = { createdAt: 1_000, settledAt: 61_000, accepted: 100, processed: 50, lastDueAt: null };

describe('when a job will be done', () => {
	test.each<[string, Partial<typeof PACE> | { lastDueAt: number | null }, number | null]>([
		['half of it in a minute: in another minute', {}, 121_000],
		['all but one: soon', { processed: 99 }, 61_607],
		['nothing yet: nobody knows', { settledAt: null, processed: 0 } as never, null],
		[
			'nothing yet, but rows wait: not before them',
			{ settledAt: null, processed: 0, lastDueAt: HOUR_MS } as never,
			HOUR_MS,
		],
		['rows wait for longer than the others take', { lastDueAt: 3 * HOUR_MS }, 3 * HOUR_MS],
		['rows wait for less than the others take', { lastDueAt: 70_000 }, 121_000],
		['clocks that differ lead nowhere', { settledAt: 500 }, 500],
	])('%s', (_, changes, expected) => {
		expect(estimateCompletion({ ...PACE, ...changes })).toBe(expected);
	});
});
