import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentDisposition, verifiedName } from '../../../src/core/csv/download-name.ts';
import { fileNameOf } from '../../../src/operations/jobs/export-results.ts';
import { NO_FILTER } from '../../../src/core/jobs/report/listed-row.ts';
import type { RowFilter } from '../../../src/core/jobs/report/listed-row.ts';

test.each<[Partial<RowFilter>, string]>([
	[{}, 'customers-2026-verified.csv'],
	[{ status: 'risky' }, 'customers-2026-verified-risky.csv'],
	[{ status: 'catch_all' }, 'customers-2026-verified-catch-all.csv'],
	[{ status: 'risky', reason: 'mailbox_full' }, 'customers-2026-verified-selection.csv'],
	[{ text: '../..' }, 'customers-2026-verified-selection.csv'],
])('a file is named after its list, and says which rows it has: %o', (some, name) => {
	expect(verifiedName('customers-2026.csv', { ...NO_FILTER, ...some }, 'csv')).toBe(name);
});

test.each(['csv', 'TXT', 'tsv', 'xls', 'xlsx'])(
	'the ending .%s of the customer’s file is none of ours',
	(ending) => {
		expect(verifiedName(`customers.${ending}`, NO_FILTER, 'csv')).toBe('customers-verified.csv');
		expect(fileNameOf(`customers.${ending}`, 'all', 'csv')).toBe('customers-results.csv');
	},
);

test.each([
	['plain.csv', `attachment; filename="plain.csv"; filename*=UTF-8''plain.csv`],
	['März (2).csv', `attachment; filename="M-rz -2-.csv"; filename*=UTF-8''M%C3%A4rz%20%282%29.csv`],
	["o'neill*.csv", `attachment; filename="o-neill-.csv"; filename*=UTF-8''o%27neill%2A.csv`],
	['名簿.csv', `attachment; filename="-.csv"; filename*=UTF-8''%E5%90%8D%E7%B0%BF.csv`],
])('%s is a header that every browser reads', (name, header) => {
	expect(contentDisposition(name)).toBe(header);
});

test('whatever a list is called, its file has a name that fits, and the header is one line of ASCII', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (listName) => {
			// Browsers get this one without an encoding.
			expect(fileNameOf(listName, 'all', 'csv')).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,100}-results\.csv$/);
			const name = verifiedName(listName, NO_FILTER, 'xlsx');
			expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255);
			expect(name).toMatch(/^[^/\\:*?"<>|\p{Cc}]+-verified\.xlsx$/u);
			const header = contentDisposition(name);
			expect(header).toMatch(/^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w.~%-]+$/);
			const encoded = header.split("UTF-8''")[1] ?? '';
			expect(decodeURIComponent(encoded)).toBe(name);
		}),
	);
});
