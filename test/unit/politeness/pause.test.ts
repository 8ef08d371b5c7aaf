import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Asker, MailHost } from '../../../src/core/politeness/mail-host.ts';
import { observe, paceOf, pausedBecause, UNBLEMISHED } from '../../../src/core/politeness/pause.ts';
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

describe('an operator that refuses us as a whole', () => {
	const about = { host: { speaksFor: 'operator' }, asker: 'acc_1', scope: 'everybody' } as const;
	const limited = (domain: string, stage: 'mail' | 'rcpt' = 'rcpt'): Observation => {
		return { kind: 'refused', why: 'rate_limited', stage, domain };
	};
	const after = (seen: readonly (readonly [Observation, atMs: number])[]): Standing | null =>
		seen.reduce<Standing | null>(
			(standing, [each, atMs]) => observe(standing, each, about, NOW + atMs),
			null,
		);

	test.each(['gmail.com', 'outlook.com', 'icloud.com'])(
		'at RCPT for its own domain %s: half as much at the first, nothing at the second',
		(domain) => {
			const once = after([[limited(domain), 0]]);
			expect([pausedBecause(once, NOW), paceOf(once).share]).toEqual([null, 0.5]);
			const twice = after([
				[limited(domain), 0],
				[limited(domain), 1_000],
			]);
			expect(pausedBecause(twice, NOW + 1_000)?.until).toBe(NOW + 1_000 + MINUTE);
		},
	);

	test('not at RCPT for a customer’s domain, however often one account meets it', () => {
		const often = Array.from({ length: 20 }, (_, at) => [limited(`tenant${at}.test`), at] as const);
		expect(pausedBecause(after(often), NOW + 20)).toBeNull();
		expect(paceOf(after(often)).share).toBe(1);
	});

	test('nor by the rules of one who has a host of his own there, even for gmail.com', () => {
		const own = { ...about, host: { speaksFor: 'customer' } } as const;
		const standing = [1, 2, 3].reduce<Standing | null>(
			(before) => observe(before, limited('gmail.com'), own, NOW),
			null,
		);
		expect([pausedBecause(standing, NOW), paceOf(standing).share]).toEqual([null, 1]);
	});

	test('when each time is long after the last one, is asked less and less, and then not', () => {
		const shares = [1, 2, 3, 4].map((times) => {
			const seen = Array.from(
				{ length: times },
				(_, at) => [limited('gmail.com'), at * 11 * MINUTE] as const,
			);
			return paceOf(after(seen)).share;
		});
		expect(shares).toEqual([0.5, 0.25, 0.125, 0.1]);
	});

	test('is tried with one question at a time when the pause is over, and paused for twice as long', () => {
		const paused = after([
			[limited('gmail.com'), 0],
			[limited('gmail.com'), 0],
		]);
		const until = pausedBecause(paused, NOW)?.until ?? 0;
		expect(pausedBecause(paused, until)).toBeNull();
		expect(paceOf(paused).isTrying).toBe(true);
		const again = observe(paused, limited('gmail.com'), about, until);
		expect(pausedBecause(again, until)?.until).toBe(until + 2 * MINUTE);
		const served = observe(paused, SERVED, about, until);
		expect(paceOf(served).isTrying).toBe(false);
	});

	test('is asked as before only after many answers', () => {
		let standing = after([[limited('gmail.com'), 0]]);
		const shares = Array.from({ length: 25 }, () => {
			standing = observe(standing, SERVED, about, NOW);
			return paceOf(standing).share;
		});
		expect(shares[0]).toBeCloseTo(0.52);
		expect(shares.at(-2)).toBeLessThan(1);
		expect(standing).toBeNull();
	});

	test('and names a list: it is left alone for six hours, and then asked a quarter', () => {
		const listed: Observation = {
			kind: 'refused',
			why: 'probe_blocked',
			stage: 'mail',
			domain: 'a.test',
			listed: true,
		};
		const standing = after([[listed, 0]]);
		expect(pausedBecause(standing, NOW)?.until).toBe(NOW + 360 * MINUTE);
		expect(standing?.listedSince).toBe(NOW);
		const welcome = observe(standing, SERVED, about, NOW + 360 * MINUTE);
		expect(paceOf(welcome).share).toBeCloseTo(0.27);
	});
});

describe('many customers’ domains that refuse us while others are served', () => {
	const mixed = (refused: number, served: number): Seen[] => [
		...Array.from({ length: refused }, (_, at) => refusals(`acc_${at % 2} domain${at}.test`)).flat(),
		...Array.from({ length: served }, (): Seen => [SERVED, 'acc_3']),
		...refusals('acc_0 last.test'),
	];

	test('are about us when they are most of the recent ones', () => {
		const [first] = refusals('acc_1 a.test');
		const served: Seen = [SERVED, 'acc_3'];
		if (first === undefined) throw new Error('there is one');
		const half = [
			first,
			served,
			...refusals('acc_2 b.test'),
			served,
			...refusals('acc_1 c.test', 'acc_2 d.test'),
		];
		expect(isPaused(half, { speaksFor: 'operator' })).toBe(true);
	});

	test('are their own affair when most were served', () => {
		expect(isPaused(mixed(1, 3), { speaksFor: 'operator' })).toBe(false);
	});
});

test('nobody is welcome by less than a tenth of the budget, nor by more than all of it', () => {
	fc.assert(
		fc.property(anySeen('acc_1', 'acc_2', null), anyAbout, (seen, about) => {
			const { share } = standingAfter(seen, about) ?? UNBLEMISHED;
			expect(share).toBeGreaterThanOrEqual(0.1);
			expect(share).toBeLessThanOrEqual(1);
		}),
	);
});
