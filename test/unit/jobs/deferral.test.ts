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

function isWorthRetrying(subStatus: SubStatus, replyCode: string | null, operator = QUICK): boolean {
	return askedAgainAfter({ subStatus, replyCode, operator, isSmall: false }) !== 'no';
}

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
});

describe('a slow operator', () => {
	const after = (subStatus: SubStatus, operator: typeof SLOW, isSmall: boolean) =>
		askedAgainAfter({ subStatus, replyCode: null, operator, isSmall });

	test('makes the list ask again when it accepts newcomers, and after a silence', () => {
		expect(after('greylisted', SLOW, false)).toEqual({ afterMs: 20 * 60_000 });
		expect(after('timeout', SLOW, false)).toEqual({ afterMs: null });
	});

	test('keeps no small job open: it ends within half a minute, and waits for no silence twice', () => {
		expect(after('greylisted', SLOW, true)).toEqual({ afterMs: null });
		expect(after('timeout', SLOW, true)).toBe('no');
	});

	test.each([['google', QUICK] as const, ['unknown', null] as const])(
		'is not %s, where a silence is final and the pauses are the job’s own',
		(_, operator) => {
			expect(after('greylisted', operator, false)).toEqual({ afterMs: null });
			expect(after('timeout', operator, false)).toBe('no');
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

describe('when it asks again', () => {
	const configured = [60_000, 300_000, 900_000];

	test.each([1, SMALL_JOB_BELOW - 1])('a job of %i closes within half a minute', (accepted) => {
		expect(retryDelaysMs(accepted, configured)).toEqual([3_000, 8_000]);
	});

	test.each([SMALL_JOB_BELOW, 50_000])('a job of %i waits as configured', (accepted) => {
		expect(retryDelaysMs(accepted, configured)).toEqual(configured);
	});
});

test('asking again about a row of a finished list may help where its retry_after says so, or nobody was asked', () => {
	for (const subStatus of ALL)
		for (const replyCode of REPLIES) {
			const row = storedRow(0, 'ada@x.test', subStatus, { replyCode });
			const may = subStatus === 'not_asked' || renderRow(row).retry_after !== null;
			expect(mayAnswerLater(row), `${subStatus} ${replyCode}`).toBe(may);
		}
});
