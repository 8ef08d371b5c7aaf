import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_LINES, filterOfQuery, ledgerHref, readLedgerQuery } from '../../../src/dashboard/list-query.ts';
import type { LedgerQuery } from '../../../src/dashboard/list-query.ts';
import { LEDGER_KINDS } from '../../../src/operations/accounts/port.ts';

function readFrom(href: string): LedgerQuery {
	const { searchParams } = new URL(href, 'https://x.test');
	return readLedgerQuery((name) => searchParams.get(name) ?? undefined);
}

const days = fc.constantFrom('', '2026-11-21', '2024-02-29', '1999-12-31');

test('a link to some lines shows those lines, and begins where it says', () => {
	const queries = fc.record({ kind: fc.constantFrom(null, ...LEDGER_KINDS), from: days, to: days });
	const places = fc.option(
		fc.record({ at: fc.nat(), id: fc.constantFrom('ver_1', 'initial grant', 'ä&=#') }),
	);
	fc.assert(
		fc.property(queries, places, (query, before) => {
			const href = ledgerHref('/dashboard/credits', query, before);
			expect(readFrom(href)).toEqual(query);
			const place = new URL(href, 'https://x.test').searchParams.get('before');
			expect(place).toBe(before === null ? null : `${before.at}.${before.id}`);
		}),
	);
});

test('the last day counts to its end, in UTC', () => {
	expect(filterOfQuery({ kind: null, from: '2026-11-20', to: '2026-11-21' })).toEqual({
		kind: null,
		from: Date.UTC(2026, 10, 20),
		until: Date.UTC(2026, 10, 22),
	});
	expect(filterOfQuery(ALL_LINES)).toEqual({ kind: null, from: null, until: null });
});

test.each([
	'type=all',
	'type=toString',
	'from=2026-02-30',
	'to=yesterday',
	'from=2026-1-1&to=',
	'from[]=1',
	'',
])('a link that means nothing, %j, shows all lines', (text) => {
	expect(readFrom(`/dashboard/credits?${text}`)).toEqual(ALL_LINES);
});
