import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addUsage, countUsage, dayOf, firstDayOf, usageByDay } from '../../../src/core/credits/usage.ts';
import type { KeyUsage, UsageToday } from '../../../src/core/credits/usage.ts';

const EMPTY_DAY: UsageToday = { day: '2026-11-21', keys: {} };
const NONE = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };

test('what a key did is added to its own usage, and leaves the record it came from as it was', () => {
	const before = countUsage(EMPTY_DAY, 'key_a', { requests: 1, lastUsedAt: 2000 });
	let today = countUsage(before, 'key_a', { requests: 1, lastUsedAt: 1000 });
	const counts = { ...NONE, risky: 1, unknown: 2, catchAll: 1 };
	today = countUsage(today, 'key_a', { credits: 1, outcomes: counts });
	today = countUsage(today, 'key_b', { outcomes: { ...NONE, deliverable: 1 } });
	expect(today.keys).toEqual({
		// Last used at the latest time, also when the clock steps back.
		key_a: { requests: 2, credits: 1, outcomes: { ...NONE, risky: 1, unknown: 2 }, lastUsedAt: 2000 },
		key_b: { requests: 0, credits: 0, outcomes: { ...NONE, deliverable: 1 }, lastUsedAt: 0 },
	});
	expect(before.keys['key_a']).toEqual({ requests: 1, credits: 0, outcomes: NONE, lastUsedAt: 2000 });
});

test.each([
	['2026-11-21T00:00:00.000Z', '2026-11-21'],
	['2026-11-21T23:59:59.999Z', '2026-11-21'],
	['2026-11-22T00:00:00.000Z', '2026-11-22'],
	['1970-01-01T00:00:00.000Z', '1970-01-01'],
])('%s belongs to the UTC day %s', (time, day) => {
	expect(dayOf(Date.parse(time))).toBe(day);
});

test('days can be added up in any order', () => {
	const count = fc.nat({ max: 1000 });
	const usages: fc.Arbitrary<KeyUsage> = fc.record({
		requests: count,
		credits: count,
		outcomes: fc.record({ deliverable: count, undeliverable: count, risky: count, unknown: count }),
		lastUsedAt: count,
	});
	fc.assert(
		fc.property(usages, usages, usages, (a, b, c) => {
			expect(addUsage(a, b)).toEqual(addUsage(b, a));
			expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)));
			expect(addUsage(a, b)).toMatchObject({
				requests: a.requests + b.requests,
				credits: a.credits + b.credits,
				lastUsedAt: a.lastUsedAt > b.lastUsedAt ? a.lastUsedAt : b.lastUsedAt,
				outcomes: { unknown: a.outcomes.unknown + b.outcomes.unknown },
			});
		}),
		{ numRuns: 50 },
	);
});

test('what a list gives back on a later day counts on the days that paid it: no day is below nothing', () => {
	const on = (day: string, credits: number) => ({
		day,
		usage: { requests: 0, credits, outcomes: NONE, lastUsedAt: 0 },
	});
	const entries = [on('2026-11-19', 5), on('2026-11-20', 30), on('2026-11-21', -32), on('2026-11-22', 2)];
	const days = usageByDay(entries, 4, Date.UTC(2026, 10, 22, 12));
	expect(days.map(({ credits }) => credits)).toEqual([3, 0, 0, 2]);
});

test('usage by day has every day once, today last, and adds up keys', () => {
	const NOW = Date.UTC(2026, 10, 21, 23, 59);
	const on = (day: string, credits: number) => {
		const outcomes = { ...NONE, deliverable: credits, unknown: 1 };
		return { day, usage: { requests: credits + 1, credits, outcomes, lastUsedAt: NOW } };
	};
	const entries = [on('2026-11-19', 1), on('2026-11-21', 2), on('2026-11-21', 3), on('2026-11-01', 9)];
	expect(firstDayOf(3, NOW)).toBe('2026-11-19');
	const days = usageByDay(entries, 3, NOW);
	expect(days.map(({ day, requests, credits, outcomes }) => [day, requests, credits, outcomes])).toEqual([
		['2026-11-19', 2, 1, { ...NONE, deliverable: 1, unknown: 1 }],
		['2026-11-20', 0, 0, NONE],
		['2026-11-21', 7, 5, { ...NONE, deliverable: 5, unknown: 2 }],
	]);
});
