import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectedEnd, forecast, leastMinutesOf } from '../../../src/core/jobs/estimate.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import type { Lane } from '../../../src/core/jobs/estimate.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CREATED_AT = 1_000;
const lane = (changes: Partial<Lane> = {}): Lane => {
	return { operator: null, processed: 50, open: 50, settledAt: CREATED_AT + MINUTE_MS, ...changes };
};
const gmail = (changes: Partial<Lane> = {}): Lane => lane({ operator: 'google', ...changes });
const nothing = { processed: 0, settledAt: null };
const of = (lanes: readonly Lane[], lastDueAt: number | null = null) =>
	forecast({ createdAt: CREATED_AT, lanes, lastDueAt });

describe('when a job will be done', () => {
	test.each<[string, readonly Lane[], number | null, number | null]>([
		['half of it in a minute: in another minute', [lane()], null, 121_000],
		['all but one: soon', [lane({ processed: 99, open: 1 })], null, 61_607],
		['nothing yet: unknown', [lane(nothing)], null, null],
		['nothing yet, but rows wait: not before them', [lane(nothing)], HOUR_MS, HOUR_MS],
		['rows wait for longer than the others take', [lane()], 3 * HOUR_MS, 3 * HOUR_MS],
		['rows wait for less than the others take', [lane()], 70_000, 121_000],
		['the slowest provider decides', [lane(), gmail({ open: 500 })], null, 661_000],
		[
			'a provider that has answered nothing goes as the rest',
			[lane(), gmail({ ...nothing, open: 50 })],
			null,
			121_000,
		],
		['clocks that differ lead nowhere', [lane({ settledAt: 500 })], null, 500],
		['a job without parts', [lane({ ...nothing, open: 0 })], null, null],
		['a job without addresses has no lanes', [], null, null],
	])('%s', (_, lanes, lastDueAt, expected) => {
		expect(of(lanes, lastDueAt).at).toBe(expected);
	});

	test.each<[string, readonly Lane[], ReturnType<typeof forecast>['heldUpBy']]>([
		[
			'Gmail, at its pace so far',
			[lane(), gmail({ open: 500 })],
			{ operator: 'google', open: 500, perMinute: 50 },
		],
		['no provider in particular', [gmail(), lane({ open: 500 })], null],
		[
			'a provider without any answer yet, at the pace of its budget',
			[lane(), gmail({ ...nothing, open: 900 })],
			{ operator: 'google', open: 900, perMinute: budgetOf('google').recipientsPerMinute },
		],
		['less than one a minute: no pace to speak of', [gmail({ processed: 1, settledAt: HOUR_MS })], null],
		['no provider: all is answered', [gmail({ open: 0 })], null],
	])('the last to answer is %s', (_, lanes, expected) => {
		expect(of(lanes).heldUpBy).toEqual(expected);
	});
});

describe('a provider goes by its budget until its own pace is known', () => {
	const { recipientsPerMinute, recipientsPerDay } = budgetOf('google');
	test('a burst at the beginning promises nothing', () => {
		const burst = gmail({ processed: 100, open: 10 * recipientsPerMinute, settledAt: CREATED_AT + 1_000 });
		expect(of([burst]).at).toBeGreaterThanOrEqual(CREATED_AT + 10 * MINUTE_MS);
		expect(of([burst]).heldUpBy).toMatchObject({ perMinute: recipientsPerMinute });
	});

	test('addresses beyond a day’s budget take days', () => {
		const long = gmail({ processed: 0, settledAt: null, open: 2 * recipientsPerDay });
		expect(of([long]).at).toBeGreaterThanOrEqual(CREATED_AT + 47 * HOUR_MS);
	});
});

test('while no answer comes, the end moves away faster than the clock', () => {
	const job = { estimatedCompletionAt: 2 * MINUTE_MS, updatedAt: MINUTE_MS, processed: 50, accepted: 100 };
	expect(expectedEnd(job, MINUTE_MS)).toBe(2 * MINUTE_MS);
	expect(expectedEnd(job, 11.5 * MINUTE_MS)).toBe(22 * MINUTE_MS);
	expect(expectedEnd({ ...job, estimatedCompletionAt: null }, MINUTE_MS)).toBeNull();
});

test('the estimate is never before any provider is done at its own pace, nor before a row is due', () => {
	const some = fc.record({
		operator: fc.constantFrom('google', 'outlook', null),
		processed: fc.nat(1_000),
		open: fc.nat(1_000),
		settledAt: fc.integer({ min: CREATED_AT, max: HOUR_MS }),
	});
	fc.assert(
		fc.property(fc.array(some, { minLength: 1 }), fc.nat(2 * HOUR_MS), (lanes, dueAt) => {
			const { at } = of(lanes, dueAt);
			expect(at).toBeGreaterThanOrEqual(dueAt);
			for (const { processed, open, settledAt } of lanes) {
				if (processed === 0 || open === 0) continue;
				const perRowMs = (settledAt - CREATED_AT) / processed;
				expect(at).toBeGreaterThanOrEqual(settledAt + open * perRowMs);
			}
		}),
	);
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
