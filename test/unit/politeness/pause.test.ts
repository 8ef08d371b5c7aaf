import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { observe, pausedBecause } from '../../../src/core/politeness/pause.ts';
import type { Observation, Standing } from '../../../src/core/politeness/pause.ts';

const NOW = 1_000_000;
const MINUTE = 60_000;
const blocked = (stage: 'greeting' | 'ehlo' | 'mail' | 'rcpt', domain = 'a.test'): Observation => {
	return { kind: 'refused', why: 'probe_blocked', stage, domain };
};
const standingAfter = (observations: readonly Observation[], isShared = false): Standing | null =>
	observations.reduce<Standing | null>((standing, each) => observe(standing, each, { isShared }, NOW), null);

describe('a mail host that blocks us is left alone', () => {
	test.each(['greeting', 'ehlo', 'mail'] as const)('at once when it refuses us at %s', (stage) => {
		expect(pausedBecause(standingAfter([blocked(stage)]), NOW)).toBe('probe_blocked');
	});

	test('only after a second refusal in a row when it refuses at RCPT, which may be one customer’s rule', () => {
		expect(pausedBecause(standingAfter([blocked('rcpt')]), NOW)).toBeNull();
		expect(pausedBecause(standingAfter([blocked('rcpt'), blocked('rcpt')]), NOW)).toBe('probe_blocked');
	});

	test('and a served question between two refusals starts the count again', () => {
		const standing = standingAfter([blocked('rcpt'), { kind: 'served' }, blocked('rcpt')]);
		expect(pausedBecause(standing, NOW)).toBeNull();
	});
});

test('a shared operator is left alone when two of its customers’ domains refused us, not for one of them', () => {
	expect(pausedBecause(standingAfter([blocked('mail'), blocked('mail')], true), NOW)).toBeNull();
	const two = standingAfter([blocked('rcpt', 'a.test'), blocked('rcpt', 'b.test')], true);
	expect(pausedBecause(two, NOW)).toBe('probe_blocked');
});

test.each([
	['probe_blocked', 10 * MINUTE],
	['rate_limited', MINUTE],
] as const)('the first pause for %s lasts %i ms, to the millisecond', (why, pauseMs) => {
	const standing = standingAfter([{ kind: 'refused', why, stage: 'greeting', domain: 'a.test' }]);
	expect(pausedBecause(standing, NOW + pauseMs - 1)).toBe(why);
	expect(pausedBecause(standing, NOW + pauseMs)).toBeNull();
});

test('each further pause is twice as long, an hour at the most', () => {
	let standing: Standing | null = null;
	let now = NOW;
	const lengths: number[] = [];
	for (let round = 0; round < 5; round += 1) {
		standing = observe(standing, blocked('greeting'), { isShared: false }, now);
		lengths.push(((standing.pause?.until ?? 0) - now) / MINUTE);
		now = standing.pause?.until ?? now;
	}
	expect(lengths).toEqual([10, 20, 40, 60, 60]);
});

test('no series of observations leaves a host alone for longer than an hour, and a served question ends the pause', () => {
	const observation = fc.oneof(
		fc.constant<Observation>({ kind: 'served' }),
		fc.record({
			kind: fc.constant('refused' as const),
			why: fc.constantFrom('probe_blocked' as const, 'rate_limited' as const),
			stage: fc.constantFrom('greeting' as const, 'mail' as const, 'rcpt' as const),
			domain: fc.constantFrom('a.test', 'b.test', 'c.test'),
		}),
	);
	fc.assert(
		fc.property(fc.array(observation, { maxLength: 20 }), fc.boolean(), (observations, isShared) => {
			const standing = standingAfter(observations, isShared);
			expect(pausedBecause(standing, NOW + 60 * MINUTE)).toBeNull();
			expect(pausedBecause(observe(standing, { kind: 'served' }, { isShared }, NOW), NOW)).toBeNull();
		}),
	);
});
