import { describe, expect, test } from 'vitest';
import { isWorthRetrying, retryDelaysMs, SMALL_JOB_BELOW } from '../../../src/core/jobs/deferral.ts';
import { SUB_STATUSES, statusOf } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';

const ALL = Object.keys(SUB_STATUSES) as SubStatus[];
const REPLIES = [null, '250 2.1.5', '421', '450 4.2.0', '499', '500', '550 5.7.1', '554'];

describe('what a bulk job asks again', () => {
	test.each<SubStatus>(['greylisted', 'rate_limited'])('%s, whatever the code', (subStatus) => {
		expect(REPLIES.filter((reply) => !isWorthRetrying(subStatus, reply))).toEqual([]);
	});

	test('unavailable_smtp, after a temporary reply or none', () => {
		const again = REPLIES.filter((reply) => isWorthRetrying('unavailable_smtp', reply));
		expect(again).toEqual([null, '421', '450 4.2.0', '499']);
	});

	test('and nothing else, with any reply: what is final or about us is not asked more often', () => {
		const again = ALL.filter((subStatus) => REPLIES.some((reply) => isWorthRetrying(subStatus, reply)));
		expect(again).toEqual(['unavailable_smtp', 'greylisted', 'rate_limited']);
	});

	test('so that only an unknown ever waits', () => {
		const charged = ALL.filter((subStatus) => statusOf(subStatus) !== 'unknown');
		expect(charged.filter((subStatus) => REPLIES.some((reply) => isWorthRetrying(subStatus, reply)))).toEqual(
			[],
		);
	});
});

describe('when it asks again', () => {
	const configured = [60_000, 300_000, 900_000];

	test.each([1, SMALL_JOB_BELOW - 1])('a job of %i closes within half a minute', (accepted) => {
		expect(retryDelaysMs(accepted, configured)).toEqual([3_000, 8_000]);
	});

	test.each([SMALL_JOB_BELOW, 50_000])('a job of %i waits as configured', (accepted) => {
		expect(retryDelaysMs(accepted, configured)).toEqual(configured);
	});

	test('a small job is one of fewer than 50 addresses', () => {
		expect(SMALL_JOB_BELOW).toBe(50);
	});
});
