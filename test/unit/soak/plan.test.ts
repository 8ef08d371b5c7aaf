import { expect, test } from 'vitest';
import { randomFrom } from '../../scenario/random.ts';
import { CUSTOMERS, inDrawnOrder, nextStep } from '../../soak/plan.ts';
import { isExcused } from '../../soak/outages.ts';
import { readSoakArguments } from '../../soak/arguments.ts';

const stepsOf = (seed: number, count: number) => {
	const random = randomFrom(seed);
	return Array.from({ length: count }, () => nextStep(random));
};

test('a seed is a run: the same steps in the same order, and others with another seed', () => {
	expect(stepsOf(7, 200)).toEqual(stepsOf(7, 200));
	expect(stepsOf(7, 200)).not.toEqual(stepsOf(8, 200));
});

test('every kind of request comes, from every customer, and two ask as often as all others', () => {
	const steps = stepsOf(1, 5_000);
	expect(new Set(steps.map(({ kind }) => kind)).size).toBe(10);
	expect(new Set(steps.map(({ customer }) => customer)).size).toBe(CUSTOMERS);
	const hot = steps.filter(({ customer }) => customer < 2).length / steps.length;
	expect(hot).toBeGreaterThan(0.45);
	expect(hot).toBeLessThan(0.55);
});

test('whoever can be killed is killed, and each once before anyone is twice', () => {
	const who = inDrawnOrder(['worker', 'prober', 'sandbox'], randomFrom(3));
	const killed = Array.from({ length: 9 }, () => who.next().value);
	for (const from of [0, 3, 6]) expect(new Set(killed.slice(from, from + 3)).size).toBe(3);
	expect(killed.slice(0, 3)).not.toEqual(killed.slice(3, 6));
});

test.each([
	['before it', { begun: 0, ended: 99 }, false],
	['into it', { begun: 0, ended: 100 }, true],
	['out of it', { begun: 15_200, ended: 40_000 }, true],
	['long after it', { begun: 15_201, ended: 40_000 }, false],
])('a failure is excused by a kill that it met: %s', (_, time, excused) => {
	expect(isExcused([{ who: 'prober', from: 100, until: 200 }], time)).toBe(excused);
	expect(isExcused([], time)).toBe(false);
});

test('arguments are numbers, and what is left out has a value', () => {
	expect(readSoakArguments(['--minutes', '2', '--seed', '5'], 0)).toEqual({
		minutes: 2,
		seed: 5,
		rate: 20,
		killEvery: 180,
	});
	expect(() => readSoakArguments(['--minutes', 'many'], 0)).toThrow('--minutes is a number');
});
