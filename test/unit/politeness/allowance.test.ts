import { describe, expect, test } from 'vitest';
import { Allowance, dayAfter } from '../../../src/core/politeness/allowance.ts';
import { budgetOf } from '../../../src/core/politeness/budgets.ts';

const NOON = Date.UTC(2026, 10, 22, 12);
const GOOGLE = budgetOf('google');
const LIST = { least: 1, most: 60, urgent: false };
const CALL = { least: 1, most: 1, urgent: true };

/** Uses all that lists may use, until there is no more for a while. */
function exhaust(allowance: Allowance, from: number): void {
	for (let now = from; now < from + 60_000; now += 1_000) {
		const room = allowance.room(GOOGLE, now, LIST);
		allowance.hold(room);
		allowance.send(now, room);
	}
}

describe('a tenth of each minute', () => {
	test('is for single calls only', () => {
		const allowance = new Allowance(null);
		exhaust(allowance, NOON);
		const now = NOON + 59_999;
		expect(allowance.left(GOOGLE, now).thisMinute).toBe(12);
		expect(allowance.room(GOOGLE, now, LIST)).toBe(0);
		expect(allowance.room(GOOGLE, now, CALL)).toBe(1);
	});

	test('of the connections too', () => {
		const allowance = new Allowance(null);
		let opened = 0;
		for (let now = NOON; now < NOON + 60_000; now += 500)
			if (allowance.mayConnect(GOOGLE, now, false)) {
				allowance.connect(now);
				opened += 1;
			}
		expect(opened).toBe(27);
		expect(allowance.mayConnect(GOOGLE, NOON + 59_999, true)).toBe(true);
	});
});

describe('the day', () => {
	test('has its end at midnight, UTC: lists come back then, a caller finds a tenth', () => {
		const day = Math.floor(NOON / 86_400_000);
		const allowance = new Allowance({ day, recipients: 18_000 });
		expect(allowance.room(GOOGLE, NOON, LIST)).toBe(0);
		expect(allowance.room(GOOGLE, NOON, CALL)).toBe(1);
		expect(allowance.nextAt(GOOGLE, NOON, LIST, false)).toBe(dayAfter(NOON));
		expect(allowance.room(GOOGLE, dayAfter(NOON), LIST)).toBeGreaterThan(0);
	});

	test('counts what a restart interrupted', () => {
		const before = new Allowance(null);
		exhaust(before, NOON);
		const after = new Allowance(before.spent);
		expect(after.left(GOOGLE, NOON).today).toBe(20_000 - 108);
	});
});

test('behind others a turn comes as fast as the budget goes', () => {
	const allowance = new Allowance(null);
	const behind = (recipients: number, connections = 0) =>
		allowance.expectedAt(GOOGLE, NOON, LIST, connections > 0, { recipients, connections });
	expect(behind(0)).toBe(NOON);
	// A fifth of a minute's worth each ten seconds.
	expect(behind(65)).toBe(NOON + 20_000);
	// Nine minutes' worth beyond what is free now.
	expect(behind(10 * 108 - 1)).toBe(NOON + 9 * 60_000);
	// Twenty-seven new connections a minute, six of them in ten seconds.
	expect(behind(0, 5)).toBe(NOON);
	expect(behind(0, 10 * 27 - 1)).toBe(NOON + 9 * 60_000);
});
