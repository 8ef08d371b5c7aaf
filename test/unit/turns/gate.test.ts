import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { budgetOf, partOf, warmth } from '../../../src/core/turns/budget.ts';
import { Gate, inTurn, PART_OF_LISTS } from '../../../src/core/turns/gate.ts';
import type { Ask } from '../../../src/core/turns/gate.ts';
import { Guessers } from '../../../src/core/turns/guesses.ts';
import { memberOf, Places, rulesOf, shareOf } from '../../../src/core/turns/who.ts';
import type { Urgency } from '../../../src/core/turns/who.ts';
import { DAY_MS } from '../../../src/lib/time.ts';

const MORNING = Date.UTC(2026, 10, 23);
const MINUTE = 60_000;
const FIRST_DAY = partOf(budgetOf('google'), warmth(0));

const MEMBERS = ['acc_1', 'acc_2', 'trials/3f', 'visitors/a0', 'visitors/b1'];
const asked = (name: string, urgency: Urgency, more: Partial<Ask> = {}): Ask => ({
	member: name,
	isDoubtful: false,
	class: urgency,
	least: 1,
	most: 20,
	dials: false,
	...more,
});

const step = fc.record({
	ms: fc.integer({ min: 0, max: 4_000 }),
	name: fc.constantFrom(...MEMBERS),
	urgency: fc.constantFrom<Urgency>('single', 'small', 'list'),
	least: fc.integer({ min: 1, max: 4 }),
	dials: fc.boolean(),
	/** So many of a hundred are given back, after so many further steps. */
	unused: fc.constantFrom(0, 0, 0, 50, 100),
	lasts: fc.constantFrom(0, 0, 2, 20),
});
const budgets = fc.constantFrom(FIRST_DAY, budgetOf('google'), budgetOf(null), budgetOf('gmx'));

describe('a gate, whoever asks for whatever', () => {
	test('sees no more in any sixty seconds than the budget of the minute, and uses it', () => {
		fc.assert(
			fc.property(
				budgets,
				fc.boolean(),
				fc.array(step, { minLength: 200, maxLength: 400 }),
				(budget, isOfMany, steps) => {
					const seen: { at: number; recipients: number; dials: number }[] = [];
					const ends: { step: number; end: () => void }[] = [];
					const gate = new Gate(() => budget, null, isOfMany);
					let now = MORNING;
					for (const [n, { ms, name, urgency, least, dials, unused, lasts }] of steps.entries()) {
						now += ms;
						for (const one of ends) if (one.step === n) one.end();
						const ask = asked(name, urgency, { least, dials });
						// It tells when there will be room, so that no question waits in vain.
						if (gate.look(ask, now).room === 0) now = gate.look(ask, now).at;
						const { room } = gate.look(ask, now);
						expect(room <= ask.most && room >= Math.min(least, 2)).toBe(true);
						const settle = gate.take(ask, room, now);
						const recipients = room - Math.floor((room * unused) / 100);
						const end = (): void => settle({ recipients, dials: dials && unused < 100, isPaid: true }, now);
						if (lasts === 0) end();
						else ends.push({ step: n + lasts, end });
						seen.push({ at: now, recipients, dials: dials && unused < 100 ? 1 : 0 });
					}
					const most = (of: 'recipients' | 'dials'): number =>
						Math.max(
							0,
							...seen.map(({ at }) =>
								seen.reduce((sum, one) => sum + (one.at > at - MINUTE && one.at <= at ? one[of] : 0), 0),
							),
						);
					expect(most('recipients')).toBeLessThanOrEqual(budget.recipientsPerMinute);
					expect(most('dials')).toBeLessThanOrEqual(budget.connectionsPerMinute);
					expect(seen.length).toBeGreaterThan(10);
				},
			),
			{ numRuns: 60 },
		);
	});

	test.each([1, 3])(
		'of many queues gives a newcomer half as much as each of %i who were there before, or more',
		(others) => {
			const gate = new Gate(() => partOf(budgetOf(null), 4), null, true);
			const names = Array.from({ length: others }, (_, n) => `acc_${n}`);
			const took = new Map<string, number>();
			const ask = (name: string) => asked(name, 'list', { least: 1, most: 1, dials: true });
			for (let now = MORNING; now < MORNING + 4 * MINUTE; now += 100)
				for (const name of now < MORNING + 2 * MINUTE ? names : [...names, 'acc_new']) {
					if (gate.look(ask(name), now).room === 0) continue;
					// Silent hosts: a connection, and no recipient.
					gate.take(ask(name), 1, now)({ recipients: 0, dials: true, isPaid: false }, now);
					if (now >= MORNING + 2 * MINUTE) took.set(name, (took.get(name) ?? 0) + 1);
				}
			const dials = [...took.values()].reduce((sum, one) => sum + one, 0);
			expect(dials).toBeGreaterThan(60);
			expect(took.get('acc_new')).toBeGreaterThanOrEqual(Math.floor(dials / (2 * others + 1)));
		},
	);

	test('gives back nothing that came back by itself meanwhile', () => {
		const gate = new Gate(() => budgetOf('google'));
		const ask = asked('acc_1', 'single', { most: 100 });
		const takeAll = (at: number) => gate.take(ask, gate.look(ask, at).room, at);
		const silent = takeAll(MORNING);
		const later = MORNING + MINUTE;
		takeAll(later);
		silent({ recipients: 0, dials: false, isPaid: true }, later);
		expect(gate.look(ask, later).room).toBe(0);
	});

	test('books what a conversation asked beyond its turn', () => {
		const gate = new Gate(() => FIRST_DAY);
		const ask = asked('acc_1', 'list', { most: 3 });
		gate.take(ask, 3, MORNING)({ recipients: 7, dials: false, isPaid: true }, MORNING);
		expect([gate.figures(MORNING).usedToday.accounts, gate.recent('acc_1', MORNING)]).toEqual([7, 7]);
		const { at } = gate.look(asked('acc_1', 'list', { least: 3 }), MORNING);
		expect(at - MORNING).toBeGreaterThan(MINUTE / 2);
	});

	test('lets nobody have more for nothing than the part of that, or than it paid for, in turns of any size', () => {
		const paid = 5;
		const perDay = { ...budgetOf('google'), recipientsPerDay: 100 };
		const gate = new Gate(() => perDay);
		for (const name of ['acc_1', 'acc_2']) gate.take(asked(name, 'single'), paid, MORNING);
		const ask = asked('acc_1', 'list', { isDoubtful: true, most: 9 });
		for (let now = MORNING, turns = 0; turns < 30; turns += 1, now += MINUTE) {
			const { room } = gate.look(ask, now);
			if (room > 0) gate.take(ask, room, now)({ recipients: room, dials: false, isPaid: false }, now);
		}
		expect(gate.figures(MORNING).usedToday.unpaid).toBeLessThanOrEqual(
			Math.max(paid, 100 * rulesOf('unpaid').beside.part),
		);
	});

	test('books what was taken before midnight, and given back or settled after it, to no other day', () => {
		const midnight = MORNING + DAY_MS;
		const gate = new Gate(() => budgetOf('google'));
		const ask = asked('acc_1', 'single', { isDoubtful: true, most: 5 });
		const before = [1, 2].map(() => gate.take(ask, 2, midnight - 1));
		gate.take(asked('acc_1', 'single'), 3, midnight);
		for (const [n, isPaid] of [true, false].entries())
			before[n]?.({ recipients: 1, dials: false, isPaid }, midnight + 1);
		expect(gate.figures(midnight + 1)).toMatchObject({ usedToday: { accounts: 3, unpaid: 0 } });
	});

	test('is as if what was given back had never been taken, in whatever order turns end', () => {
		const moment = fc.integer({ min: 0, max: 2 * MINUTE });
		const inAnyOrder = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
		fc.assert(
			fc.property(fc.constantFrom(...MEMBERS), moment, moment, inAnyOrder, (name, before, later, order) => {
				const [used, never] = [new Gate(() => budgetOf('google')), new Gate(() => budgetOf('google'))];
				const ask = asked(name, 'list', { least: 1, most: 5, dials: true });
				for (const gate of [used, never]) gate.take(ask, 2, MORNING);
				const at = MORNING + before;
				const turns = order.map(() => used.take(ask, 2, at));
				for (const n of order) turns[n]?.({ recipients: 0, dials: false, isPaid: true }, at + later);
				const [end, share] = [at + later, shareOf(name)];
				expect(used.recent(share, end)).toBeCloseTo(never.recent(share, end), 6);
				for (const urgency of ['single', 'list'] as const)
					expect(used.look({ ...ask, class: urgency }, end)).toEqual(
						never.look({ ...ask, class: urgency }, end),
					);
				expect(used.spent).toEqual(never.spent);
			}),
		);
	});

	test.each([1, 2])(
		'keeps the minute’s last question for a caller who took none, where another asks about %i at a time',
		(least) => {
			const gate = new Gate(() => FIRST_DAY);
			const greedy = asked('acc_greedy', 'single', { least, most: least, dials: true });
			let taken = 0;
			for (; gate.look(greedy, MORNING).room > 0; taken += 1) gate.take(greedy, least, MORNING);
			expect(taken).toBeGreaterThan(0);
			const other = asked('acc_other', 'single', { least: 2, most: 2, dials: true });
			expect(gate.look(other, MORNING).room).toBe(2);
			// It is for callers who pay, and for no list.
			expect(gate.look({ ...other, class: 'list' }, MORNING).room).toBe(0);
			expect(gate.look(asked('visitors/a0', 'single', { least: 2 }), MORNING).room).toBe(0);
		},
	);
});

describe('turns at a gate', () => {
	const waiter = (name: string, urgency: Urgency) => asked(name, urgency, { least: 1 });
	const orderOf = (gate: Gate, names: string): string => {
		const waiting = names.split(', ').map((one) => waiter(...(one.split(' ') as [string, Urgency])));
		return inTurn(waiting, gate, MORNING)
			.map((one) => `${one.member} ${one.class}`)
			.join(', ');
	};

	test('are first of a newcomer, however many questions of others wait, and how long', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.constantFrom(...MEMBERS), fc.integer({ min: 1, max: 60 }))),
				(took) => {
					const gate = new Gate(() => budgetOf('google'));
					for (const [name, count] of took) gate.take(asked(name, 'list'), count, MORNING);
					const others = took.flatMap(([name]) => Array.from({ length: 30 }, () => waiter(name, 'list')));
					const newcomer = waiter('acc_new', 'list');
					expect(inTurn([...others, newcomer], gate, MORNING)[0]).toBe(newcomer);
				},
			),
		);
	});

	test('are of whoever took least by weight; within a share, of the member who did; callers come before lists', () => {
		const gate = new Gate(() => budgetOf('google'));
		gate.take(asked('acc_1', 'list'), 10, MORNING);
		gate.take(asked('visitors/a0', 'list'), 1, MORNING);
		gate.take(asked('trials/3f', 'list'), 8, MORNING);
		expect(
			orderOf(
				gate,
				'trials/3f list, acc_1 list, acc_1 small, acc_1 single, visitors/a0 list, visitors/b1 list',
			),
		).toBe('acc_1 single, acc_1 small, visitors/b1 list, visitors/a0 list, acc_1 list, trials/3f list');
		// What was taken counts half after a minute.
		expect(gate.recent('acc_1', MORNING + MINUTE)).toBeCloseTo(5);
	});
});

describe('the day of a gate', () => {
	const PER_DAY = 1_000;
	const NOON = MORNING + DAY_MS / 2;
	// Its minute is no limit.
	const budget = { ...budgetOf(null), recipientsPerMinute: 1_000_000, recipientsPerDay: PER_DAY };
	const look = (gate: Gate, name: string, least = 1, now = MORNING, urgency: Urgency = 'single') =>
		gate.look(asked(name, urgency, { least, most: PER_DAY }), now);
	const left = (gate: Gate, name: string, now = MORNING, urgency: Urgency = 'single') =>
		look(gate, name, 1, now, urgency).room;
	const dayOf = (...took: [string, number][]) => {
		const gate = new Gate(() => budget);
		for (const [name, count] of took) gate.take(asked(name, 'list'), count, MORNING);
		return gate;
	};

	test('gives no share more than its part, and no list the last tenth, whoever asks in whatever order', () => {
		const take = fc.record({
			name: fc.constantFrom(...MEMBERS),
			urgency: fc.constantFrom<Urgency>('single', 'list'),
			want: fc.integer({ min: 1, max: 90 }),
		});
		fc.assert(
			fc.property(fc.array(take, { maxLength: 60 }), (takes) => {
				// Two accounts asked, so that nobody is alone.
				const day = dayOf(['acc_1', 1], ['acc_2', 1]);
				for (const { name, urgency, want } of takes) {
					const room = left(day, name, MORNING, urgency);
					day.take(asked(name, urgency), Math.min(want, room), MORNING);
					if (urgency === 'list' && room > 0)
						expect(day.spent.total).toBeLessThanOrEqual(PER_DAY * PART_OF_LISTS);
				}
				const { shares } = day.spent;
				for (const [share, used] of Object.entries(shares).filter(([name]) => !name.includes('/')))
					expect(used).toBeLessThanOrEqual(PER_DAY * rulesOf(share).beside.part);
			}),
		);
	});

	const OTHERS: [string, number][] = [
		['acc_2', 1],
		['visitors/b1', 10],
	];
	test.each<[string, string, [string, number][], number, number]>([
		['an account alone has all', 'acc_1', [], MORNING, 1_000],
		['visitors beside it change nothing', 'acc_1', [['visitors/a0', 5]], MORNING, 995],
		['an account beside another has a quarter', 'acc_1', [['acc_2', 1]], MORNING, 250],
		['and the rest as the day passes', 'acc_1', [['acc_2', 1]], NOON, 625],
		['a visitor has half of what the others leave', 'visitors/a0', OTHERS, MORNING, 20],
		['and no more as the day passes', 'visitors/a0', OTHERS, NOON, 20],
		['what is for nothing has a tenth', 'unpaid/acc_1', [['acc_1', 1]], NOON, 50],
		['and a twentieth beside others', 'unpaid/acc_1', [['acc_2', 1]], NOON, 25],
	])('%s', (_, name, took, now, most) => {
		expect(left(dayOf(...took), name, now)).toBe(most);
	});

	test('begins anew at midnight, and remembers for a day who asks there', () => {
		const day = new Gate(() => budget, dayOf(['acc_1', 900], ['acc_2', 100]).spent);
		expect(look(day, 'acc_1')).toMatchObject({ room: 0, at: MORNING + DAY_MS });
		expect(left(day, 'acc_1', MORNING + DAY_MS)).toBe(250);
		expect(left(day, 'acc_1', MORNING + 3 * DAY_MS)).toBe(1_000);
	});

	test.each<[string, Partial<Ask>]>([
		['a question', { least: 375, most: 375 }],
		['all that its asker has', { least: 5, most: 20, behind: 355 }],
	])('tells when a growing part is large enough for %s', (_, has) => {
		const day = dayOf(['acc_1', 250], ['acc_2', 1]);
		const { at } = day.look(asked('acc_1', 'single', has), MORNING);
		expect([at, left(day, 'acc_1', at)]).toEqual([NOON, 375]);
	});

	test('lets an account have as much for nothing as it paid for', () => {
		const gate = new Gate(() => budgetOf(null));
		const ask = asked('acc_1', 'single', { isDoubtful: true, most: 3 });
		const turn = (isPaid: boolean): number => {
			const settle = gate.take(ask, 3, MORNING);
			const { unpaid } = gate.figures(MORNING).usedToday;
			settle({ recipients: 3, dials: false, isPaid }, MORNING);
			return unpaid;
		};
		// What each turn counts as, as long as it lasts.
		expect([true, true, false, false, false].map(turn)).toEqual([3, 0, 0, 3, 9]);
		expect(gate.figures(MORNING).mostToday).toEqual([
			['unpaid/acc_1', 9],
			['acc_1', 6],
		]);
	});
});

describe('a budget', () => {
	test.each([
		[0, 0.05],
		[1, 0.075],
		[8, 1],
	])('is used by a source address after %i days to a part of %f', (days, part) => {
		expect(warmth(days)).toBeCloseTo(part);
	});

	test('is never so small that no question with its invented recipients fits', () => {
		const gate = new Gate(() => partOf(budgetOf('gmx'), 0.01));
		expect(gate.look(asked('acc_1', 'list', { least: 3 }), MORNING).room).toBeGreaterThanOrEqual(3);
	});

	test('of an operator comes before that of its kind, and that before the one of all', () => {
		const overrides = {
			all: { connections: 9 },
			gateway: { connections: 8 },
			proofpoint: { connections: 7 },
		};
		const connectionsOf = (of: Parameters<typeof budgetOf>[0]): number => budgetOf(of, overrides).connections;
		expect([connectionsOf(null), connectionsOf('mimecast'), connectionsOf('proofpoint')]).toEqual([9, 8, 7]);
	});
});

test.each<[string, number, number, boolean]>([
	['a good list', 250, 0, false],
	['a company’s old list', 700, 300, false],
	['a list with as many unknown ones', 200, 200, false],
	['a hundred unknown ones and no other', 0, 100, true],
	['most of hundreds unknown', 250, 300, true],
	['two thousand unknown, whatever others there are', 9_000, 2_000, true],
])('who guesses mailboxes, %s: %i known and %i unknown: %s', (_, known, unknown, isGuessing) => {
	const guessers = new Guessers();
	const asking = { asker: 'acc_1', domain: 'company.test' };
	const mailboxes = (count: number, exists: boolean) =>
		Array.from({ length: count }, (__, n) => [`ada${n}@company.test`, exists] as const);
	guessers.count(asking, [...mailboxes(known, true), ...mailboxes(unknown, false)], MORNING);
	expect(guessers.gateFor(asking, MORNING) !== null).toBe(isGuessing);
});

test('a share that holds all places that it can leaves half of them, and the next one half of those', () => {
	const places = new Places(8);
	const held = (share: string): number => {
		let count = 0;
		while (places.enter(share) !== null) count += 1;
		return count;
	};
	const leave = places.enter('acc_1');
	expect([held('acc_1'), held('acc_2'), held('acc_3')]).toEqual([3, 2, 1]);
	leave?.();
	expect(places.enter('acc_4')).not.toBeNull();
});

test('an account that paid is a share of its own; visitors are one by network, accounts on trial by owner', () => {
	expect(
		[
			{ asker: 'acc_1' },
			{ asker: 'acc_1', owner: '3f' },
			{ asker: 'acc_1', isTrial: true, owner: '3f' },
			{ asker: null, owner: 'a0' },
		].map(memberOf),
	).toEqual(['acc_1', 'acc_1', 'trials/3f', 'visitors/a0']);
});
