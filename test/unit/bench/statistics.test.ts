import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { median, spread } from '../../bench/statistics.ts';

const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 50 });

test('half of the values are not above the median, and half not below', () => {
	fc.assert(
		fc.property(values, (some) => {
			const middle = median(some);
			expect(some.filter((value) => value <= middle).length).toBeGreaterThanOrEqual(some.length / 2);
			expect(some.filter((value) => value >= middle).length).toBeGreaterThanOrEqual(some.length / 2);
		}),
	);
});

test.each([
	[[3], 3],
	[[3, 1], 2],
	[[9, 1, 2], 2],
] as const)('the median of %j is %d', (some, expected) => {
	expect(median(some)).toBe(expected);
});

test('a spread says median, least and most', () => {
	expect(spread([206.4, 240, 203])).toBe('206 (203–240)');
});
