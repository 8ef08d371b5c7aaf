import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeScore, scoreSignals } from '../../../src/core/catchall/scorecard.ts';
import type { Signal, SignalGroup } from '../../../src/core/catchall/scorecard.ts';

const signal = (group: SignalGroup, points: number): Signal => ({ group, name: 'any', points });
const THRESHOLDS = { validFrom: 88, invalidBelow: 45 };

// What a group may give at least and at most, and the score with nothing else known.
const LIMITS: readonly (readonly [SignalGroup, number, number])[] = [
	['route', 0, 20],
	['smtp', -20, 35],
	['auth', -10, 5],
	['mx', -10, 1],
	['lists', -45, 1],
	['smtp_stack', -6, 1],
	['mailbox', -40, 6],
];
const groups = fc.constantFrom(...LIMITS.map(([group]) => group));
const signals = fc.array(
	fc.tuple(groups, fc.integer({ min: -60, max: 60 })).map(([group, points]) => signal(group, points)),
	{ maxLength: 10 },
);

describe('the score', () => {
	test.each<[string, readonly Signal[], number]>([
		['nothing is known', [], 70],
		['a gateway, a healthy domain', [signal('auth', 3), signal('mx', 1), signal('smtp_stack', 1)], 76],
		['a host that refuses unknown users', [signal('route', 20)], 90],
		['a hosting company', [signal('route', 14)], 86],
		['the server says that the mailbox exists', [signal('smtp', 35)], 96],
		['a typing error of a large provider', [signal('lists', -45)], 9],
		['a placeholder', [signal('mailbox', -35)], 17],
		['a domain that sends no mail', [signal('auth', -10)], 53],
		['everything speaks for it', LIMITS.map(([group, , most]) => signal(group, most)), 98],
		['everything speaks against it', LIMITS.map(([group, least]) => signal(group, least)), 2],
	])('%s', (_, known, score) => {
		expect(scoreSignals(known)).toBe(score);
	});

	test.each(LIMITS)('of the group %s is limited to %i and %i points', (group, least, most) => {
		const score = (points: number): number => scoreSignals([signal(group, points)]);
		expect([score(least - 1), score(-1000)]).toEqual([score(least), score(least)]);
		expect([score(most + 1), score(1000)]).toEqual([score(most), score(most)]);
		expect(score(most)).toBeGreaterThan(score(least));
	});

	test('is a whole number from 2 to 98, whatever the evidence', () => {
		fc.assert(
			fc.property(signals, (known) => {
				const score = scoreSignals(known);
				expect(Number.isInteger(score) && score >= 2 && score <= 98).toBe(true);
			}),
			{ numRuns: 100 },
		);
	});

	test('never falls when a piece of evidence gets better', () => {
		fc.assert(
			fc.property(signals, fc.nat(), fc.nat({ max: 80 }), (known, position, more) => {
				const index = known.length === 0 ? 0 : position % known.length;
				const better = known.map((one, at) => (at === index ? { ...one, points: one.points + more } : one));
				expect(scoreSignals(better)).toBeGreaterThanOrEqual(scoreSignals(known));
			}),
			{ numRuns: 100 },
		);
	});

	test('does not depend on the order of the evidence, nor on evidence without weight', () => {
		const shuffled = signals.chain((known) =>
			fc.tuple(fc.constant(known), fc.shuffledSubarray(known, { minLength: known.length }), groups),
		);
		fc.assert(
			fc.property(shuffled, ([known, other, group]) => {
				expect(scoreSignals([...other, signal(group, 0)])).toBe(scoreSignals(known));
			}),
			{ numRuns: 100 },
		);
	});
});

describe('the verdict', () => {
	const enough = { coverage: 0.6, consistent: true };

	test.each([
		[98, 'valid'],
		[88, 'valid'],
		[87, 'unknown'],
		[45, 'unknown'],
		[44, 'invalid'],
		[2, 'invalid'],
	])('on %i is %s', (score, verdict) => {
		expect(judgeScore(score, enough, THRESHOLDS)).toEqual({ score, verdict });
	});

	test.each([
		['too little was measured', { coverage: 0.59, consistent: true }],
		['the server contradicts itself', { coverage: 1, consistent: false }],
	])('is unknown where %s, and the score with it', (_, evidence) => {
		expect(judgeScore(98, evidence, THRESHOLDS)).toEqual({ score: 87, verdict: 'unknown' });
		expect(judgeScore(60, evidence, THRESHOLDS)).toEqual({ score: 60, verdict: 'unknown' });
		expect(judgeScore(2, evidence, THRESHOLDS)).toEqual({ score: 45, verdict: 'unknown' });
	});

	test('and the score never contradict each other, wherever the operator draws the lines', () => {
		const thresholds = fc
			.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 100 }))
			.filter(([below, from]) => below < from)
			.map(([invalidBelow, validFrom]) => ({ invalidBelow, validFrom }));
		const evidence = fc.record({ coverage: fc.constantFrom(0, 0.59, 0.6, 1), consistent: fc.boolean() });
		fc.assert(
			fc.property(fc.integer({ min: 2, max: 98 }), evidence, thresholds, (score, known, lines) => {
				const judged = judgeScore(score, known, lines);
				const expected =
					judged.score >= lines.validFrom
						? 'valid'
						: judged.score < lines.invalidBelow
							? 'invalid'
							: 'unknown';
				expect(judged.verdict).toBe(expected);
				if (known.coverage < 0.6 || !known.consistent) expect(judged.verdict).toBe('unknown');
			}),
			{ numRuns: 150 },
		);
	});
});
