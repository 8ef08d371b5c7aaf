import { expect, test } from 'vitest';
import { isInFlight, openPart, PARTS_IN_FLIGHT_MAX } from '../../../src/core/jobs/part.ts';
import { sendDue } from '../../../src/core/jobs/plan-parts.ts';

const TIMING = { retryDelaysMs: [60_000], redriveAfterMs: 30_000 };
const waitingSince = (at: number) => ({ part: openPart(10, at, TIMING, false) });

test('a job sends as many parts as may be under way, the longest wait first', () => {
	const parts = Array.from({ length: PARTS_IN_FLIGHT_MAX + 5 }, (_, n) => waitingSince(100 - n));
	const { sent, wakeAt } = sendDue(parts, 1_000, TIMING);
	expect(sent).toHaveLength(PARTS_IN_FLIGHT_MAX);
	expect(sent.every(({ part }) => isInFlight(part))).toBe(true);
	expect(Math.max(...sent.map(({ part }) => part.dueAt))).toBe(95);
	// Parts that wait for room are sent when a part is given back: the alarm only looks after lost messages.
	expect(wakeAt).toBe(1_000 + 2 * 30_000 - 30_000);
});

test('a part whose time has not come is sent then', () => {
	const { sent, wakeAt } = sendDue([waitingSince(5_000)], 1_000, TIMING);
	expect([sent, wakeAt]).toEqual([[], 5_000]);
});

test('a message that was lost is sent again, however many parts are under way', () => {
	const lost = Array.from({ length: PARTS_IN_FLIGHT_MAX }, () => ({ part: openPart(10, 0, TIMING) }));
	expect(sendDue(lost, 30_000, TIMING).sent).toHaveLength(PARTS_IN_FLIGHT_MAX);
	expect(sendDue(lost, 29_999, TIMING).sent).toEqual([]);
});
