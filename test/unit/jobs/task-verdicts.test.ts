import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeScores, scoreAt } from '../../../src/core/jobs/task-verdicts.ts';

test('each row of a list finds the score that its task gave, and rows that the task did not check find none', () => {
	const scores = fc.uniqueArray(fc.tuple(fc.nat(200), fc.nat(100)), { selector: ([place]) => place });
	fc.assert(
		fc.property(scores, (given) => {
			const stored = decodeScores(JSON.stringify(given));
			for (let place = 0; place <= 201; place += 1) {
				const [, score] = given.find(([one]) => one === place) ?? [];
				const verdict = (score ?? 50) >= 80 ? 'valid' : (score ?? 50) <= 20 ? 'invalid' : 'unknown';
				expect(scoreAt(stored, place)).toEqual(score === undefined ? null : { score, verdict });
			}
		}),
		{ numRuns: 60 },
	);
	expect(scoreAt(null, 0)).toBeNull();
});
