import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisFor } from '../../../src/dashboard/charts/columns.tsx';

test.each([
	[0, [0, 1]],
	[1, [0, 1]],
	[3, [0, 1, 2, 3]],
	[88, [0, 25, 50, 75, 100]],
	[50_000, [0, 20_000, 40_000, 60_000]],
])('an axis for %i has the marks %j', (most, marks) => {
	expect(axisFor(most).marks).toEqual(marks);
});

test('an axis begins at zero, holds its largest value, and has two to six whole marks', () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e9 }), (most) => {
			const { end, marks } = axisFor(most);
			expect(marks[0]).toBe(0);
			expect(marks.at(-1)).toBe(end);
			expect(end).toBeGreaterThanOrEqual(most);
			expect(marks.length).toBeGreaterThanOrEqual(2);
			expect(marks.length).toBeLessThanOrEqual(6);
			expect(marks.every(Number.isInteger)).toBe(true);
		}),
	);
});
