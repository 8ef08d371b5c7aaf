import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpiringMap, remembered } from '../../../src/lib/expiring-map.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';

test('an entry is known until it expires, and not a millisecond longer', () => {
	const map = new ExpiringMap<string>(2);
	map.set('a', 'one', 1000);
	expect(map.get('a', 999)).toBe('one');
	expect(map.get('a', 1000)).toBeUndefined();
	expect(map.get('a', 0)).toBeUndefined();
});

test('the entry unused for longest gives way', () => {
	const map = new ExpiringMap<number>(2);
	map.set('a', 1, 1000);
	map.set('b', 2, 1000);
	map.get('a', 0);
	expect([map.set('a', 1, 1000), map.set('c', 3, 1000)]).toEqual([null, 'b']);
	expect(['a', 'b', 'c'].map((key) => map.get(key, 0))).toEqual([1, undefined, 3]);
});

test('it never holds more than it may, and never another value than the last one set', () => {
	const step = fc.record({
		key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
		now: fc.nat({ max: 100 }),
		expiresAt: fc.nat({ max: 100 }),
	});
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 30 }), (max, steps) => {
			const map = new ExpiringMap<number>(max);
			const last = new Map<string, number>();
			for (const [index, { key, now, expiresAt }] of steps.entries()) {
				const found = map.get(key, now);
				if (found !== undefined) expect(found).toBe(last.get(key));
				map.set(key, index, expiresAt);
				last.set(key, index);
			}
			const kept = [...last.keys()].filter((key) => map.get(key, -1) !== undefined);
			expect(kept.length).toBe(Math.min(max, last.size));
		}),
		{ numRuns: 100 },
	);
});

const FRESH_MS = 10_000;
const PATIENCE_MS = 5_000;

/** A question that is answered when the test says so. */
function world() {
	const clock = virtualClock();
	const asked: PromiseWithResolvers<string>[] = [];
	const ask = remembered(clock, { freshMs: FRESH_MS, patienceMs: PATIENCE_MS }, () => {
		const question = Promise.withResolvers<string>();
		asked.push(question);
		return question.promise;
	});
	return { ask, asked, pass: (ms: number) => clock.run(clock.sleep(ms)) };
}

describe('a question', () => {
	test('is asked once for all concurrent callers, and once in ten seconds', async () => {
		const { ask, asked, pass } = world();
		const all = Promise.all(Array.from({ length: 20 }, ask));
		asked[0]?.resolve('well');
		expect(new Set(await all)).toEqual(new Set(['well']));
		await pass(FRESH_MS - 1);
		expect(await ask()).toBe('well');
		expect(asked).toHaveLength(1);
		await pass(1);
		const next = ask();
		asked[1]?.resolve('ill');
		expect(await next).toBe('ill');
		expect(asked).toHaveLength(2);
	});

	test('that fails is not cached, and callers that waited for it ask again', async () => {
		const { ask, asked, pass } = world();
		const [first, second] = [ask(), ask()];
		asked[0]?.reject(new Error('no answer'));
		await expect(first).rejects.toThrow('no answer');
		await pass(0);
		asked[1]?.resolve('well');
		expect(await second).toBe('well');
	});

	test('whose asker has gone delays others no longer than their patience', async () => {
		const { ask, asked, pass } = world();
		void ask();
		const second = ask();
		await pass(PATIENCE_MS - 1);
		expect(asked).toHaveLength(1);
		await pass(1);
		asked[1]?.resolve('well');
		expect(await second).toBe('well');
	});
});
