import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	FROM_THE_START,
	askedAgain,
	dueUntil,
	HORIZON_MS,
	postponed,
	putOff,
} from '../../../src/core/jobs/schedule.ts';
import type { Schedule } from '../../../src/core/jobs/schedule.ts';

const MINUTE_MS = 60_000;
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
const OF_A_SMALL_JOB_MS = [3_000, 8_000];

describe('an address whose answer may get better', () => {
	test('is asked again after each of the pauses, and then no more', () => {
		let schedule: Schedule | null = FROM_THE_START;
		const dueAts: number[] = [];
		for (let now = 1_000; schedule !== null; now = schedule.dueAt) {
			schedule = askedAgain(schedule, now, DELAYS_MS);
			if (schedule === null) break;
			dueAts.push(schedule.dueAt - now);
		}
		expect(dueAts).toEqual(DELAYS_MS);
	});

	test('is asked again when its mail operator lets it in, where that is known, and no more often for it', () => {
		const first = askedAgain(FROM_THE_START, 1_000, DELAYS_MS, 20 * MINUTE_MS);
		expect(first).toEqual({ asked: 1, dueAt: 1_000 + 20 * MINUTE_MS, putOffSince: null });
		expect(askedAgain({ ...FROM_THE_START, asked: 3 }, 1_000, DELAYS_MS, 20 * MINUTE_MS)).toBeNull();
	});
});

/** How long after the first time an address is asked that is put off each time. */
function times(delaysMs: readonly number[]): number[] {
	const asked: number[] = [];
	for (
		let schedule = putOff(FROM_THE_START, 0, delaysMs);
		schedule !== null;
		schedule = putOff(schedule, schedule.dueAt, delaysMs)
	)
		asked.push(schedule.dueAt / 1_000);
	return asked;
}

describe('an address that a fault of ours puts off', () => {
	test('of a small job is asked again as soon as its own pauses say', () => {
		expect(times(OF_A_SMALL_JOB_MS).slice(0, 4)).toEqual([3, 9, 27, 81]);
	});

	test('is asked every quarter of an hour in the end, for six hours in all', () => {
		const asked = times(DELAYS_MS);
		expect(asked.slice(0, 5)).toEqual([60, 180, 540, 1_440, 2_340]);
		expect(asked.at(-1)).toBe(6 * 3_600);
		expect(asked.length).toBeLessThan(30);
	});

	test('keeps the answers that it is still owed', () => {
		const once = askedAgain(FROM_THE_START, 0, DELAYS_MS) ?? FROM_THE_START;
		const later = putOff(once, 60_000, DELAYS_MS);
		expect(later).toMatchObject({ asked: 1, putOffSince: 60_000 });
		expect(askedAgain(later ?? once, 70_000, DELAYS_MS)).toEqual({
			asked: 2,
			dueAt: 70_000 + 5 * MINUTE_MS,
			putOffSince: 60_000,
		});
	});
});

test('whatever happens to an address, it is asked for the last time at some time', () => {
	const event = fc.constantFrom('answer', 'outage', 'no time', 'no capacity');
	fc.assert(
		fc.property(fc.infiniteStream(event), fc.nat(3 * MINUTE_MS), (events, tookMs) => {
			let schedule: Schedule = FROM_THE_START;
			let now = 0;
			for (let turn = 0; ; turn += 1) {
				expect(turn).toBeLessThan(10_000);
				now = Math.max(now, schedule.dueAt) + tookMs + 1_000;
				const next: Schedule | null = after(events.next().value as string, schedule, now);
				if (next === null) return;
				expect(next.asked - schedule.asked).toBeLessThanOrEqual(1);
				expect(next.dueAt).toBeGreaterThanOrEqual(now);
				schedule = next;
			}
		}),
		{ numRuns: 50 },
	);
});

function after(event: string, schedule: Schedule, now: number): Schedule | null {
	if (event === 'answer') return askedAgain(schedule, now, DELAYS_MS);
	if (event === 'no time') return postponed(schedule, { until: now, horizon: HORIZON_MS }, now);
	if (event === 'no capacity')
		return postponed(schedule, { until: now + 10 * MINUTE_MS, horizon: HORIZON_MS }, now);
	return putOff(schedule, now, DELAYS_MS);
}

test.each([
	['what has been due for long', [0, 5_000, 90_000], 60_000, 61_000],
	['the soonest, where our clock is behind the one that woke us', [90_000, 95_000], 60_000, 91_000],
])('due together is %s, with what follows within a second', (_, dueAts, now, expected) => {
	expect(dueUntil(dueAts, now)).toBe(expected);
});

describe('an address that waits for our own capacity', () => {
	test('is due at a whole millisecond, whatever span a prober tells', () => {
		const next = postponed(FROM_THE_START, { until: 5_000.4, horizon: 60_000 }, 1_000);
		expect(next).toEqual({ asked: 0, dueAt: 5_001, putOffSince: null });
	});

	test('is due at its horizon at the latest, and then no more', () => {
		expect(postponed(FROM_THE_START, { until: 90_000, horizon: 60_000 }, 59_999)?.dueAt).toBe(60_000);
		expect(postponed(FROM_THE_START, { until: 90_000, horizon: 60_000 }, 60_000)).toBeNull();
	});

	test('keeps all the time that faults of ours may put it off', () => {
		const faulty: Schedule = { asked: 0, dueAt: 0, putOffSince: 4_000 };
		const waited = postponed(faulty, { until: 50_000, horizon: 60_000 }, 10_000);
		expect(waited).toEqual({ asked: 0, dueAt: 50_000, putOffSince: 44_000 });
	});
});
