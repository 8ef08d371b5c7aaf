import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IDENTITY } from '../../../src/core/catchall/calibration.ts';
import type { Curve } from '../../../src/core/catchall/calibration.ts';
import { verdictOn } from '../../../src/core/catchall/judge.ts';
import { makeBreakdown } from '../../../src/core/catchall/breakdown.ts';
import { CAPS, scoreSignals, SECTIONS, SIGNAL_GROUPS } from '../../../src/core/catchall/scorecard.ts';
import type { Signal } from '../../../src/core/catchall/scorecard.ts';
import { makeSignal } from '../../support/unit/catch-all-evidence.ts';
import { CAP_VECTORS } from './cap-vectors.ts';
import { readGoldenVectors } from './golden-vectors.ts';

const THRESHOLDS = { validFrom: 88, invalidBelow: 45 };

describe('the golden vectors', () => {
	test.each(readGoldenVectors())('$name: $score, $verdict', ({ signals, base, score, verdict }) => {
		// With the scorecard's own curve, whatever calibration is in use.
		const scored = scoreSignals(signals, IDENTITY);
		expect([scored.base, scored.score]).toEqual([base, score]);
		expect(verdictOn(scored.score, THRESHOLDS)).toBe(verdict);
	});
});

test.each(CAP_VECTORS)(
	'the group %s gives at least %i and at most %i points',
	(group, least, most, low, high) => {
		const score = (points: number): number => scoreSignals([makeSignal(group, points)]).score;
		expect([score(least), score(least - 1), score(-1000)]).toEqual([low, low, low]);
		expect([score(most), score(most + 1), score(1000)]).toEqual([high, high, high]);
	},
);

/** Label and effect of each explanation. */
function effects(signals: readonly Signal[]): Record<string, number> {
	const { explanations } = makeBreakdown(scoreSignals(signals), 1, null);
	return Object.fromEntries(explanations.map(({ signal, effect }) => [signal, effect]));
}

describe('steps and limits', () => {
	test('findings keep their weight at a cap, and the limit says what is left of them', () => {
		const signals = [makeSignal('auth', 4, 'a'), makeSignal('auth', 12, 'b')];
		expect(scoreSignals(signals).score).toBe(76);
		expect(effects(signals)).toEqual({ a: 5, b: 14, 'limit:domain_triage': -13 });
		const { explanations } = makeBreakdown(scoreSignals(signals), 1, null);
		expect(explanations.at(-1)?.text).toMatch(/^Limited to \+6 here: /);
	});

	test('evidence that cancels out is shown all the same', () => {
		const signals = [makeSignal('route', 20, 'for'), makeSignal('mailbox', -20, 'against')];
		expect(scoreSignals(signals).score).toBe(70);
		expect(effects(signals)).toEqual({ for: 20, against: -34, 'limit:mailbox': 14 });
	});

	test('a finding moves a score in the middle by more, and the step says so', () => {
		const signals = [makeSignal('auth', -10, 'a'), makeSignal('pattern', 10, 'b')];
		expect(effects(signals)).toEqual({ a: -17, b: 12, 'limit:mailbox': 5 });
		const { explanations } = makeBreakdown(scoreSignals(signals), 1, null);
		expect(explanations.at(-1)?.text).toMatch(/^Counts as \+17 here: /);
	});

	test('a single finding within its cap needs no limit', () => {
		const one = fc.constantFrom(...SIGNAL_GROUPS).chain((group) => {
			const [min, max] = CAPS[group];
			return fc.double({ min, max, noNaN: true }).map((value) => makeSignal(group, value));
		});
		fc.assert(
			fc.property(one, (signal) => {
				const { score, base, signals: weighed } = scoreSignals([signal]);
				expect(base + (weighed[0]?.effect ?? 0)).toBe(score);
			}),
		);
	});
});

const points = fc.oneof(
	fc.integer({ min: -60, max: 60 }),
	// Patterns and list quality give fractions.
	fc.double({ min: -60, max: 60, noNaN: true }),
	fc.constantFrom(0, 1e-12, -1e-12, 1000, -1000),
);
const signalLists = fc
	.array(fc.tuple(fc.constantFrom(...SIGNAL_GROUPS), points), { maxLength: 16 })
	.map((drawn) => drawn.map(([group, value], at) => makeSignal(group, value, `${group}:${at}`)));
const MANY = { numRuns: 1_000 };

// A busy machine may take its time over ten thousand cases.
describe('whatever the evidence', () => {
	test('the score is whole, from 2 to 98, and so is every step on the way; base and effects add up to it', () => {
		fc.assert(
			fc.property(signalLists, (signals) => {
				const scored = scoreSignals(signals);
				const { score, base, signals: weighed } = scored;
				expect(base).toBe(70);
				let at = base;
				for (const section of SECTIONS) {
					at += scored.moves[section];
					expect(Number.isInteger(at) && at >= 2 && at <= 98).toBe(true);
				}
				expect(at).toBe(score);
				expect(weighed.every(({ effect }) => Number.isInteger(effect) && !Object.is(effect, -0))).toBe(true);
				const { explanations } = makeBreakdown(scored, 1, null);
				expect(explanations.reduce((sum, { effect }) => sum + effect, base)).toBe(score);
				expect(weighed.length).toBe(signals.length);
			}),
			MANY,
		);
	});

	test('a finding has the same effect, whatever else was found', () => {
		fc.assert(
			fc.property(signalLists, signalLists, (signals, others) => {
				const among = [...signals, ...others.map((one) => ({ ...one, label: `other:${one.label}` }))];
				const effectOf = new Map(scoreSignals(among).signals.map(({ label, effect }) => [label, effect]));
				for (const { label, effect } of scoreSignals(signals).signals)
					expect(effectOf.get(label)).toBe(effect);
			}),
			MANY,
		);
	});

	test('a calibrated score adds up as well, and never falls when the evidence gets better', () => {
		const curves = fc.oneof(
			fc.record<Curve & { kind: 'platt' }>({
				kind: fc.constant('platt'),
				slope: fc.double({ min: 0.05, max: 3, noNaN: true }),
				shift: fc.double({ min: -30, max: 30, noNaN: true }),
			}),
			fc
				.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { minLength: 29, maxLength: 29 })
				.map((chances): Curve => {
					const rising = chances.toSorted((a, b) => a - b);
					return { kind: 'isotonic', knots: rising.map((chance, at) => [(at - 14) * 4, chance]) };
				}),
		);
		const more = fc.double({ min: 0, max: 80, noNaN: true });
		fc.assert(
			fc.property(signalLists, curves, fc.nat(), more, (signals, curve, position, gain) => {
				const { score, base, moves, signals: weighed } = scoreSignals(signals, curve);
				expect(Number.isInteger(score) && score >= 2 && score <= 98).toBe(true);
				expect(Object.values(moves).reduce((sum, move) => sum + move, base)).toBe(score);
				expect(weighed.every(({ effect, points: given }) => effect * given >= 0)).toBe(true);
				const index = signals.length === 0 ? 0 : position % signals.length;
				const better = signals.map((one, at) => (at === index ? { ...one, points: one.points + gain } : one));
				expect(scoreSignals(better, curve).score).toBeGreaterThanOrEqual(score);
			}),
			MANY,
		);
	});

	test('no effect has another sign than its points', () => {
		fc.assert(
			fc.property(signalLists, (signals) => {
				const contradictions = scoreSignals(signals).signals.filter(
					(signal) => signal.effect * signal.points < 0 || (signal.points === 0 && signal.effect !== 0),
				);
				expect(contradictions).toEqual([]);
			}),
			MANY,
		);
	});

	test('the score never falls when a piece of evidence gets better', () => {
		const more = fc.double({ min: 0, max: 80, noNaN: true });
		fc.assert(
			fc.property(signalLists, fc.nat(), more, (signals, position, gain) => {
				const index = signals.length === 0 ? 0 : position % signals.length;
				const better = signals.map((one, at) => (at === index ? { ...one, points: one.points + gain } : one));
				expect(scoreSignals(better).score).toBeGreaterThanOrEqual(scoreSignals(signals).score);
			}),
			MANY,
		);
	});

	test('the order of the evidence does not matter', () => {
		const shuffled = signalLists.chain((signals) =>
			fc.tuple(fc.constant(signals), fc.shuffledSubarray(signals, { minLength: signals.length })),
		);
		fc.assert(
			fc.property(shuffled, ([signals, other]) => {
				expect(scoreSignals(other)).toEqual(scoreSignals(signals));
			}),
			MANY,
		);
	});

	test('a neutral finding changes nothing', () => {
		fc.assert(
			fc.property(signalLists, fc.constantFrom(...SIGNAL_GROUPS), (signals, group) => {
				const neutral = makeSignal(group, 0, `${group}:neutral`);
				const { score, signals: weighed } = scoreSignals([...signals, neutral]);
				const before = scoreSignals(signals);
				expect(score).toBe(before.score);
				expect(weighed.filter(({ label }) => label !== neutral.label)).toEqual(before.signals);
				expect(weighed.find(({ label }) => label === neutral.label)?.effect).toBe(0);
			}),
			MANY,
		);
	});
});
