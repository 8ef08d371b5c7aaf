import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { crossed } from '../../../src/core/webhooks/events.ts';

test.each([
	[{ below: 100, isLow: false }, 100, null],
	[{ below: 100, isLow: false }, 99, true],
	[{ below: 100, isLow: true }, 99, null],
	[{ below: 100, isLow: true }, 0, null],
	[{ below: 100, isLow: true }, 100, false],
	[{ below: 1, isLow: false }, 0, true],
	[{ below: null, isLow: false }, 0, null],
	[{ below: null, isLow: true }, 0, false],
])('with %j a balance of %i makes it low: %s', (low, balance, isLow) => {
	expect(crossed(low, balance)?.isLow ?? null).toBe(isLow);
});

test('an account gets one notice each time its balance falls below, however it moves', () => {
	assert(
		property(array(integer({ min: 0, max: 20 })), (balances) => {
			let low = { below: 10, isLow: false } as Parameters<typeof crossed>[0];
			let told = 0;
			for (const balance of balances) {
				const next = crossed(low, balance);
				if (next?.isLow === true) told += 1;
				low = next ?? low;
			}
			const falls = balances.filter((balance, at) => balance < 10 && (at === 0 || balances[at - 1]! >= 10));
			expect(told).toBe(falls.length);
		}),
	);
});
