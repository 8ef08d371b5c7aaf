import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';

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
