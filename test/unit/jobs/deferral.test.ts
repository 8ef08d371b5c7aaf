import { describe, expect, test } from 'vitest';
import {
	askedAgainAfter,
	conversationMs,
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
			askedAgainAfter({ subStatus, replyCode, operator: QUICK, isSmall: false }) !== 'no';
		return REPLIES.some(asks) ? [[subStatus, REPLIES.filter(asks)]] : [];
	});
	expect(Object.fromEntries(again)).toEqual({
		unavailable_smtp: [null, '421', '450 4.2.0', '499'],
		greylisted: REPLIES,
		rate_limited: REPLIES,
	});
});

describe('a slow operator', () => {
	// A small job ends within half a minute. Elsewhere a silence is final, and the pauses are the job's own.
	test.each([
		['slow', 'list', SLOW, { afterMs: 20 * 60_000 }, { afterMs: null }],
		['slow', 'small', SLOW, { afterMs: null }, 'no'],
		['google', 'list', QUICK, { afterMs: null }, 'no'],
		['unknown', 'list', null, { afterMs: null }, 'no'],
	] as const)(
		'is waited for when it greylists and when it is silent, or not: %s, %s',
		(_, job, operator, ...after) => {
			const asked = (['greylisted', 'timeout'] as const).map((subStatus) =>
				askedAgainAfter({ subStatus, replyCode: null, operator, isSmall: job === 'small' }),
			);
			expect(asked).toEqual(after);
		},
	);

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

	test('never asks for a later attempt than a day away, when a job’s rows have to end', () => {
		const latest = Object.values(OPERATORS).map(({ askAgainAfterMs = 0 }) => askAgainAfterMs);
		expect(Math.max(...latest)).toBeLessThanOrEqual(6 * 3_600_000);
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
