import { describe, expect, test } from 'vitest';
import {
	isOpen,
	listed,
	matcherOf,
	NO_FILTER,
	renderListed,
	scoreOf,
} from '../../../../src/core/jobs/report/listed-row.ts';
import type { RowFilter } from '../../../../src/core/jobs/report/listed-row.ts';
import { toScoredRow } from '../../../../src/core/jobs/stored-row.ts';
import type { Status, SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { listedRow, storedRow } from '../../../support/unit/listed-rows.ts';

describe('a catch-all check is shown in the words of the list', () => {
	test.each<[SubStatus, number, string, Status, SubStatus, number]>([
		['catch_all', 91, 'valid', 'deliverable', 'catch_all_valid', 91],
		['catch_all', 12, 'invalid', 'undeliverable', 'catch_all_invalid', 12],
		// An address that the check did not decide keeps the list's answer and price.
		['catch_all', 60, 'unknown', 'risky', 'catch_all', 60],
		// A reason other than the catch-all stays: a likely typo is one, whatever the server accepts.
		['possible_typo', 91, 'valid', 'risky', 'possible_typo', 25],
		['mailbox_full', 12, 'invalid', 'risky', 'mailbox_full', 40],
	])('%s, then %i: %s', (first, checked, verdict, status, subStatus, score) => {
		const row = listed(
			storedRow(3, 'ada@x.test', first, { catchAll: true, replyCode: '250 2.1.5' }),
			checked,
		);
		const shown = renderListed(row);
		expect([shown.status, shown.details.sub_status, shown.deliverability_score]).toEqual([
			status,
			subStatus,
			score,
		]);
		expect([shown.catch_all_score, shown.catch_all_verdict]).toEqual([checked, verdict]);
		expect(scoreOf(row)).toBe(checked);
		expect(row.isLearnt).toBe(subStatus !== first);
		// The reply to the first question explains no score.
		if (subStatus !== first) expect(shown.details.general.reason).not.toContain('250');
	});

	test('an address that was not checked keeps the answer of the list', () => {
		const row = listed(storedRow(0, 'ada@x.test', 'catch_all'), null);
		expect(renderListed(row)).not.toHaveProperty('catch_all_score');
		expect(scoreOf(row)).toBeNull();
	});

	test('a list that looked into its catch-all addresses itself keeps its own verdicts', () => {
		const own = toScoredRow(storedRow(0, 'ada@x.test', 'catch_all_valid', { catchAll: true }), 95);
		expect(scoreOf(listed(own, 12))).toBe(95);
	});
});

const ROWS = [
	listedRow('Ada@x.test', 'accepted_email', { index: 0 }),
	listedRow('bob@gmail.test', 'rejected_email', { index: 1 }),
	listedRow('cy@all.test', 'catch_all', { index: 2, checked: 91 }),
	listedRow('di@all.test', 'catch_all', { index: 3, checked: 60 }),
	listedRow('ed@all.test', 'catch_all', { index: 4 }),
	listedRow('flo@junk.test', 'disposable', { index: 5, disposable: true }),
	listedRow('gil@gate.test', 'gateway_protected', { index: 6 }),
];

test.each<[Partial<RowFilter>, readonly number[]]>([
	[{}, [0, 1, 2, 3, 4, 5, 6]],
	[{ status: 'deliverable' }, [0, 2]],
	[{ status: 'risky' }, [3, 4]],
	[{ status: 'unknown' }, [6]],
	[{ status: 'catch_all' }, [2, 3, 4]],
	[{ reason: 'catch_all_valid' }, [2]],
	[{ reason: 'disposable' }, [5]],
	[{ text: 'ADA@' }, [0]],
	[{ text: '@all' }, [2, 3, 4]],
	// All of it holds at once: a search is within the filter.
	[{ status: 'deliverable', text: '@all' }, [2]],
	[{ status: 'unknown', text: 'ada' }, []],
])('a filter shows the rows that match all of %o', (some, rows) => {
	const filter = { ...NO_FILTER, ...some };
	expect(ROWS.filter(matcherOf(filter)).map(({ row }) => row[0])).toEqual(rows);
	expect(isOpen(filter)).toBe(rows.length === ROWS.length);
});
