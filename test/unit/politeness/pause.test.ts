import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Asker, MailHost } from '../../../src/core/politeness/mail-host.ts';
import { observe, pausedBecause } from '../../../src/core/politeness/pause.ts';
import type { Observation, Scope, Standing } from '../../../src/core/politeness/pause.ts';

const NOW = 1_000_000;
const MINUTE = 60_000;

type SpeaksFor = MailHost['speaksFor'];
/** What was observed, and while whom we asked for. */
type Seen = readonly [observation: Observation, asker: Asker];

const SERVED: Observation = { kind: 'served' };
const blocked = (stage: 'greeting' | 'ehlo' | 'mail' | 'rcpt', domain = 'a.test'): Observation => {
	return { kind: 'refused', why: 'probe_blocked', stage, domain };
};
const standingAfter = (
	seen: readonly Seen[],
	{ speaksFor = 'itself', scope = 'everybody' }: { speaksFor?: SpeaksFor; scope?: Scope } = {},
): Standing | null =>
	seen.reduce<Standing | null>(
		(standing, [each, asker]) => observe(standing, each, { host: { speaksFor }, asker, scope }, NOW),
		null,
	);
const isPaused = (...about: Parameters<typeof standingAfter>): boolean =>
	pausedBecause(standingAfter(...about), NOW) !== null;
/** Refusals at RCPT, each of `asker domain`. */
const refusals = (...each: readonly `${string} ${string}`[]): Seen[] =>
	each.map((words) => {
		const [asker = '', domain = ''] = words.split(' ');
		return [blocked('rcpt', domain), asker];
	});

describe('a host that refuses before RCPT is paused for all askers', () => {
	test.each(['greeting', 'ehlo', 'mail'] as const)('a host by itself at once, at %s', (stage) => {
		expect(isPaused([[blocked(stage), 'acc_1']])).toBe(true);
	});

	test.each(['greeting', 'ehlo', 'mail'] as const)('an operator the second time in a row, at %s', (stage) => {
		const about = { speaksFor: 'operator' } as const;
		const once: Seen = [blocked(stage), 'acc_1'];
		expect(isPaused([once], about)).toBe(false);
		expect(isPaused([once, once], about)).toBe(true);
		expect(isPaused([once, [SERVED, 'acc_1'], once], about)).toBe(false);
	});

	test('but not an operator because one customer’s own host there turns us away, however often', () => {
		const often = Array.from({ length: 10 }, (): Seen => [blocked('greeting'), 'acc_1']);
		expect(isPaused(often, { speaksFor: 'customer' })).toBe(false);
		const two: Seen[] = [
			[blocked('greeting', 'a.test'), 'acc_1'],
			[blocked('greeting', 'b.test'), 'acc_2'],
		];
		expect(isPaused(two, { speaksFor: 'customer' })).toBe(true);
	});
});

describe('a host that refuses at RCPT is paused for all askers', () => {
	test.each<[string, Seen[], boolean]>([
		['two accounts at unrelated domains', refusals('acc_1 a.test', 'acc_2 b.test'), true],
		['two accounts at one domain, which may be its rule', refusals('acc_1 a.test', 'acc_2 a.test'), false],
		['two accounts at names of one domain', refusals('acc_1 x.a.test', 'acc_2 y.a.test'), false],
		['one account at many domains, which may be its own', refusals('acc_1 a.test', 'acc_1 b.test'), false],
		['one after the other', refusals('acc_1 a.test', 'acc_1 b.test', 'acc_2 a.test'), true],
		['a third who meets what two met', refusals('acc_1 a.test', 'acc_2 a.test', 'acc_1 b.test'), true],
	])('%s: %#', (_, seen, expected) => {
		for (const speaksFor of ['itself', 'operator', 'customer'] as const)
			expect(isPaused(seen, { speaksFor })).toBe(expected);
	});

	test('and a served question between two refusals starts the count again', () => {
		const [one, other] = refusals('acc_1 a.test', 'acc_2 b.test');
		if (one === undefined || other === undefined) throw new Error('there are two');
		expect(isPaused([one, [SERVED, 'acc_3'], other])).toBe(false);
	});
});

describe('a host is paused for the asker alone', () => {
	const scope = 'asker' as const;

	test('when it refuses the asker’s questions twice in a row', () => {
		expect(isPaused(refusals('acc_1 a.test'), { scope })).toBe(false);
		expect(isPaused(refusals('acc_1 a.test', 'acc_1 a.test'), { scope })).toBe(true);
	});

	test.each(['operator', 'customer'] as const)(
		'when two unrelated domains at an operator do, not for one of them: %s',
		(speaksFor) => {
			expect(isPaused(refusals('acc_1 a.test', 'acc_1 a.test'), { scope, speaksFor })).toBe(false);
			expect(isPaused(refusals('acc_1 a.test', 'acc_1 b.test'), { scope, speaksFor })).toBe(true);
		},
	);
});

describe('refusals of anonymous questions', () => {
	const anonymous: Seen[] = [
		...Array.from({ length: 10 }, (): Seen => [blocked('greeting'), null]),
		...['a.test', 'b.test', 'c.test'].map((domain): Seen => [blocked('rcpt', domain), null]),
	];

	test.each(['itself', 'operator', 'customer'] as const)(
		'do not pause the host for accounts: %s',
		(speaksFor) => {
			expect(isPaused(anonymous, { speaksFor })).toBe(false);
			expect(isPaused(anonymous, { speaksFor, scope: 'asker' })).toBe(true);
		},
	);

	test('nor improve its standing', () => {
		expect(
			isPaused([
				[blocked('greeting'), 'acc_1'],
				[SERVED, null],
			]),
		).toBe(true);
	});
});

test.each([
	['probe_blocked', 10 * MINUTE],
	['rate_limited', MINUTE],
] as const)('the first pause for %s lasts %i ms, to the millisecond', (why, pauseMs) => {
	const refused: Observation = { kind: 'refused', why, stage: 'greeting', domain: 'a.test' };
	const standing = standingAfter([[refused, 'acc_1']]);
	expect(pausedBecause(standing, NOW + pauseMs - 1)).toEqual({ why, until: NOW + pauseMs });
	expect(pausedBecause(standing, NOW + pauseMs)).toBeNull();
});

test('each further pause is twice as long, six hours at the most', () => {
	let standing: Standing | null = null;
	let now = NOW;
	const lengths: number[] = [];
	const about = { host: { speaksFor: 'itself' }, asker: 'acc_1', scope: 'everybody' } as const;
	for (let round = 0; round < 8; round += 1) {
		standing = observe(standing, blocked('greeting'), about, now);
		lengths.push(((standing?.pause?.until ?? 0) - now) / MINUTE);
		now = standing?.pause?.until ?? now;
	}
	expect(lengths).toEqual([10, 20, 40, 80, 160, 320, 360, 360]);
});

test('what was under way when a pause began makes it no longer', () => {
	const one: Seen = [blocked('greeting'), 'acc_1'];
	expect(standingAfter([one, one, one])).toEqual(standingAfter([one]));
});

const anyObservation = fc.oneof(
	fc.constant<Observation>(SERVED),
	fc.record({
		kind: fc.constant('refused' as const),
		why: fc.constantFrom('probe_blocked' as const, 'rate_limited' as const),
		stage: fc.constantFrom('greeting' as const, 'mail' as const, 'rcpt' as const),
		domain: fc.constantFrom('a.test', 'b.test', 'www.b.test', 'c.test'),
	}),
);
const anySeen = (...askers: readonly Asker[]) =>
	fc.array(fc.tuple(anyObservation, fc.constantFrom(...askers)), { maxLength: 20 });
const anyAbout = fc.record({
	speaksFor: fc.constantFrom('itself' as const, 'operator' as const, 'customer' as const),
	scope: fc.constantFrom('everybody' as const, 'asker' as const),
});

test('no series of observations pauses a host for longer than six hours, and a served question ends the pause', () => {
	fc.assert(
		fc.property(anySeen('acc_1', 'acc_2', null), anyAbout, (seen, about) => {
			expect(pausedBecause(standingAfter(seen, about), NOW + 360 * MINUTE)).toBeNull();
			expect(isPaused([...seen, [SERVED, 'acc_1']], about)).toBe(false);
		}),
	);
});

test('refusals at RCPT never pause a host for others by one account with many domains, or by anonymous visitors', () => {
	const domain = fc.stringMatching(/^[a-z]{1,3}\.test$/);
	const atRcpt = fc.array(fc.tuple(domain, fc.constantFrom('acc_1', null)), { maxLength: 50 });
	fc.assert(
		fc.property(atRcpt, anyAbout, (each, { speaksFor }) => {
			const seen = each.map(([name, asker]): Seen => [blocked('rcpt', name), asker]);
			expect(isPaused(seen, { speaksFor })).toBe(false);
		}),
	);
});

test('the little that is remembered of refusals decides as all of them would', () => {
	const words = fc.tuple(
		fc.constantFrom('acc_1', 'acc_2', 'acc_3'),
		fc.constantFrom('a.test', 'b.test', 'c.test'),
	);
	fc.assert(
		fc.property(fc.array(words, { maxLength: 12 }), (each) => {
			const agreed = each.some(([asker, domain], at) =>
				each.slice(0, at).some(([other, place]) => other !== asker && place !== domain),
			);
			const seen = each.map(([asker, domain]): Seen => [blocked('rcpt', domain), asker]);
			expect(isPaused(seen, { speaksFor: 'operator' })).toBe(agreed);
			for (let length = 0; length <= seen.length; length += 1)
				expect(standingAfter(seen.slice(0, length))?.refusals.length ?? 0).toBeLessThanOrEqual(2);
		}),
	);
});
