import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateOf, TokenBucket } from '../../../src/core/politeness/token-bucket.ts';

const MINUTE = 60_000;

test.each([6, 12, 30, 60, 120, 240])(
	'no sixty seconds see more than %i tokens, however they are taken',
	(perMinute) => {
		const steps = fc.array(fc.record({ ms: fc.nat(5_000), count: fc.nat(8) }), { maxLength: 300 });
		fc.assert(
			fc.property(steps, (taken) => {
				const bucket = new TokenBucket();
				const rate = rateOf(perMinute, 3);
				const log: { at: number; count: number }[] = [];
				let now = 0;
				for (const { ms, count } of taken) {
					now += ms;
					const free = Math.min(count, bucket.free(rate, now, true));
					if (free <= 0) continue;
					bucket.take(free, rate, now);
					log.push({ at: now, count: free });
				}
				const inMinute = (end: number): number =>
					log.reduce((sum, { at, count }) => sum + (at > end - MINUTE && at <= end ? count : 0), 0);
				expect(Math.max(0, ...log.map(({ at }) => inMinute(at)))).toBeLessThanOrEqual(perMinute);
			}),
			{ numRuns: 50 },
		);
	},
);

test('the wait that it tells is the one after which there is enough, and not a millisecond less', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 6, max: 500 }),
			fc.nat(20),
			fc.nat(20_000),
			fc.boolean(),
			(perMinute, taken, ms, isFirst) => {
				const rate = rateOf(perMinute, 3);
				const bucket = new TokenBucket();
				bucket.take(taken, rate, 0);
				const wait = bucket.waitMs(2, rate, ms, isFirst);
				expect(bucket.free(rate, ms + wait, isFirst)).toBeGreaterThanOrEqual(2);
				if (wait > 1) expect(bucket.free(rate, ms + wait - 1, isFirst)).toBeLessThan(2);
			},
		),
	);
});

test('most of a minute’s budget can be used, minute by minute', () => {
	for (const perMinute of [60, 120, 240])
		expect(rateOf(perMinute, 3).perMs * MINUTE).toBeGreaterThan(0.87 * perMinute);
});

test('what is reserved is there for those who come first, and what was given back for all', () => {
	const rate = rateOf(60, 3);
	const bucket = new TokenBucket();
	bucket.take(bucket.free(rate, 0, false), rate, 0);
	expect([bucket.free(rate, 0, false), bucket.free(rate, 0, true)]).toEqual([0, 3]);
	bucket.giveBack(2);
	expect([bucket.free(rate, 0, false), bucket.free(rate, 0, true)]).toEqual([2, 5]);
});

test('a clock that goes back refills nothing', () => {
	const rate = rateOf(60, 3);
	const bucket = new TokenBucket();
	bucket.take(6, rate, 10 * MINUTE);
	expect(bucket.free(rate, 0, true)).toBe(0);
});
