import { expect, test } from 'vitest';
import { canBeGuessedAt, Guesses } from '../../../src/core/politeness/guesses.ts';

function paceOf(
	unknown: number,
	known: number,
	knownName = (n: number): string => `person${n}`,
): number | null {
	const guesses = new Guesses(0);
	for (let n = 0; n < unknown; n += 1) guesses.add(`guess${n}`, false);
	for (let n = 0; n < known; n += 1) guesses.add(knownName(n), true);
	return guesses.paceAt(1);
}

test.each([
	['a few typos', 20, 0, null],
	['an old list of a company', 400, 800, null],
	['a list of guessed names', 100, 5, 20],
	['a longer one', 400, 50, 12],
	['a very long one', 1_200, 300, 6],
	['guesses beside as many mailboxes that exist', 2_000, 3_000, 6],
])('%s: %i unknown, %i known', (_, unknown, known, pace) => {
	expect(paceOf(unknown, known)).toBe(pace);
});

test('one mailbox under 840 tags hides no guesses', () => {
	expect(paceOf(1_200, 840, (n) => `ada+${n}`)).toBe(6);
});

test('one mailbox that does not exist is one guess, however often it is asked about', () => {
	expect(paceOf(1, 0)).toBeNull();
	const guesses = new Guesses(0);
	for (let n = 0; n < 500; n += 1) guesses.add(`nobody+${n}`, false);
	expect([guesses.unknown, guesses.paceAt(1)]).toEqual([1, null]);
});

test('after a day the count begins anew, and providers for everybody are not counted', () => {
	const guesses = new Guesses(0);
	for (let n = 0; n < 500; n += 1) guesses.add(`guess${n}`, false);
	expect(guesses.paceAt(86_400_000)).toBeNull();
	expect([canBeGuessedAt('acme.test'), canBeGuessedAt('gmail.com')]).toEqual([true, false]);
});
