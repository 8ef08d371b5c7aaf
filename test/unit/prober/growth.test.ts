import { describe, expect, test } from 'vitest';
import { budgetOf } from '../../../src/core/politeness/budgets.ts';
import { grown } from '../../../src/core/politeness/growth.ts';
import { mailHostOf, nameOfMachine } from '../../../src/core/politeness/mail-host.ts';
import type { Observation } from '../../../src/core/politeness/pause.ts';
import { Standings } from '../../../src/prober/standing.ts';
import type { Meeting } from '../../../src/prober/ports.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { makeLines } from '../../support/unit/lines-world.ts';
import { meeting } from '../../support/unit/meeting.ts';
import { standingStore } from '../../support/unit/standing-store.ts';

const DAY = 86_400_000;
const OTHER = budgetOf(null);
const VICTIM = '192.0.2.1';
const SERVED: Observation = { kind: 'served' };
const refusedAt = (stage: 'greeting' | 'rcpt'): Observation => {
	return { kind: 'refused', why: 'probe_blocked', stage, domain: 'a.test' };
};

/** Weeks at one machine that is nobody's we know, found by the name of a mail host. */
function weeks() {
	const clock = fakeClock();
	const store = standingStore(clock);
	let standings = new Standings(clock, store);
	const observe = (observation: Observation, of: Partial<Meeting> = {}, name = 'mx.a.test'): void =>
		standings.observed(mailHostOf(name, null, 'direct'), observation, { ...meeting('a.test'), ...of });
	const goodDays = (days: number, of: Partial<Meeting> = {}): void => {
		for (let day = 0; day < days; day += 1) {
			clock.advance(DAY);
			for (let answers = 0; answers < 3; answers += 1) observe(SERVED, of);
		}
	};
	const perDay = (address = VICTIM): number =>
		grown(OTHER, standings.growthOf(nameOfMachine(address, 'direct'))).recipientsPerDay;
	const restart = (): void => void (standings = new Standings(clock, store));
	return { clock, observe, goodDays, perDay, restart };
}

describe('what a machine of nobody we know is asked a day', () => {
	test('doubles with each week of answers, up to four times, also when the prober starts again', () => {
		const { goodDays, perDay, restart } = weeks();
		const seen = [6, 1, 7, 70].map((days) => {
			goodDays(days);
			restart();
			return perDay();
		});
		expect(seen).toEqual([2_000, 4_000, 8_000, 8_000]);
	});

	test('halves with a day of refusals, down to an eighth, and a new week begins', () => {
		const { clock, observe, goodDays, perDay } = weeks();
		goodDays(13);
		for (let refusals = 0; refusals < 3; refusals += 1) observe(refusedAt('greeting'));
		expect(perDay()).toBe(2_000);
		goodDays(6);
		expect(perDay()).toBe(2_000);
		goodDays(1);
		expect(perDay()).toBe(4_000);
		for (let day = 0; day < 9; day += 1) {
			clock.advance(DAY);
			observe(refusedAt('greeting'));
		}
		expect(perDay()).toBe(250);
	});

	test.each<[string, Observation, Partial<Meeting>, string]>([
		['answers of the attacker’s own machine', SERVED, { address: '203.0.113.9' }, 'mx.evil.test'],
		['answers of it under the victim’s name', SERVED, { address: '203.0.113.9' }, 'mx.a.test'],
		['answers to accounts that never paid', SERVED, { isTrial: true }, 'mx.a.test'],
		['answers to visitors', SERVED, { asker: null }, 'mx.a.test'],
		['refusals that accounts that never paid provoke', refusedAt('greeting'), { isTrial: true }, 'mx.a.test'],
		['refusals that visitors provoke', refusedAt('greeting'), { asker: null }, 'mx.a.test'],
		['refusals by his own machine', refusedAt('greeting'), { address: '203.0.113.9' }, 'mx.a.test'],
		['refusals of his own domain at the victim', refusedAt('rcpt'), { domain: 'evil.test' }, 'mx.evil.test'],
	])('is not changed by %s', (_, observation, of, name) => {
		const { clock, observe, goodDays, perDay } = weeks();
		goodDays(7);
		for (let day = 0; day < 21; day += 1) {
			clock.advance(DAY);
			observe(observation, { asker: 'acc_evil', ...of }, name);
		}
		expect(perDay()).toBe(4_000);
	});
});

test('a machine that grew is asked more a day, and its neighbours are not', async () => {
	const machine = nameOfMachine('192.0.2.1', 'direct');
	const growthOf = (of: string) => ({ factor: of === machine ? 2 : 1, goodDays: 7, day: 1 });
	const asked: Record<string, number> = {};
	const { ask, clock } = makeLines({}, { growthOf }, { ...OTHER, recipientsPerDay: 20 });
	for (const address of ['192.0.2.1', '198.51.100.1'])
		for (let n = 0; n < 60; n += 1) {
			const host = mailHostOf('mx.a.test', null, 'direct');
			const of = { host, operator: null, address, asker: 'acc_1' };
			const held = await clock.run(ask(`good${n}`, { ...of, deadline: clock.now() + 15_000 }));
			if (held.kind === 'held') asked[address] = (asked[address] ?? 0) + 1;
		}
	expect(asked).toEqual({ '192.0.2.1': 40, '198.51.100.1': 20 });
});
