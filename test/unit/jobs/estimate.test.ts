import { describe, expect, test } from 'vitest';
import { expectedEnd, leastMinutesOf } from '../../../src/core/jobs/estimate.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';

const MINUTE_MS = 60_000;
const HALF = {
	status: 'processing',
	createdAt: 1_000,
	updatedAt: 1_000 + MINUTE_MS,
	processed: 50,
	accepted: 100,
	lastDueAt: null,
};

test.each([
	['half of it in a minute: in another minute', {}, 121_000],
	['all but one: soon', { processed: 99 }, 61_607],
	['nothing yet: unknown', { processed: 0, updatedAt: 1_000 }, null],
	['rows wait for longer than the others take', { lastDueAt: 10_000_000 }, 10_000_000],
	['rows wait for less than the others take', { lastDueAt: 70_000 }, 121_000],
	['it has ended', { status: 'completed' }, null],
])('when a job will be done: %s', (_, changes, expected) => {
	const job = { ...HALF, ...changes };
	expect(expectedEnd(job, job.updatedAt)).toBe(expected);
});

test('while no answer comes, the end moves away faster than the clock', () => {
	expect(expectedEnd(HALF, HALF.updatedAt + 10.5 * MINUTE_MS)).toBe(121_000 + 20 * MINUTE_MS);
});

describe('the least minutes that large providers take', () => {
	const least = (...atProviders: [Parameters<typeof budgetOf>[0] & string, number][]) =>
		leastMinutesOf(new Map(atProviders));

	test('are none where all of them accept everything, and go on the next day beyond what a day allows', () => {
		const { recipientsPerDay } = budgetOf('google');
		expect([least(), least(['yahoo', 6_200])]).toEqual([0, 0]);
		expect(least(['google', recipientsPerDay + 1], ['yahoo', 6_200])).toBe(1_440);
		expect(least(['google', recipientsPerDay])).toBeLessThan(1_440);
	});

	test('add up for operators of one company, which share its budget, and for no others', () => {
		const { recipientsPerMinute } = budgetOf('gmx');
		expect(least(['gmx', recipientsPerMinute], ['webde', recipientsPerMinute])).toBe(2);
		expect(least(['gmx', recipientsPerMinute], ['google', 1])).toBe(1);
	});
});
