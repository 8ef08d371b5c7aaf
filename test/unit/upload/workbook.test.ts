import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readListFile } from '../../../src/core/upload/upload.ts';
import { patternOf } from '../../../src/core/upload/xlsx/cell-text.ts';
import { sheetToCsv } from '../../../src/core/upload/xlsx/sheet.ts';
import { TEXTS_MAX, openWorkbook } from '../../../src/core/upload/xlsx/workbook.ts';
import { atOnce } from '../../../src/lib/slots.ts';
import { refusalOf, rowsOf } from '../../support/unit/list-files.ts';
import { listFileOf, sheetXml, textOf, workbookOf } from '../../support/unit/workbooks.ts';
import type { Cell } from '../../support/unit/workbooks.ts';

const list = (rows: readonly (readonly Cell[])[]) => [{ name: 'People', rows }];
const ADA = 'ada@inbox.test';
const SHEET = 'xl/worksheets/sheet1.xml';
/** A workbook whose sheet is this XML. */
const bookOf = (sheet: string): Uint8Array => workbookOf(list([]), { parts: { [SHEET]: sheet } });
const refusedAs = (file: Uint8Array): string => refusalOf(() => listFileOf(file));
const times = (count: number, of: (n: number) => string): string =>
	Array.from({ length: count }, (_, n) => of(n)).join('');
const LETTERS = Array.from('aé漢"\',;|\t <>&=+-_x0041');

test('a sheet becomes rows with its columns, and the column of addresses is found', () => {
	const file = workbookOf(
		list([
			['Name', 'E-mail'],
			['Ada, "the first"', ADA],
			['Line\nbreak', 'b@inbox.test'],
		]),
	);
	const { inspection, sheets, text } = listFileOf(file);
	expect(inspection).toMatchObject({ column: 1, hasHeader: true, rows: 2 });
	expect(sheets).toEqual([{ name: 'People', addresses: 2, isChosen: true }]);
	expect(rowsOf(text)).toEqual([
		['Name', 'E-mail'],
		['Ada, "the first"', ADA],
		['Line\nbreak', 'b@inbox.test'],
	]);
});

test('any texts of a sheet are read unchanged', () => {
	const word = fc.string({
		unit: fc.constantFrom(...LETTERS),
		minLength: 1,
		maxLength: 12,
	});
	const solid = word.filter((text) => text.trim() !== '');
	const rows = fc.array(fc.array(solid, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
	fc.assert(
		fc.property(rows, fc.constantFrom(0 as const, 6 as const), (texts, level) => {
			const full = texts.map((cells) => [ADA, ...cells]);
			fc.pre(!full.flat().some((text) => /_x[0-9A-Fa-f]{4}_/.test(text)));
			const { text } = listFileOf(workbookOf(list(full), { level }));
			expect(rowsOf(text)).toEqual(full);
		}),
	);
});

describe('a cell is read as the spreadsheet shows it, as far as a list needs', () => {
	const formats =
		'dd.mm.yyyy|00000|#,##0.00 "days"|0.0%|[$-407]d/m/yy\\ h:mm;@|h:mm AM/PM|mmm|[h]:mm:ss|0.00_);[Red]\\(0.00\\)'.split(
			'|',
		);
	const styled = (style: number, value: number | string): Cell => ({
		xml: `<c s="${style}"><v>${value}</v></c>`,
	});
	test.each<[string, Cell, string]>([
		['a whole number', 42, '42'],
		['a telephone number with all its digits', 4_915_123_456_789, '4915123456789'],
		['fifteen digits', 123_456_789_012_345, '123456789012345'],
		['a sum of tenths', { xml: '<c><v>0.30000000000000004</v></c>' }, '0.3'],
		['a negative number', -10.5, '-10.5'],
		['a date', styled(1, 46_349), '2026-11-23'],
		['a date that no calendar has', styled(1, 3_000_000), '3000000'],
		['a postcode with a leading zero', styled(2, 1067), '01067'],
		['no postcode', styled(2, -10.5), '-10.5'],
		['an amount', styled(3, 1234.5), '1234.5'],
		['a share', styled(4, 0.76), '76%'],
		['a date with a time', styled(5, 46_349.5), '2026-11-23 12:00'],
		['a time', styled(6, 0.75), '18:00'],
		['a month', styled(7, 46_349), '2026-11-23'],
		['a number of hours', styled(8, 1.5), '1.5'],
		['a number with a colour', styled(9, -3), '-3'],
		['a style that is not there', styled(99, 5), '5'],
		['a truth', { xml: '<c t="b"><v>1</v></c>' }, 'TRUE'],
		['an error', { xml: '<c t="e"><v>#N/A</v></c>' }, '#N/A'],
		['the result of a formula', { xml: '<c t="str"><f>A1&amp;"x"</f><v>result</v></c>' }, 'result'],
		['an ISO date', { xml: '<c t="d"><v>2026-11-23</v></c>' }, '2026-11-23'],
		['rich text', { xml: '<c t="inlineStr"><is><r><t>ri</t></r><r><t>ch</t></r></is></c>' }, 'rich'],
		['a shared text', { xml: '<c t="s"><v>1</v></c>' }, '東京'],
		['a shared text that is not there', { xml: '<c t="s"><v>7</v></c>' }, ''],
		['an escaped character', { xml: '<c t="inlineStr"><is><t>a_x000A_b</t></is></c>' }, 'a\nb'],
		['an escaped NUL', { xml: '<c t="inlineStr"><is><t>a_x0000_b</t></is></c>' }, 'ab'],
	])('%s', (_, cell, shown) => {
		const shared = ['<t>zero</t>', '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>'];
		const { text } = listFileOf(workbookOf(list([[ADA, cell, 'end']]), { formats, shared }));
		expect(rowsOf(text)).toEqual([[ADA, shown, 'end']]);
	});

	test('built-in dates are ISO 8601, whichever year they count from', () => {
		const styles =
			'<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>';
		const parts = { 'xl/styles.xml': styles };
		const rows = list([[ADA, styled(1, 46_349), styled(2, 46_349.25)]]);
		expect(textOf(workbookOf(rows, { parts }))).toBe(`${ADA},2026-11-23,2026-11-23 06:00\n`);
		const later = list([[ADA, styled(1, 46_349 - 1_462), styled(2, 46_349.25 - 1_462)]]);
		expect(textOf(workbookOf(later, { parts, countsFrom1904: true }))).toBe(
			`${ADA},2026-11-23,2026-11-23 06:00\n`,
		);
	});
});

test('rows and cells that are left out keep their places', () => {
	const sheet = `<worksheet><sheetData><row r="3"><c r="C3" t="inlineStr"><is><t>${ADA}</t></is></c></row><row><c t="inlineStr"><is><t>next@inbox.test</t></is></c></row></sheetData></worksheet>`;
	expect(textOf(bookOf(sheet))).toBe(`\n\n,,${ADA}\nnext@inbox.test\n`);
});

test('prefixes are read as well', () => {
	const sheet = `<x:worksheet xmlns:x="a"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>${ADA}</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`;
	expect(textOf(bookOf(sheet))).toBe(`${ADA}\n`);
});

describe('several sheets', () => {
	const people = Array.from({ length: 1_485 }, (_, n) => [`p${n}@inbox.test`]);
	const sheets = [
		{ name: 'Cover', rows: [['Ask'], [ADA]] },
		{ name: 'Secret', rows: [...people, ['hidden@inbox.test']], state: 'hidden' as const },
		{ name: 'Notes', rows: [['Only words']] },
		{ name: 'People', rows: [['E-mail'], ...people] },
		{ name: 'Log', rows: [] },
		{ name: 'Late', rows: [['more@inbox.test']] },
		{ name: 'Sixth', rows: people },
	];
	const damaged = (n: number) => ({ [`xl/worksheets/sheet${n}.xml`]: '<w><row r="2"/><row r="1"/></w>' });

	test('the one with the most addresses is the list, and the others are named with theirs', () => {
		const { inspection, sheets: found } = listFileOf(workbookOf(sheets, { parts: damaged(5) }));
		expect(inspection.rows).toBe(1_485);
		expect(found.map(({ name, addresses, isChosen }) => [name, addresses, isChosen])).toEqual([
			['Cover', 1, false],
			['Notes', 0, false],
			['People', 1_485, true],
			['Log', null, false],
			['Late', 1, false],
			// Not read: five are tried.
			['Sixth', null, false],
		]);
	});

	test('without any addresses, the first sheet says what is wrong', () => {
		expect(refusedAs(workbookOf([{ name: 'Void', rows: [] }]))).toBe('The sheet “Void” is empty.');
		expect(refusedAs(workbookOf(sheets, { parts: damaged(1) }))).toContain('damaged');
	});
});

describe('bounds', () => {
	const rowsFrom = (count: number) => Array.from({ length: count }, (_, n) => [`p${n}@inbox.test`]);
	test('50,000 rows and a header are read, one more is refused', () => {
		const bookOfRows = (...rows: readonly (readonly Cell[])[]) => workbookOf(list(rows), { level: 0 });
		expect(listFileOf(bookOfRows(['E-mail'], ...rowsFrom(50_000))).inspection.rows).toBe(50_000);
		expect(refusedAs(bookOfRows(['E-mail'], ...rowsFrom(50_001)))).toContain('more than 50,000 rows');
	});

	test('500 columns are read, a cell in the 501st is refused', () => {
		const wide = (columns: number) =>
			workbookOf(list([[ADA, ...Array.from({ length: columns - 1 }, () => 1)]]));
		expect(listFileOf(wide(500)).inspection.columns).toHaveLength(500);
		expect(refusedAs(wide(501))).toContain('a list can have 500 columns');
	});

	test('400,000 different texts are read, and one more is refused', () => {
		const withTexts = (count: number) => {
			const cell = { xml: '<c t="s"><v>0</v></c>' };
			const shared = [`<t>${ADA}</t>`, ...Array.from({ length: count - 1 }, () => '<t>x</t>')];
			return workbookOf(list([[cell]]), { shared, level: 0 });
		};
		expect(textOf(withTexts(TEXTS_MAX))).toBe(`${ADA}\n`);
		expect(refusedAs(withTexts(TEXTS_MAX + 1))).toContain('larger than we read');
	});

	test('100,000 empty rows with a format cost nothing but time', () => {
		const empty = times(100_000, (n) => `<row r="${n + 2}"><c r="A${n + 2}" s="1"/></row>`);
		const sheet = sheetXml([[ADA]]).replace('</sheetData>', `${empty}</sheetData>`);
		expect(textOf(bookOf(sheet))).toBe(`${ADA}\n`);
	});

	test('160 MiB are unpacked of all parts together, whatever is in them', () => {
		const xml = `<w>${'<row/>'.repeat(100_000)}</w>`;
		const file = bookOf(xml);
		const book = atOnce(openWorkbook(file));
		const read = (left: number) =>
			atOnce(sheetToCsv(file, { ...book, allowance: { left } }, book.sheets[0]!));
		const { left } = book.allowance;
		// The small parts are paid for.
		expect([left < 160 * 1024 ** 2, left > 160 * 1024 ** 2 - 2_000]).toEqual([true, true]);
		expect(read(xml.length).length).toBe(0);
		expect(refusalOf(() => read(xml.length - 1))).toContain('larger than we read');
	});

	// A parser has to hold one token together. A hundred megabytes of it, less than a workbook may have, are packed
	// in 100 KB; a few show where it is refused.
	const [RELATIONS, STYLES] = ['xl/_rels/workbook.xml.rels', 'xl/styles.xml'];
	const long = (unit: string, octets = 4 * 1024 * 1024): string => unit.repeat(octets / unit.length);
	const cells = (count: number): string => times(count, () => `<c t="str"><v>${'x'.repeat(30_000)}</v></c>`);
	const sheetNamed = (id: string): string => `<sheet name="a" id="${id}"/>`;
	test.each<[string, () => string, string?]>([
		['a value', () => `<w><row><c t="str"><v>${long('x')}</v></c></row></w>`],
		['a value in pieces', () => `<w><row><c t="str"><v>${long('<![CDATA[xxxx]]>')}</v></c></row></w>`],
		['a text', () => `<w><row><c t="inlineStr"><is><t>${long('x')}</t></is></c></row></w>`],
		['a text in pieces', () => `<w><row><c t="inlineStr"><is>${long('<t>xxxx</t>')}</is></c></row></w>`],
		['a shared text in pieces', () => `<s><si>${long('<t>xxxx</t>')}</si></s>`, 'xl/sharedStrings.xml'],
		['a row', () => `<w><row>${cells(133)}</row></w>`],
		['an attribute', () => `<w a="${long('x')}"/>`],
		['a tag', () => `<w ${times(200_000, (n) => ` a${n}="1"`)}/>`],
		['a name', () => `<${long('x')}/>`],
		['a comment', () => `<w><!--${long('x')}--></w>`],
		['an instruction', () => `<w><?x ${long('x')}?></w>`],
		['depth', () => long('<a>')],
		['sheets', () => `<w>${long(sheetNamed('b'))}</w>`, 'xl/workbook.xml'],
		['names of sheets', () => `<w>${sheetNamed(long('b', 500_000)).repeat(8)}</w>`, 'xl/workbook.xml'],
		['relations', () => `<r>${times(200_000, (n) => `<Relationship Id="${n}"/>`)}</r>`, RELATIONS],
		['formats', () => `<s>${times(200_000, (n) => `<numFmt numFmtId="${n}" formatCode="0"/>`)}</s>`, STYLES],
	])('%s without end is refused before it fills the memory', (_, xmlOf, part = SHEET) => {
		const file = workbookOf(list([[ADA]]), { parts: { [part]: new TextEncoder().encode(xmlOf()) } });
		const steps = readListFile(file);
		let read = 0;
		const refused = refusalOf(() => {
			for (let step = steps.next(); step.done !== true; step = steps.next()) read += 1;
		});
		expect(refused).toMatch(/larger than we read|longer than 200,000 characters|damaged/);
		// A step is 128 KB, and all are thirty or more.
		expect(read).toBeLessThan(16);
	});

	test('a shared text that is repeated in a row is not written out more often than a row may hold', () => {
		const shared = `<s><si><t>${'x'.repeat(150_000)}</t></si></s>`;
		const row = '<c t="s"><v>0</v></c>'.repeat(400);
		const parts = {
			'xl/sharedStrings.xml': new TextEncoder().encode(shared),
			[SHEET]: new TextEncoder().encode(`<w><row>${row}</row></w>`),
		};
		const book = workbookOf(list([[ADA]]), { parts });
		expect(refusedAs(book)).toContain('Row 1 is longer than 200,000 characters');
	});

	test('the names of sheets are cut, and a pattern that no spreadsheet writes is none', () => {
		const file = workbookOf([
			{ name: 'n'.repeat(4_000), rows: [[ADA]] },
			{ name: 'Other', rows: [] },
		]);
		const { sheets } = listFileOf(file);
		expect(sheets.map(({ name }) => name.length)).toEqual([120, 5]);
		expect(patternOf(200, new Map([[200, `yyyy${'_x'.repeat(200)}`]]))).toBeNull();
		expect(patternOf(200, new Map([[200, 'yyyy']]))).toBe('yyyy');
	});

	test('a size that the archive lies about is not believed', () => {
		const file = workbookOf(list([[ADA]]));
		const view = new DataView(file.buffer);
		for (let at = 0; at < file.length - 4; at += 1)
			if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 0x7fffffff, true);
		expect(textOf(file)).toBe(`${ADA}\n`);
	});
});

test.each([
	['a cut archive', workbookOf(list([[ADA]])).slice(0, 300), 'damaged'],
	['an archive of something else', workbookOf([], { parts: {} }), 'no sheet with rows'],
	['XML that is none', bookOf('<worksheet><row>'), 'damaged'],
	['rows that go back', bookOf('<w><row r="2"/><row r="1"/></w>'), 'damaged'],
	['a place without a column', workbookOf(list([[{ xml: '<c r="12"><v>1</v></c>' }]]), {}), 'damaged'],
	['an entity of its own', bookOf('<!DOCTYPE w [<!ENTITY a "b">]><w>&a;</w>'), 'damaged'],
	['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]), 'old kind (XLS), or one with a password'],
])('%s is refused with what to do', (_, file, words) => {
	expect(refusedAs(file)).toContain(words);
});

test('an archive that is no workbook says what it is', () => {
	const archive = (names: readonly string[]) => {
		const file = workbookOf([], { parts: Object.fromEntries(names.map((name) => [name, ''])) });
		// Renames the main part.
		const text = Buffer.from(file).toString('latin1').replaceAll('xl/workbook.xml', 'xl/nothing0.xml');
		return new Uint8Array(Buffer.from(text, 'latin1'));
	};
	expect(refusedAs(archive([]))).toContain('no Excel workbook');
	expect(refusedAs(archive(['xl/workbook.bin']))).toContain('XLSB');
	expect(refusedAs(archive(['content.xml']))).toContain('OpenDocument');
});
