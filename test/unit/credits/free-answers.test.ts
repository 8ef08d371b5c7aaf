import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	asksForNothing,
	freeAnswersLeft,
	freeAnswersPerDay,
	isFreeAnswer,
} from '../../../src/core/credits/free-answers.ts';
import { SUB_STATUSES, statusOf } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';

const ALL = Object.keys(SUB_STATUSES) as SubStatus[];

describe('free answers', () => {
	test.each([
		[0, 1_000],
		[100, 1_000],
		[999, 1_000],
		[1_000, 10_000],
		[49_999, 10_000],
		[50_000, 50_000],
		[1_000_000, 250_000],
	])('an account that was given %i credits has %i a day', (granted, perDay) => {
		expect(freeAnswersPerDay(granted)).toBe(perDay);
	});

	test('answers without a question do not count, nor faults of ours', () => {
		const unblamed = ALL.filter((subStatus) => statusOf(subStatus) === 'unknown' && !isFreeAnswer(subStatus));
		const asked = 'accepts_everything free_limit no_capacity not_asked opted_out unexpected_error';
		expect(unblamed.toSorted()).toEqual(asked.split(' '));
	});

	test('no charged answer is a free one', () => {
		const charged = ALL.filter((subStatus) => statusOf(subStatus) !== 'unknown');
		expect(charged.filter(isFreeAnswer)).toEqual([]);
	});

	test('a list that is half unknown never meets the ceiling, however long it is', () => {
		fc.assert(
			fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (granted, half) => {
				expect(freeAnswersLeft(granted, { free: half, charged: half })).toBe(freeAnswersPerDay(granted));
			}),
		);
	});

	test.each([
		['half of whose catch-alls are undecided', { free: 50 * 4, charged: 50 }, false],
		['that pays for one answer of eight', { free: 70 * 4, charged: 10 }, true],
		['that begins its day with two unknowns', { free: 8, charged: 0 }, false],
		['that was given more back than it was charged', { free: 11, charged: -5 }, true],
	])('an account %s asks for nothing: %j is %s', (_, today, expected) => {
		expect(asksForNothing(today)).toBe(expected);
	});

	test('more than are left never are, also where a failed job was given back', () => {
		expect(freeAnswersLeft(0, { free: 2_000, charged: 0 })).toBe(0);
		expect(freeAnswersLeft(0, { free: 0, charged: -50 })).toBe(1_000);
	});
});
