import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forecast } from '../../../src/core/credits/forecast.ts';
import type { DayUsage } from '../../../src/core/credits/usage.ts';

const outcomes = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0 };
const daysOf = (credits: readonly number[]): readonly DayUsage[] =>
	credits.map((used, at) => ({
		day: `2026-11-${String(at + 1).padStart(2, '0')}`,
		requests: used,
		credits: used,
		outcomes,
	}));
const days = (length: number, first: number, credits: number) =>
	daysOf(Array.from({ length }, (_, at) => (at < first ? 0 : credits)));

describe('what credits last for', () => {
	test('is not guessed without any use', () => {
		expect(forecast(1_000, days(30, 30, 0))).toEqual({ kind: 'unused' });
	});

	test.each([
		[24, 'too_fresh'],
		[23, 'pace'],
	])('needs a week of use: since day %i of 30 it is %s', (first, kind) => {
		expect(forecast(1_000, days(30, first, 10)).kind).toBe(kind);
	});

	test.each([
		[1_000, 100, 10],
		[1_099, 100, 10],
		[99, 100, 0],
		[0, 100, 0],
	])('%i credits at %i a day last for %i days', (available, perDay, expected) => {
		expect(forecast(available, days(30, 0, perDay))).toEqual({
			kind: 'pace',
			days: expected,
			perDay,
			of: 30,
		});
	});

	test('counts from the first use on, with the days of none after it', () => {
		const used = daysOf([0, 0, 70, 0, 0, 0, 0, 0, 0, 0]);
		expect(forecast(80, used)).toEqual({ kind: 'pace', days: 9, perDay: 8.75, of: 8 });
	});

	test('is never longer than the credits allow at that pace', () => {
		const use = fc.array(fc.nat(5_000), { minLength: 7, maxLength: 90 });
		fc.assert(
			fc.property(fc.nat(1_000_000), use, (available, used) => {
				const said = forecast(available, daysOf(used));
				if (said.kind !== 'pace') return;
				expect(said.days * said.perDay).toBeLessThanOrEqual(available + 1e-6);
				expect((said.days + 1) * said.perDay).toBeGreaterThan(available - 1e-6);
			}),
		);
	});
});
