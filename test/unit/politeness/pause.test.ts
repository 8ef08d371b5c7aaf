import { describe, expect, test } from 'vitest';
import {
	afterRefusal,
	afterWelcome,
	isOfTheWhole,
	paceOf,
	pausedBecause,
} from '../../../src/core/politeness/pause.ts';
import type { PauseReason, Standing } from '../../../src/core/politeness/pause.ts';

const MINUTE = 60_000;
const RATE = { why: 'rate_limited' } as const;
const BLOCK = { why: 'probe_blocked' } as const;
const LISTED = { ...BLOCK, listed: true } as const;

const twice = (refused: { readonly why: PauseReason }, before: Standing | null = null, now = 0): Standing =>
	afterRefusal(afterRefusal(before, refused, false, now), refused, false, now + 1);

describe('a refusal', () => {
	test('halves what is asked at first, and pauses the second time', () => {
		const once = afterRefusal(null, RATE, false, 0);
		expect([pausedBecause(once, 1), paceOf(once)]).toEqual([null, { share: 0.5, isTrying: false }]);
		expect(pausedBecause(twice(RATE), 2)).toEqual({ until: 1 + MINUTE, why: 'rate_limited' });
		expect(pausedBecause(twice(BLOCK), 2)).toEqual({ until: 1 + 10 * MINUTE, why: 'probe_blocked' });
	});

	test('that comes more than ten minutes after another is the first again', () => {
		const late = afterRefusal(afterRefusal(null, RATE, false, 0), RATE, false, 11 * MINUTE);
		expect(pausedBecause(late, 11 * MINUTE)).toBeNull();
	});

	test('that is certain pauses at once', () => {
		expect(pausedBecause(afterRefusal(null, RATE, true, 0), 1)).not.toBeNull();
	});

	test('that says we are listed pauses for six hours, and begins again with a quarter', () => {
		const listed = afterRefusal(null, LISTED, false, 5);
		expect(pausedBecause(listed, 6)?.until).toBe(5 + 360 * MINUTE);
		expect([listed.share, listed.listedSince]).toEqual([0.25, 5]);
	});

	test('during a pause shows nothing new', () => {
		const standing = twice(RATE);
		expect(afterRefusal(standing, RATE, true, 2)).toBe(standing);
	});
});

describe('after a pause', () => {
	test('one question tries, and a refusal of it pauses twice as long, up to six hours', () => {
		let standing = twice(RATE);
		const pauses: number[] = [];
		for (let n = 0; n < 12; n += 1) {
			const now = standing.pause!.until;
			expect(paceOf(standing).isTrying).toBe(true);
			standing = afterRefusal(standing, RATE, false, now);
			pauses.push(standing.pauseMs / MINUTE);
		}
		expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360, 360]);
	});

	test('an answer ends the trying, and fifty the caution', () => {
		const welcome = afterWelcome({ ...twice(RATE), share: 0.25 });
		expect(welcome?.pause).toBeNull();
		let standing = welcome;
		let answers = 1;
		while (standing !== null) {
			standing = afterWelcome(standing);
			answers += 1;
		}
		expect(answers).toBeLessThanOrEqual(50);
	});
});

test.each([
	['greeting', 'x.test', 'operator', true],
	['mail', 'x.test', 'itself', true],
	['greeting', 'x.test', 'customer', false],
	['rcpt', 'x.test', 'operator', false],
	['rcpt', 'gmail.com', 'operator', true],
	['rcpt', 'gmail.com', 'itself', false],
	// It was a provider's once, and may be a customer's now.
	['rcpt', 'zeroai.sbs', 'operator', false],
] as const)(
	'a refusal at %s for %s by a host that speaks for %s: of the whole %s',
	(stage, domain, speaksFor, whole) => {
		expect(isOfTheWhole({ kind: 'refused', ...RATE, stage, domain }, { speaksFor, party: 'google' })).toBe(
			whole,
		);
	},
);
