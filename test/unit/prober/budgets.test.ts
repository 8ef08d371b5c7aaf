import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { budgetOverrides } from '../../../src/prober/budget-overrides.ts';
import { Budgets } from '../../../src/prober/budgets.ts';
import { ProberState } from '../../../src/prober/state.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const DAY = 86_400_000;
let folder = '';
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'budgets-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a new source address', () => {
	const perDay = (budgets: Budgets, egress = 'direct'): number =>
		budgets.budgetOf('google', egress).recipientsPerDay;

	test('grows with the days since it was used first, also when the prober starts again', () => {
		const clock = fakeClock();
		const file = path.join(folder, 'age.sqlite');
		const start = () => {
			const state = new ProberState(file, clock);
			return { state, budgets: new Budgets(clock, state, { overrides: {}, warm: ['known'] }) };
		};
		const first = start();
		expect([perDay(first.budgets), perDay(first.budgets, 'known')]).toEqual([1_000, 20_000]);
		first.state.close();
		clock.advance(2 * DAY);
		const second = start();
		expect([perDay(second.budgets), perDay(second.budgets, 'new')]).toEqual([2_250, 1_000]);
		clock.advance(8 * DAY);
		expect(perDay(second.budgets)).toBe(20_000);
		second.state.close();
	});
});

test('what was spent of a day, and by whom, survives a restart, and not the next day', () => {
	const clock = fakeClock();
	const file = path.join(folder, 'spent.sqlite');
	const day = Math.floor(clock.now() / DAY);
	const before = new ProberState(file, clock);
	before.keepSpent('google by direct', { day, shares: { acc_1: 700 } });
	before.close();
	const state = new ProberState(file, clock);
	const budgets = new Budgets(clock, state, { overrides: {}, warm: ['all'] });
	expect(budgets.spentOf('google by direct')).toEqual({ day, shares: { acc_1: 700 } });
	expect(budgets.spentOf('apple by direct')).toBeNull();
	// The day after, it says who else asks there.
	clock.advance(2 * DAY);
	expect(budgets.spentOf('google by direct')).toBeNull();
	state.close();
});

describe('PROBER_BUDGETS', () => {
	const google = { google: { recipientsPerMinute: 60 } };

	test('is JSON, or a file with it', () => {
		const file = path.join(folder, 'budgets.json');
		writeFileSync(file, JSON.stringify(google));
		expect(budgetOverrides.parse(JSON.stringify(google))).toEqual(google);
		expect(budgetOverrides.parse(file)).toEqual(google);
	});

	test.each([
		['no such file', '/nowhere/budgets.json'],
		['no JSON', '{'],
		['an operator that nobody knows', '{"gogle": {"connections": 1}}'],
		['a figure that nobody knows', '{"google": {"conections": 1}}'],
		['so little that nothing could be asked', '{"google": {"recipientsPerMinute": 3}}'],
	])('is refused where it is %s', (_, text) => {
		expect(budgetOverrides.safeParse(text).success).toBe(false);
	});
});
