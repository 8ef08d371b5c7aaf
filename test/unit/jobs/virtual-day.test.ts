import { describe, expect, test } from 'vitest';
import { passDay } from '../../support/giants/day.ts';
import { percentile } from '../../support/statistics.ts';

// Days of a service that is played but for its runtimes, its sockets and its clock: jobs, parts, engine and prober are
// the real ones, operators have the limits of their rows and become angry beyond them.

const NOBODY = { count: 0, everyMs: 0 };
const CALLS = { count: 80, everyMs: 5_000 };
const IDLE = { egresses: 2, lists: 0, listSize: 0, calls: CALLS, small: NOBODY };

describe('two lists as people have them, by two source addresses', () => {
	const passed = passDay({ ...IDLE, lists: 2, listSize: 2_500, small: { count: 4, everyMs: 90_000 } });

	test('are answered to the last address, and no address is unknown for want of capacity', async () => {
		const { unknown, unfinished } = await passed;
		expect([unknown, unfinished]).toEqual([0, 0]);
	});

	test('never exceed the rate that an operator accepts', async () => {
		const { angers, refused } = await passed;
		expect([angers, refused]).toEqual([0, 0]);
	});

	test('use nearly all of the budget that decides when they are done, by both addresses alike', async () => {
		const [scarcest] = (await passed).used;
		expect(scarcest?.operator).toBe('google');
		expect(scarcest?.share).toBeGreaterThan(0.9);
		expect(scarcest?.spread[0]).toBeGreaterThan(0.9);
	});

	test('do not keep lists of 49 addresses of other accounts from ending within half a minute', async () => {
		const { smallMs, smallUnknown } = await passed;
		expect(smallMs).toHaveLength(4);
		expect(Math.max(...smallMs)).toBeLessThanOrEqual(30_000);
		expect(smallUnknown).toBe(0);
	});

	test('cost a caller next to nothing', async () => {
		const [busy, idle] = [await passed, await passDay(IDLE)];
		expect(percentile(busy.callMs, 0.95)).toBeLessThanOrEqual(1.5 * percentile(idle.callMs, 0.95));
		expect(busy.callsUnknown).toBe(0);
	});
});

test('a list that is too long for the day is finished after midnight, not given up', async () => {
	const budgets = { google: { recipientsPerDay: 1_500 }, outlook: { recipientsPerDay: 750 } };
	const day = await passDay({ ...IDLE, egresses: 1, lists: 1, listSize: 5_000, budgets, calls: NOBODY });
	expect([day.unknown, day.unfinished, day.angers]).toEqual([0, 0, 0]);
	expect(day.hours).toBeGreaterThan(14);
	expect(day.hours).toBeLessThan(15);
});

test('a day is the same day each time, to the last question', async () => {
	const options = { ...IDLE, lists: 1, listSize: 300 };
	expect(await passDay(options)).toEqual(await passDay(options));
});
