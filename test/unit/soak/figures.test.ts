import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { slopePerHour } from '../../soak/figures.ts';

const HOUR_MS = 3_600_000;
const moments = fc.uniqueArray(fc.integer({ min: 0, max: HOUR_MS }), { minLength: 2, maxLength: 40 });

test('what rises evenly has its own slope, wherever it begins', () => {
	fc.assert(
		fc.property(
			moments,
			fc.integer({ min: -500, max: 500 }),
			fc.integer({ min: 0, max: 1000 }),
			(at, slope, first) => {
				const samples = at.map((moment) => ({ at: moment, value: first + (slope * moment) / HOUR_MS }));
				expect(slopePerHour(samples)).toBeCloseTo(slope, 3);
			},
		),
	);
});

test('one value out of line bends the slope, and does not make it', () => {
	const samples = [0, 1, 2, 3].map((hour) => ({ at: hour * HOUR_MS, value: hour === 3 ? 10 : 0 }));
	expect(slopePerHour(samples)).toBeCloseTo(3);
});

test.each([
	['no moment', []],
	['one moment', [{ at: 5, value: 1 }]],
	[
		'one moment twice',
		[
			{ at: 5, value: 1 },
			{ at: 5, value: 2 },
		],
	],
])('%s has no slope', (_, samples) => {
	expect(slopePerHour(samples)).toBeNull();
});
