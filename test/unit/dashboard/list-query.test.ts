import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIST_ORDER, NO_FILTER } from '../../../src/core/jobs/report/filter.ts';
import { listHref, readListQuery } from '../../../src/dashboard/list-query.ts';
import type { ListQuery } from '../../../src/dashboard/list-query.ts';

const having = fc.constantFrom(null, 'only', 'without' as const);
const queries = fc.record({
	filter: fc.record({
		status: fc.constantFrom(null, 'risky', 'catch_all'),
		reason: fc.constantFrom(null, 'rejected_email', 'greylisted'),
		role: having,
		free: having,
		disposable: having,
		verdict: fc.constantFrom(null, 'valid'),
		operator: fc.constantFrom(null, 'google', 'perception_point'),
		text: fc.constantFrom('', 'ada@x.test', 'ä&b=c #d', '"odd"'),
	}),
	order: fc.record({ by: fc.constantFrom('list', 'score', 'domain'), descending: fc.boolean() }),
}) as fc.Arbitrary<ListQuery>;

function readFrom(href: string): ListQuery {
	const { searchParams } = new URL(href, 'https://x.test');
	return readListQuery((name) => searchParams.get(name) ?? undefined);
}

test('a link to some rows shows those rows', () => {
	fc.assert(
		fc.property(queries, fc.integer({ min: 1, max: 9 }), (query, page) => {
			const href = listHref('job_1', query, page);
			expect(readFrom(href)).toEqual(query);
			expect(new URL(href, 'https://x.test').pathname).toBe('/dashboard/jobs/job_1/results');
			expect(href.includes('page=')).toBe(page > 1);
		}),
	);
});

test.each([
	'status=all',
	'status=valid',
	'reason=none',
	'role=yes',
	'verdict=maybe',
	'operator=<script>',
	'operator=',
	'sort=toString',
	'sort=--score',
	'q=%20%20',
	'',
])('a link that means nothing, %j, shows all rows', (text) => {
	expect(readFrom(`/dashboard/jobs/job_1?${text}`)).toEqual({ filter: NO_FILTER, order: LIST_ORDER });
});
