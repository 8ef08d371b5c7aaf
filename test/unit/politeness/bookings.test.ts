import { describe, expect, test } from 'vitest';
import { dayAfter } from '../../../src/core/politeness/allowance.ts';
import { Bookings } from '../../../src/core/politeness/bookings.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 22, 12);
const CAPACITY = { perMinute: 100, isShared: true };

describe('those who are told to come back', () => {
	test('are told different moments, as the budget goes', () => {
		const bookings = new Bookings();
		const moments = [0, 1, 2, 3].map(() => bookings.book(NOON, 'acc_1', 50, NOON + 5_000, CAPACITY) - NOON);
		expect(moments).toEqual([5_000, 35_000, 65_000, 95_000]);
		expect(bookings.until(NOON)).toBe(NOON + 125_000);
		expect(bookings.until(NOON + 125_000)).toBeNull();
	});

	test('stand behind nobody else’s thousands', () => {
		const bookings = new Bookings();
		for (let times = 0; times < 100; times += 1) bookings.book(NOON, 'acc_1', 100, NOON, CAPACITY);
		const moments = [0, 1, 2].map(() => bookings.book(NOON, 'acc_2', 50, NOON, CAPACITY) - NOON);
		// Half of the budget is theirs.
		expect(moments).toEqual([0, MINUTE, 2 * MINUTE]);
	});

	test('stand behind nobody at all, where they come first', () => {
		const bookings = new Bookings();
		for (let n = 0; n < 100; n += 1) bookings.book(NOON, `acc_${n}`, 100, NOON, CAPACITY);
		const first = { ...CAPACITY, isShared: false };
		const moments = [0, 1, 2].map(() => bookings.book(NOON, 'acc_small', 10, NOON, first) - NOON);
		expect(moments).toEqual([0, 6_000, 12_000]);
	});

	test('are told of tomorrow in the same way when the day is used up', () => {
		const bookings = new Bookings();
		const tomorrow = dayAfter(NOON);
		const moments = [0, 1, 2].map(() => bookings.book(NOON, 'acc_1', 50, tomorrow, CAPACITY) - tomorrow);
		expect(moments).toEqual([0, 30_000, 60_000]);
	});

	test('are not told of tomorrow while there is something left of today', () => {
		const bookings = new Bookings();
		for (let times = 0; times < 100; times += 1) bookings.book(NOON, 'acc_1', 300, NOON, CAPACITY);
		expect(bookings.book(NOON, 'acc_1', 50, NOON, CAPACITY)).toBe(NOON + 300 * MINUTE);
	});

	test('and don’t come: nobody is told to wait behind them', () => {
		const bookings = new Bookings();
		bookings.came(NOON, 1, 100);
		for (let times = 0; times < 100; times += 1) bookings.book(NOON, 'acc_1', 100, NOON, CAPACITY);
		expect(bookings.until(NOON)).toBe(NOON + 100 * MINUTE);
		bookings.came(NOON + MINUTE, 10, 100);
		expect(bookings.until(NOON + MINUTE)).toBeNull();
		expect(bookings.book(NOON + MINUTE, 'acc_1', 50, NOON + MINUTE, CAPACITY)).toBe(NOON + MINUTE);
	});

	test('and come: the promises stand', () => {
		const bookings = new Bookings();
		for (let times = 0; times < 10; times += 1) bookings.book(NOON, 'acc_1', 100, NOON, CAPACITY);
		for (let minute = 0; minute < 5; minute += 1) bookings.came(NOON + minute * MINUTE, 100, 100);
		expect(bookings.until(NOON + 5 * MINUTE)).toBe(NOON + 10 * MINUTE);
	});
});
