import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	comparerOf,
	isByStatus,
	isOpen,
	matcherOf,
	NO_FILTER,
	sortKeyOf,
} from '../../../../src/core/jobs/report/filter.ts';
import type { RowFilter, RowOrder } from '../../../../src/core/jobs/report/filter.ts';
import { listedRow } from '../../../support/unit/listed-rows.ts';

const ROWS = [
	listedRow('Ada@x.test', 'accepted_email', { index: 0, smtpProvider: 'google' }),
	listedRow('info@x.test', 'accepted_email', { index: 1, roleAccount: true, smtpProvider: 'google' }),
	listedRow('bob@gmail.test', 'rejected_email', { index: 2, freeEmail: true }),
	listedRow('cy@all.test', 'catch_all', { index: 3, verdict: { score: 90, verdict: 'valid' } }),
	listedRow('di@all.test', 'catch_all', { index: 4, verdict: { score: 60, verdict: 'unknown' } }),
	listedRow('ed@all.test', 'catch_all', { index: 5 }),
	listedRow('flo@junk.test', 'disposable', { index: 6, disposable: true }),
	listedRow('gil@gate.test', 'gateway_protected', {
		index: 7,
		gateway: 'proofpoint',
		smtpProvider: 'google',
	}),
];

function found(filter: Partial<RowFilter>): readonly number[] {
	return ROWS.filter(matcherOf({ ...NO_FILTER, ...filter })).map(({ row }) => row[0]);
}

describe('a filter shows', () => {
	test.each<[Partial<RowFilter>, readonly number[]]>([
		[{}, [0, 1, 2, 3, 4, 5, 6, 7]],
		[{ status: 'deliverable' }, [0, 1, 3]],
		[{ status: 'risky' }, [4, 5]],
		[{ status: 'unknown' }, [7]],
		[{ status: 'catch_all' }, [3, 4, 5]],
		[{ reason: 'catch_all_valid' }, [3]],
		[{ reason: 'disposable' }, [6]],
		[{ role: 'only' }, [1]],
		[{ role: 'without' }, [0, 2, 3, 4, 5, 6, 7]],
		[{ free: 'only' }, [2]],
		[{ disposable: 'without' }, [0, 1, 2, 3, 4, 5, 7]],
		[{ verdict: 'valid' }, [3]],
		[{ verdict: 'unknown' }, [4]],
		[{ operator: 'google' }, [0, 1, 7]],
		[{ operator: 'proofpoint' }, [7]],
		[{ text: 'ADA@' }, [0]],
		[{ text: '@all' }, [3, 4, 5]],
		// All of it holds at once: a search is within the filter.
		[{ status: 'deliverable', text: '@all' }, [3]],
		[{ status: 'deliverable', role: 'without', operator: 'google' }, [0]],
		[{ status: 'unknown', text: 'ada' }, []],
	])('%o', (filter, rows) => {
		expect(found(filter)).toEqual(rows);
	});

	test('every row or its opposite: only and without leave none out', () => {
		for (const name of ['role', 'free', 'disposable'] as const) {
			const both = [...found({ [name]: 'only' }), ...found({ [name]: 'without' })];
			expect(both.toSorted((a, b) => a - b)).toEqual(ROWS.map(({ row }) => row[0]));
		}
	});

	test('what no stored list answers is known', () => {
		expect([isOpen(NO_FILTER), isByStatus(NO_FILTER)]).toEqual([true, true]);
		const risky = { ...NO_FILTER, status: 'risky' } as const;
		expect([isOpen(risky), isByStatus(risky)]).toEqual([false, true]);
		expect([isOpen({ ...risky, text: 'a' }), isByStatus({ ...risky, text: 'a' })]).toEqual([false, false]);
	});
});

describe('rows are sorted', () => {
	test.each<[RowOrder, readonly number[]]>([
		[{ by: 'list', descending: true }, [7, 6, 5, 4, 3, 2, 1, 0]],
		[{ by: 'address', descending: false }, [0, 2, 3, 4, 5, 6, 7, 1]],
		[{ by: 'domain', descending: false }, [3, 4, 5, 7, 2, 6, 0, 1]],
		[{ by: 'status', descending: false }, [0, 1, 3, 2, 6, 4, 5, 7]],
		[{ by: 'score', descending: true }, [0, 1, 3, 4, 5, 7, 6, 2]],
		[{ by: 'score', descending: false }, [2, 6, 5, 7, 4, 1, 3, 0]],
	])('%o', (order, rows) => {
		expect(sorted(order)).toEqual(rows);
	});

	test('none gets lost, and rows that are alike stay in the order of the list', () => {
		const orders = fc.record({
			by: fc.constantFrom('list', 'address', 'domain', 'status', 'score' as const),
			descending: fc.boolean(),
		}) as fc.Arbitrary<RowOrder>;
		fc.assert(
			fc.property(orders, (order) => {
				const rows = sorted(order);
				expect(rows.toSorted((a, b) => a - b)).toEqual(ROWS.map(({ row }) => row[0]));
				const keyOf = sortKeyOf(order.by);
				for (const [at, index] of rows.slice(1).entries()) {
					const before = rows[at] ?? 0;
					if (keyOf(ROWS[before]!) === keyOf(ROWS[index]!)) expect(before).toBeLessThan(index);
				}
			}),
		);
	});
});

function sorted(order: RowOrder): readonly number[] {
	const keyOf = sortKeyOf(order.by);
	return ROWS.map((row) => ({ key: keyOf(row), index: row.row[0] }))
		.toSorted(comparerOf(order))
		.map(({ index }) => index);
}
