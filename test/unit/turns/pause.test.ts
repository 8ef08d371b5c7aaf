import { describe, expect, test } from 'vitest';
import {
	afterRefusal,
	afterWelcome,
	isOfTheGate,
	pausedBecause,
	UNBLEMISHED,
} from '../../../src/core/turns/pause.ts';
import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import type { Refusal, Standing } from '../../../src/core/turns/pause.ts';

const [NOW, MINUTE] = [1_000_000_000, 60_000];
const BLOCKED = { why: 'probe_blocked' } as const;
const LIMITED = { why: 'rate_limited' } as const;

/** The standing after refusals at these moments. */
const refused = (why: Parameters<typeof afterRefusal>[1], ...moments: number[]): Standing =>
	moments.reduce<Standing>((before, at) => afterRefusal(before, why, at), UNBLEMISHED);
const minutesOf = (standing: Standing, at: number): number =>
	((pausedBecause(standing, at)?.until ?? at) - at) / MINUTE;

describe('a refusal', () => {
	test.each<[string, OperatorName | null, Partial<Refusal>, boolean]>([
		['a recipient', 'google', {}, false],
		['a recipient of its own domain', 'google', { domain: 'gmail.com' }, true],
		['a recipient of another operator’s domain', 'proofpoint', { domain: 'gmail.com' }, false],
		['to relay, whenever it says so', 'google', { stage: 'mail', why: 'unavailable_smtp' }, false],
	])('of %s by %s is the gate’s: %s', (_, operator, more, expected) => {
		const refusal = { why: 'probe_blocked', stage: 'rcpt', domain: 'x.test', ...more } as const;
		expect(isOfTheGate(refusal, operator)).toBe(expected);
	});

	test('halves what is asked, and pauses the second time within ten minutes', () => {
		const once = refused(LIMITED, NOW);
		expect([once.factor, pausedBecause(once, NOW)]).toEqual([0.5, null]);
		expect(minutesOf(refused(LIMITED, NOW, NOW + 9 * MINUTE), NOW + 9 * MINUTE)).toBe(1);
		expect(minutesOf(refused(BLOCKED, NOW, NOW + 9 * MINUTE), NOW + 9 * MINUTE)).toBe(10);
		expect(minutesOf(refused(LIMITED, NOW, NOW + 11 * MINUTE), NOW + 11 * MINUTE)).toBe(0);
	});

	test('after a pause pauses for twice as long, for six hours at most; within one it changes nothing', () => {
		let standing = refused(BLOCKED, NOW, NOW);
		const pauses: number[] = [];
		for (let at = NOW, round = 0; round < 8; round += 1) {
			expect(afterRefusal(standing, BLOCKED, at)).toBe(standing);
			pauses.push(minutesOf(standing, at));
			at = standing.pause?.until ?? at;
			standing = afterRefusal(standing, BLOCKED, at);
		}
		expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 360, 360]);
		expect(standing.factor).toBe(0.1);
	});

	test('that names a list pauses for six hours at once', () => {
		const standing = refused({ ...BLOCKED, listed: true }, NOW);
		expect(standing).toMatchObject({ factor: 0.5, listedSince: NOW });
		expect(minutesOf(standing, NOW)).toBe(360);
	});
});

describe('an answer', () => {
	test('gives back a fiftieth, until nothing is left to remember', () => {
		let standing: Standing = { ...refused(LIMITED, NOW), factor: 0.5 };
		let answers = 0;
		for (; standing !== UNBLEMISHED; answers += 1) standing = afterWelcome(standing, NOW);
		expect(answers).toBe(25);
	});

	test('forgets the first refusal, and ends the trying after a pause, but no pause', () => {
		const paused = refused(LIMITED, NOW, NOW);
		expect(afterWelcome(paused, NOW)).toBe(paused);
		expect(afterWelcome(paused, NOW + MINUTE)).toMatchObject({ pause: null, pauseMs: MINUTE });
		expect(afterWelcome(refused(LIMITED, NOW), NOW).struckAt).toBeNull();
	});
});
