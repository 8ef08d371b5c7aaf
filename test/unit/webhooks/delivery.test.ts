import { expect, test } from 'vitest';
import {
	ANSWER_MS,
	ATTEMPTS_MAX,
	FAILING_MAX_MS,
	OUTAGE_PAUSE_MS,
	RETRY_DELAYS_MS,
	dueAfterDeath,
	isFailingTooLong,
	judgeAttempt,
} from '../../../src/core/webhooks/delivery.ts';

const NOW = 1_800_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const answered = (code: number) => ({ kind: 'answered', code }) as const;

test('an event is sent again after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, and then given up', () => {
	const pauses = Array.from({ length: ATTEMPTS_MAX }, (_, index) =>
		judgeAttempt(index + 1, answered(500), NOW),
	);
	expect(pauses).toEqual([
		...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR].map((delay) => ({
			kind: 'retry',
			at: NOW + delay,
		})),
		{ kind: 'given_up', gone: false },
	]);
	expect(ATTEMPTS_MAX).toBe(7);
});

test.each<[number[], ReturnType<typeof judgeAttempt>]>([
	[[200, 201, 202, 204, 299], { kind: 'delivered' }],
	[
		[199, 300, 301, 302, 307, 308, 400, 401, 404, 409, 411, 429, 500, 503],
		{ kind: 'retry', at: NOW + 5 * SECOND },
	],
	// The endpoint wants no more.
	[[410], { kind: 'given_up', gone: true }],
])('an answer of %j: %j', (codes, judged) => {
	for (const code of codes) expect(judgeAttempt(1, answered(code), NOW), `${code}`).toEqual(judged);
	expect(judgeAttempt(ATTEMPTS_MAX, answered(410), NOW)).toEqual({ kind: 'given_up', gone: true });
});

test('a time-out counts as an attempt, and an outage of ours does not', () => {
	const fault = { kind: 'fault', fault: 'timed_out' } as const;
	expect(judgeAttempt(2, fault, NOW)).toEqual({ kind: 'retry', at: NOW + 5 * MINUTE });
	for (const attempt of [1, ATTEMPTS_MAX])
		expect(judgeAttempt(attempt, { kind: 'outage' }, NOW)).toEqual({
			kind: 'put_off',
			at: NOW + OUTAGE_PAUSE_MS,
		});
});

test('after a death amid an attempt the next one begins later than the first can have ended', () => {
	for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
		const pause = dueAfterDeath(attempt, NOW) - NOW;
		expect(pause).toBeGreaterThan(ANSWER_MS + (RETRY_DELAYS_MS[attempt - 1] ?? 0));
	}
});

test('an endpoint is disabled after five days without a success, and not a moment before', () => {
	expect(FAILING_MAX_MS).toBe(5 * 24 * HOUR);
	expect(isFailingTooLong(NOW, NOW + FAILING_MAX_MS - 1)).toBe(false);
	expect(isFailingTooLong(NOW, NOW + FAILING_MAX_MS)).toBe(true);
});
