import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisFor } from '../../../src/dashboard/charts/columns.tsx';

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
