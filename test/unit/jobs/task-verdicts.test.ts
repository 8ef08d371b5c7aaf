import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeScores } from '../../../src/core/jobs/task-verdicts.ts';

test('each row of a list finds the score that its task gave, and rows that the task did not check find none', () => {
	const scores = fc.uniqueArray(fc.tuple(fc.nat(200), fc.nat(100)), { selector: ([place]) => place });
	fc.assert(
		fc.property(scores, (given) => {
			const stored = decodeScores(JSON.stringify(given));
			for (let place = 0; place <= 201; place += 1)
				expect(stored.get(place)).toBe(given.find(([one]) => one === place)?.[1]);
		}),
		{ numRuns: 60 },
	);
});
