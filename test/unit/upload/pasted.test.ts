import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMailboxes } from '../../../src/core/upload/mailboxes.ts';
import { readPasted } from '../../../src/core/upload/read-list-file.ts';
import { atOnce, refusalOf, rowsOf } from '../../support/unit/list-files.ts';

const pasted = (text: string) => atOnce(readPasted(text));

describe('every way to write addresses one after the other', () => {
	test.each([
		['everything at once', ' a@x.test ,;\n\n| b@x.test,'],
		['angle brackets', '<a@x.test>, <b@x.test>'],
		['links', 'mailto:a@x.test\nMAILTO:b@x.test'],
		['sentences', 'a@x.test,\n(b@x.test).'],
	])('%s', (_, text) => {
		expect(findMailboxes(text).map(({ text: found }) => found)).toEqual(['a@x.test', 'b@x.test']);
	});

	test.each([
		['Jane Doe <jane@x.test>', 'Jane Doe'],
		['"Doe, Jane" <jane@x.test>', 'Doe, Jane'],
		['Doe, Jane <jane@x.test>', 'Doe, Jane'],
		['Jane Doe jane@x.test', 'Jane Doe'],
		['jane@x.test', ''],
		['Jane "JD" <jane@x.test>', 'Jane "JD"'],
		['Jane " <jane@x.test>', 'Jane "'],
	])('%s keeps the name', (text, name) => {
		expect(findMailboxes(text)).toEqual([{ text: 'jane@x.test', name }]);
	});

	test('what is no address is kept, to be shown as left out', () => {
		expect(findMailboxes('nobody, a@x.test\nat home').map(({ text }) => text)).toEqual([
			'nobody',
			'a@x.test',
			'at home',
		]);
	});

	test('any addresses between any separators are found, in their order', () => {
		const address = fc.stringMatching(/^[a-z0-9][a-z0-9+_-]{0,8}$/).map((local) => `${local}@x.test`);
		const separator = fc.constantFrom(',', ';', '\n', '\r\n', '\t', '|', ' ', ', ', ';\n', ' | ');
		fc.assert(
			fc.property(fc.array(fc.tuple(address, separator), { minLength: 1, maxLength: 20 }), (parts) => {
				const text = parts.flat().join('');
				expect(findMailboxes(text).map(({ text: found }) => found)).toEqual(parts.map(([each]) => each));
			}),
		);
	});
});

describe('what is pasted becomes a list', () => {
	test('addresses alone are one column, with names there are two', () => {
		expect(rowsOf(pasted('a@x.test, b@x.test').text)).toEqual([['Email'], ['a@x.test'], ['b@x.test']]);
		expect(rowsOf(pasted('"Doe, Jane" <a@x.test>; b@x.test').text)).toEqual([
			['Email', 'Name'],
			['a@x.test', 'Doe, Jane'],
			['b@x.test', ''],
		]);
	});

	test.each([
		['cells of a spreadsheet', 'Name\tMail\nAda\ta@x.test\nBo\tb@x.test\n', 1],
		['cells without a header', 'Ada\ta@x.test\nBo\tb@x.test\n', 1],
		['the text of a CSV file', 'email,city\na@x.test,Ulm\nb@x.test,Bonn\n', 0],
	])('%s keep their columns', (_, text, column) => {
		const { inspection, text: kept } = pasted(text);
		expect(inspection).toMatchObject({ column, rows: 2 });
		expect(inspection.columns).toHaveLength(2);
		expect(new TextDecoder().decode(kept)).toBe(text);
	});

	test('text without an address is refused, and so is one row too many', () => {
		expect(refusalOf(() => pasted('hello\nworld'))).toContain('There is no email address in this text');
		expect(refusalOf(() => pasted(''))).toContain('There is no email address');
		const lines = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@x.test`).join('\n');
		expect(pasted(lines(50_000)).inspection.rows).toBe(50_000);
		expect(refusalOf(() => pasted(lines(50_001)))).toContain('50,001 rows');
	});
});
