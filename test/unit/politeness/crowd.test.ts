import { expect, test } from 'vitest';
import { Crowd } from '../../../src/core/politeness/crowd.ts';
import { Returns } from '../../../src/core/politeness/returns.ts';

const fill = (crowd: Crowd, share: string): number => {
	for (let n = 0; ; n += 1) if (crowd.enter(share) === null) return n;
};

test('a share that holds all that it can leaves half of the places, and each further share half of the rest', () => {
	const crowd = new Crowd(1_000);
	expect([fill(crowd, 'acc_1'), fill(crowd, 'acc_2'), fill(crowd, 'acc_3')]).toEqual([500, 250, 125]);
	expect(crowd.enter('acc_4')).not.toBeNull();
});

test('a place that is left is another question’s', () => {
	const crowd = new Crowd(2);
	const leave = crowd.enter('acc_1');
	expect(crowd.enter('acc_1')).toBeNull();
	leave?.();
	expect(crowd.enter('acc_1')).not.toBeNull();
});

test('questions of a share that are refused return one after the other, and not behind those of another share', () => {
	const returns = new Returns();
	expect([returns.next('acc_1', 0, 5, 100), returns.next('acc_1', 0, 5, 100)]).toEqual([5, 105]);
	expect(returns.next('acc_2', 0, 5, 100)).toBe(5);
	// With two shares each goes half as fast.
	expect(returns.next('acc_2', 0, 5, 100)).toBe(205);
	expect(returns.next('acc_1', 1_000, 1_005, 100)).toBe(1_005);
});
