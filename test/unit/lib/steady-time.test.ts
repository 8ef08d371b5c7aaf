import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { sleep, steadyTime } from '../../../src/lib/time.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 22);

/** A wall clock that somebody sets, and a pace that nobody does. */
function clocks() {
	const world = { wall: START, pace: 5.25 };
	const time = steadyTime(
		() => world.wall,
		() => world.pace,
	);
	const pass = (ms: number): void => {
		world.wall += ms;
		world.pace += ms;
	};
	return { world, time, pass };
}

test('is the time of the wall clock while that is not set', () => {
	const { time, pass } = clocks();
	expect(time()).toBe(START);
	for (const ms of [1, 250, 60_000]) pass(ms);
	expect(time()).toBe(START + 60_251);
});

test.each([
	['back an hour', -HOUR_MS, 90_000],
	['ahead a day', 24 * HOUR_MS, 24 * HOUR_MS + 90_000],
])('where it is set %s, a minute is still a minute', (_, jump, expected) => {
	const { world, time, pass } = clocks();
	pass(30_000);
	time();
	world.wall += jump;
	pass(60_000);
	expect(time()).toBe(START + expected);
});

test('never goes back, and loses nothing however often it is read', () => {
	const step = fc.record({
		ms: fc.double({ min: 0, max: 5_000, noNaN: true }),
		jump: fc.integer({ min: -HOUR_MS, max: 0 }),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const { world, time, pass } = clocks();
			let before = time();
			let passed = 0;
			for (const { ms, jump } of steps) {
				pass(ms);
				world.wall += jump;
				passed += ms;
				expect(time()).toBeGreaterThanOrEqual(before);
				before = time();
			}
			expect(Math.abs(before - START - passed)).toBeLessThan(2);
		}),
	);
});

test.each<[string, (abort: AbortController) => void]>([
	['before it began', (abort) => abort.abort()],
	['meanwhile', (abort) => setImmediate(() => abort.abort())],
])('a wait whose signal aborts %s ends at once, and leaves no timer behind', async (_, end) => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	const abort = new AbortController();
	end(abort);
	await sleep(60_000, abort.signal);
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
});

test('a wait that is over listens to its signal no longer', async () => {
	const { signal } = new AbortController();
	const listening = vi.spyOn(signal, 'addEventListener');
	const over = vi.spyOn(signal, 'removeEventListener');
	await sleep(1, signal);
	expect(over.mock.calls.map(([name]) => name)).toEqual(listening.mock.calls.map(([name]) => name));
});
