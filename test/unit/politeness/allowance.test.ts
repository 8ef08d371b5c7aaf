import { describe, expect, test } from 'vitest';
import { Allowance } from '../../../src/core/politeness/allowance.ts';
import type { Ask } from '../../../src/core/politeness/allowance.ts';
import { budgetOf } from '../../../src/core/politeness/budgets.ts';
import { partOf } from '../../../src/core/politeness/budget.ts';
import { VISITORS } from '../../../src/core/politeness/shares.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const GOOGLE = budgetOf('google');
const SINGLE: Ask = { member: 'acc_1', urgency: 'single', least: 1, most: 4, connects: false };
const LIST: Ask = { member: 'acc_2', urgency: 'list', least: 4, most: 60, connects: false };
const VISITOR: Ask = { ...SINGLE, member: VISITORS };

describe('a minute', () => {
	test('has something left for a caller when lists have taken all that they may', () => {
		const allowance = new Allowance(null);
		allowance.take(GOOGLE, LIST.member, allowance.room(GOOGLE, LIST, NOW), NOW);
		expect(allowance.room(GOOGLE, LIST, NOW)).toBe(0);
		expect(allowance.room(GOOGLE, SINGLE, NOW)).toBeGreaterThan(0);
	});

	test('of a new source address leaves a question to an account that pays, after five visitors', () => {
		const first = partOf(GOOGLE, 0.05);
		const allowance = new Allowance(null);
		for (let n = 0; n < 5; n += 1) {
			const room = allowance.room(first, { ...VISITOR, least: 3 }, NOW);
			if (room > 0) allowance.take(first, VISITORS, room, NOW);
		}
		expect(allowance.room(first, { ...SINGLE, least: 3 }, NOW)).toBeGreaterThanOrEqual(3);
	});

	test('says when there is room again, to the millisecond', () => {
		const allowance = new Allowance(null);
		allowance.take(GOOGLE, LIST.member, allowance.room(GOOGLE, LIST, NOW), NOW);
		const at = allowance.nextAt(GOOGLE, LIST, NOW);
		expect(allowance.room(GOOGLE, LIST, at)).toBeGreaterThanOrEqual(LIST.least);
		expect(allowance.room(GOOGLE, LIST, at - 1)).toBe(0);
	});

	test('bounds new connections too, and a connection that is there goes on', () => {
		const allowance = new Allowance(null);
		const connecting = { ...LIST, connects: true };
		while (allowance.room(GOOGLE, connecting, NOW) > 0) allowance.takeConnection(GOOGLE, NOW);
		expect(allowance.room(GOOGLE, LIST, NOW)).toBeGreaterThan(0);
		expect(allowance.nextAt(GOOGLE, connecting, NOW)).toBeGreaterThan(NOW);
	});

	test('counts nothing of what is given back', () => {
		const allowance = new Allowance(null);
		allowance.take(GOOGLE, 'acc_1', 5, NOW);
		allowance.giveBack('acc_1', 5, NOW);
		expect(allowance.left(GOOGLE, NOW).usedToday.accounts).toBe(0);
		expect(allowance.isQuiet(GOOGLE, NOW)).toBe(true);
	});
});

test('a network has a ceiling of four machines', () => {
	const other = budgetOf(null);
	const network = new Allowance(null);
	const machines = Array.from(
		{ length: 46 },
		() => new Allowance(null, { allowance: network, budget: () => other }),
	);
	let asked = 0;
	for (let at = NOW; at < NOW + 60_000; at += 500)
		for (const machine of machines) {
			const room = machine.room(other, { ...SINGLE, most: 10 }, at);
			if (room > 0) machine.take(other, SINGLE.member, room, at);
			asked += room;
		}
	expect(asked).toBeLessThanOrEqual(4 * other.recipientsPerMinute);
	expect(asked).toBeGreaterThan(3 * other.recipientsPerMinute);
});

test('what is expected behind others is later by what they take', () => {
	const allowance = new Allowance(null);
	const ahead = { recipients: 109, connections: 0 };
	const at = allowance.expectedAt(GOOGLE, LIST, ahead, NOW);
	expect((at - NOW) / 60_000).toBeCloseTo(1, 1);
});
