import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admit, CATEGORIES, DEFAULT_LIMITS, viewOf } from '../../../src/core/rate-limit/window.ts';
import type { Window } from '../../../src/core/rate-limit/window.ts';

const WINDOW_MS = 900_000;
const T0 = 1_000_000;

test('the limits are those of the specification', () => {
	expect(CATEGORIES.map((category) => DEFAULT_LIMITS[category])).toEqual([300, 30, 600]);
});

const full: Window = { startedAt: T0, count: 3 };

test('a limit that was lowered meanwhile leaves nothing, never less', () => {
	expect(viewOf(full, 2, WINDOW_MS, T0).remaining).toBe(0);
});

describe('the window', () => {
	test.each([
		[WINDOW_MS - 1, false, T0],
		[WINDOW_MS, true, T0 + WINDOW_MS],
	])('after %i ms: admitted %s', (elapsed, admitted, startedAt) => {
		const after = admit(full, 3, WINDOW_MS, T0 + elapsed);
		expect([after.admitted, after.window.startedAt]).toEqual([admitted, startedAt]);
	});

	test('begins with its first request, and not when it is looked at', () => {
		expect(viewOf(null, 3, WINDOW_MS, T0)).toEqual({ limit: 3, remaining: 3, resetSeconds: 900 });
		expect(admit(null, 3, WINDOW_MS, T0)).toEqual({ admitted: true, window: { startedAt: T0, count: 1 } });
	});

	test('is not pushed further by a refused request', () => {
		const refused = admit(full, 3, WINDOW_MS, T0 + 500_000);
		expect(refused.window).toEqual(full);
		expect(admit(refused.window, 3, WINDOW_MS, T0 + WINDOW_MS).admitted).toBe(true);
	});
});

test.each([
	[0, 900],
	[1, 900],
	[1000, 899],
	[WINDOW_MS - 1001, 2],
	[WINDOW_MS - 1000, 1],
	[WINDOW_MS - 1, 1],
	[WINDOW_MS, 900],
])('%i ms into a window it resets in %i s', (elapsed, resetSeconds) => {
	expect(viewOf({ startedAt: T0, count: 1 }, 3, WINDOW_MS, T0 + elapsed).resetSeconds).toBe(resetSeconds);
});

test('a clock that steps back neither opens a new window nor promises a longer wait than one window', () => {
	expect(admit(full, 3, WINDOW_MS, T0 - 60_000)).toEqual({ admitted: false, window: full });
	expect(viewOf(full, 3, WINDOW_MS, T0 - 60_000)).toEqual({ limit: 3, remaining: 0, resetSeconds: 900 });
});

test('no sequence of requests gets more than the limit through in one window', () => {
	const waits = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 });
	fc.assert(
		fc.property(waits, fc.integer({ min: 1, max: 5 }), (gaps, limit) => {
			let window: Window | null = null;
			let now = T0;
			const admitted = new Map<number, number>();
			for (const gap of gaps) {
				now += gap;
				const before = viewOf(window, limit, 1000, now);
				const outcome = admit(window, limit, 1000, now);
				({ window } = outcome);
				expect(outcome.admitted).toBe(before.remaining > 0);
				expect(viewOf(window, limit, 1000, now).remaining).toBe(outcome.admitted ? before.remaining - 1 : 0);
				expect(now - window.startedAt).toBeLessThan(1000);
				if (outcome.admitted) admitted.set(window.startedAt, (admitted.get(window.startedAt) ?? 0) + 1);
			}
			for (const count of admitted.values()) expect(count).toBeLessThanOrEqual(limit);
		}),
		{ numRuns: 100 },
	);
});
