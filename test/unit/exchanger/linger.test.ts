import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	answered,
	asked,
	closesAt,
	IDLE_MS,
	isDense,
	NOBODY_ASKED,
} from '../../../src/core/exchanger/linger.ts';

interface Question {
	/** Since the question before had its answer. */
	readonly afterMs: number;
	readonly takesMs: number;
}

/** One question after the other: which of them found a connection, and for how long connections were kept for nobody. */
function play(questions: readonly Question[]) {
	let [linger, now, paidMs] = [NOBODY_ASKED, 0, 0];
	const warm = questions.map(({ afterMs, takesMs }, at) => {
		const closes = closesAt(linger, now);
		const arrives = now + afterMs;
		if (at > 0) paidMs += Math.min(arrives, closes) - now;
		linger = asked(linger, arrives);
		now = arrives + takesMs;
		linger = answered(linger, now);
		return at > 0 && closes > arrives;
	});
	const keptMs = closesAt(linger, now) - now;
	return { warm, keptMs, paidMs: paidMs + keptMs, linger };
}

const times = (count: number, afterMs: number): Question[] =>
	Array.from({ length: count }, () => ({ afterMs, takesMs: 300 }));
const ALONE = 60_000;

describe('a connection is kept', () => {
	test.each<[string, readonly Question[], number]>([
		['for half a second after the first question', times(1, 0), 500],
		['for half a second after each that comes alone', times(20, ALONE), 500],
		['for longer the more come one after the other', times(3, 0), 2_500],
		['for ten seconds after many', times(30, 100), IDLE_MS],
		['for half a second after one that comes long after many', [...times(30, 100), ...times(1, ALONE)], 500],
		['for a second where they come each second', times(30, 1_000), 1_000],
		['for half a second where they come less often', times(30, 1_001), 500],
	])('%s', (_, questions, keptMs) => {
		expect(play(questions).keptMs).toBe(keptMs);
	});

	test('from the second call on for who calls one after the other', () => {
		const gap = fc.record({ afterMs: fc.integer({ max: 499, min: 0 }), takesMs: fc.nat(15_000) });
		fc.assert(
			fc.property(fc.array(gap, { minLength: 1, maxLength: 60 }), (questions) => {
				expect(play(questions).warm.slice(1)).toEqual(questions.slice(1).map(() => true));
			}),
		);
	});

	test('through a pause of three seconds, once four have come within moments', () => {
		expect(play([...times(4, 100), ...times(1, 3_000)]).warm.at(-1)).toBe(true);
		expect(play([...times(3, 100), ...times(1, 3_000)]).warm.at(-1)).toBe(false);
		const withPauses = Array.from({ length: 10 }, () => [...times(4, 100), ...times(1, 3_000)]).flat();
		expect(play(withPauses).warm.slice(1)).not.toContain(false);
	});

	test('for a second a question in all, however they come, and for half a second those who come alone', () => {
		const question = fc.record({
			afterMs: fc.oneof(fc.nat(1_200), fc.nat(12_000), fc.constant(0)),
			takesMs: fc.nat(2_000),
		});
		fc.assert(
			fc.property(fc.array(question, { minLength: 1, maxLength: 80 }), (questions) => {
				const { paidMs } = play(questions);
				expect(paidMs).toBeLessThanOrEqual(1_000 * questions.length);
				const alone = questions.map(({ takesMs }) => ({ afterMs: IDLE_MS + 1, takesMs }));
				expect(play(alone).paidMs).toBe(500 * questions.length);
			}),
		);
	});
});

test('nothing is closed for silence while somebody is being answered', () => {
	const busy = asked(asked(NOBODY_ASKED, 0), 0);
	const one = answered(busy, 2_000);
	expect(closesAt(one, 1_000)).toBe(1_000 + IDLE_MS);
	expect(closesAt(answered(one, 3_000), 2_900)).toBe(3_000 + 1_500);
});

test.each([
	['one', times(1, 0), false],
	['three', times(3, 0), false],
	['four', times(4, 0), true],
	['many that come one by one', times(30, ALONE), false],
	['many that come each second', times(30, 1_000), false],
] as const)('questions are dense: %s', (_, questions, dense) => {
	expect(isDense(play(questions).linger)).toBe(dense);
});
