import { describe, expect, test } from 'vitest';
import { canBeGuessedAt, paceFor, withAnswers } from '../../../src/core/politeness/dictionary.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const DAY_MS = 86_400_000;

describe('an account is taken to guess at a domain', () => {
	test.each([
		['99 of 99 are unknown', 99, 99, null],
		['100 of 100 are unknown', 100, 100, 20],
		['100 of 111 are unknown', 111, 100, 20],
		['100 of 112 are unknown', 112, 100, null],
		['300 of 400 are unknown', 400, 300, 12],
		['300 of 401 are unknown', 401, 300, null],
		['299 of 299 are unknown', 299, 299, 20],
		['1,000 of 1,666 are unknown', 1_666, 1_000, 6],
		['1,000 of 1,667 are unknown', 1_667, 1_000, null],
		// An old list of a large company.
		['a third of 3,000 are unknown', 3_000, 1_000, null],
	])('%s: %i asked, %i unknown, %s a minute', (_, asked, unknown, perMinute) => {
		expect(paceFor({ since: NOW, asked, unknown }, NOW)).toBe(perMinute);
	});

	test('for a day, after which the count begins anew', () => {
		const guesses = { since: NOW, asked: 500, unknown: 500 };
		expect(paceFor(guesses, NOW + DAY_MS - 1)).toBe(12);
		expect(paceFor(guesses, NOW + DAY_MS)).toBeNull();
		const next = withAnswers(guesses, { asked: 3, unknown: 2 }, NOW + DAY_MS);
		expect(next).toEqual({ since: NOW + DAY_MS, asked: 3, unknown: 2 });
		expect(withAnswers(guesses, { asked: 3, unknown: 2 }, NOW + 1)).toEqual({
			since: NOW,
			asked: 503,
			unknown: 502,
		});
	});
});

test.each([
	['gmail.com', false],
	['outlook.com', false],
	['web.de', false],
	['acme.test', true],
])('mailboxes of %s can be guessed at: %s', (domain, can) => {
	expect(canBeGuessedAt(domain)).toBe(can);
});
