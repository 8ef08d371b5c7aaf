import { describe, expect, test } from 'vitest';
import {
	conversationMs,
	isAskedAgain,
	mayAnswerLater,
	retryDelaysMs,
	SMALL_JOB_BELOW,
} from '../../../src/core/jobs/deferral.ts';
import { renderRow } from '../../../src/core/jobs/stored-row.ts';
import { OPERATORS, findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { SUB_STATUSES } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { BUDGET_MS_MAX } from '../../../src/wire/prober.ts';
import { storedRow } from '../../support/unit/listed-rows.ts';

const ALL = Object.keys(SUB_STATUSES) as SubStatus[];
const REPLIES = [null, '250 2.1.5', '421', '450 4.2.0', '499', '500', '550 5.7.1', '554'];

const SLOW = findMailOperator(['mx.antispamcloud.com']);
const QUICK = findMailOperator(['aspmx.l.google.com']);

test('a list asks again what may pass, and nothing that is final or about us', () => {
	const again = ALL.flatMap((subStatus) => {
		const asks = (replyCode: string | null) =>
			isAskedAgain({ subStatus, replyCode, operator: QUICK, isSmall: false });
		return REPLIES.some(asks) ? [[subStatus, REPLIES.filter(asks)]] : [];
	});
	expect(Object.fromEntries(again)).toEqual({
		unavailable_smtp: [null, '421', '450 4.2.0', '499'],
		greylisted: REPLIES,
		rate_limited: REPLIES,
	});
});

describe('a slow operator', () => {
	// A small job ends within half a minute. Elsewhere a silence is final.
	test.each([
		['list', SLOW, true],
		['small', SLOW, false],
		['list', QUICK, false],
		['list', null, false],
	] as const)('is asked again in a %s when it was silent, or not', (job, operator, again) => {
		const silent = { subStatus: 'timeout', replyCode: null, operator, isSmall: job === 'small' } as const;
		expect(isAskedAgain(silent)).toBe(again);
		expect(isAskedAgain({ ...silent, subStatus: 'greylisted' })).toBe(true);
	});

	test.each([
		['list', SLOW, 20, 60_000],
		['small', SLOW, 20, 15_000],
		['single', SLOW, 1, 15_000],
		['list', QUICK, 20, 105_000],
		['list', QUICK, 19, 15_000],
		['small', QUICK, 20, 15_000],
		['list', null, 20, 15_000],
	] as const)('a question of a %s has the time for it, or not', (urgency, operator, count, ms) => {
		expect(conversationMs(urgency, operator, { usualMs: 15_000, count })).toBe(ms);
	});

	test('is no slower than a prober may take, which is 120 s with the longest budget of 20 s', () => {
		const longest = Object.values(OPERATORS).map(({ slowestReplyMs }) =>
			conversationMs('list', { slowestReplyMs }, { usualMs: 20_000, count: 250 }),
		);
		expect(Math.max(...longest)).toBeLessThanOrEqual(120_000);
		expect(Math.max(...longest)).toBeLessThanOrEqual(BUDGET_MS_MAX);
	});
});

const CONFIGURED = [60_000, 300_000, 900_000];

test.each([
	[1, [3_000, 8_000]],
	[SMALL_JOB_BELOW - 1, [3_000, 8_000]],
	[SMALL_JOB_BELOW, CONFIGURED],
	[50_000, CONFIGURED],
])('a job of %i closes within half a minute, or waits as configured', (accepted, delays) => {
	expect(retryDelaysMs(accepted, CONFIGURED)).toEqual(delays);
});

test('asking again about a row of a finished list may help where its retry_after says so, or nobody was asked', () => {
	for (const subStatus of ALL)
		for (const replyCode of REPLIES) {
			const row = storedRow(0, 'ada@x.test', subStatus, { replyCode });
			const may = subStatus === 'not_asked' || renderRow(row).retry_after !== null;
			expect(mayAnswerLater(row), `${subStatus} ${replyCode}`).toBe(may);
		}
});
