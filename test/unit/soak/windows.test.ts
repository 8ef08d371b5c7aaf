import { expect, test } from 'vitest';
import { lookAtWindows } from '../../soak/windows.ts';
import type { WindowedAnswer } from '../../soak/windows.ts';

const WINDOW_MS = 60_000;

/** An answer `after` seconds into the window that began at a second. */
function answer(began: number, after: number, more: Partial<WindowedAnswer>): WindowedAnswer {
	const told = { status: 200, limit: 3, remaining: 0, resetSeconds: 60 - after, retryAfter: null };
	return { receivedAt: (began + after) * 1000 + 40, ...told, ...more };
}

const full = (began: number): readonly WindowedAnswer[] => [
	answer(began, 0, { remaining: 2 }),
	answer(began, 10, { remaining: 1 }),
	answer(began, 20, { remaining: 0 }),
	answer(began, 30, { status: 429, retryAfter: 30 }),
];

test('two windows that are full, one right after the other, are exact', () => {
	expect(lookAtWindows([...full(0), ...full(61)], 3, WINDOW_MS)).toEqual({
		windows: 2,
		admitted: 6,
		refused: 2,
		faults: [],
	});
});

test.each([
	['one more let in', answer(0, 40, { remaining: 0 }), 'window 1: 4 were let in, of 3'],
	['the same place twice', answer(61, 5, { remaining: 0 }), 'window 2: two answers name the same number'],
	['another limit', answer(0, 40, { status: 429, retryAfter: 20, limit: 4 }), 'another limit'],
	['a 429 with a rest', answer(0, 40, { status: 429, retryAfter: 20, remaining: 1 }), 'requests remain'],
	['a 429 that does not say when', answer(0, 40, { status: 429 }), 'no Retry-After'],
	['a place outside of the limit', answer(130, 0, { remaining: 3 }), 'window 3: what remains is outside'],
])('%s is a fault', (_, wrong, said) => {
	const { faults } = lookAtWindows([...full(0), ...full(61), wrong], 3, WINDOW_MS);
	expect(faults.join('; ')).toContain(said);
});
