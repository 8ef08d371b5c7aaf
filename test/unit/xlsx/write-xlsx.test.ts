import { strFromU8, unzipSync } from 'fflate';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnName, rowElement, writeXlsx } from '../../../src/core/xlsx/write-xlsx.ts';
import { joinBytes } from '../../../src/lib/streams.ts';
import { collected } from '../../support/unit/list-files.ts';

type Cell = Parameters<typeof rowElement>[0][number];

async function* given(rows: readonly (readonly Cell[])[]) {
	yield* rows;
}

async function sheetOf(rows: readonly (readonly Cell[])[]): Promise<string> {
	const parts = unzipSync(joinBytes(await collected(writeXlsx(given(rows)))));
	const books = 'xl/_rels/workbook.xml.rels xl/styles.xml xl/workbook.xml xl/worksheets/sheet1.xml';
	expect(Object.keys(parts).toSorted().join(' ')).toBe(`[Content_Types].xml _rels/.rels ${books}`);
	return strFromU8(parts['xl/worksheets/sheet1.xml']!);
}

/** The texts of a sheet as a spreadsheet reads them. */
function textsOf(sheet: string): readonly string[] {
	return [...sheet.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, text = '']) =>
		text
			.replaceAll('&lt;', '<')
			.replaceAll('&gt;', '>')
			.replaceAll('&amp;', '&')
			.replace(/_x([0-9A-F]{4})_/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
	);
}

describe('a cell', () => {
	test.each<[Cell, string]>([
		['ada', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">ada</t></is></c>'],
		[97, '<c r="A2"><v>97</v></c>'],
		[-1, '<c r="A2"><v>-1</v></c>'],
		[true, '<c r="A2" t="b"><v>1</v></c>'],
		[false, '<c r="A2" t="b"><v>0</v></c>'],
		[null, ''],
		['', ''],
		// No formula, whatever it begins with; numbers and telephone numbers of a file stay as they are.
		['=1+1', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>'],
		['+49151023456', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">+49151023456</t></is></c>'],
		['-10.50', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">-10.50</t></is></c>'],
		['007', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">007</t></is></c>'],
		['a<b>&c', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">a&lt;b&gt;&amp;c</t></is></c>'],
		['\u0000x', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">_x0000_x</t></is></c>'],
		['_x0041_', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">_x005F_x0041_</t></is></c>'],
	])('%j', (cell, element) => {
		expect(rowElement([cell], 2)).toBe(`<row r="2">${element}</row>`);
	});

	test('a text longer than a cell may be is cut where a spreadsheet would call the file damaged', () => {
		expect(textsOf(rowElement(['x'.repeat(32_767)], 2))[0]).toHaveLength(32_767);
		expect(textsOf(rowElement(['x'.repeat(32_768)], 2))[0]).toHaveLength(32_767);
	});

	test.each([
		[0, 'A'],
		[25, 'Z'],
		[26, 'AA'],
		[51, 'AZ'],
		[701, 'ZZ'],
		[702, 'AAA'],
	])('column %i is %s', (index, name) => {
		expect(columnName(index)).toBe(name);
	});
});

test('a workbook holds every text of its rows as it was given', async () => {
	const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 12 }), async (rows) => {
			expect(textsOf(await sheetOf(rows))).toEqual(rows.flat().map((each) => each.toWellFormed()));
		}),
		{ numRuns: 40 },
	);
});

test('the same rows make the same file, and a large one comes in pieces', async () => {
	const rows = Array.from({ length: 5_000 }, (_, n) => [`a${n}@x.test`, 'deliverable', 'accepted', n * 7]);
	const pieces: number[] = [];
	for await (const piece of writeXlsx(given(rows))) pieces.push(piece.length);
	expect(pieces.length).toBeGreaterThan(10);
	expect(await sheetOf(rows)).toBe(await sheetOf(rows));
});

test('the columns are as wide as their texts, and the head is bold', async () => {
	const sheet = await sheetOf([
		['email', 'status'],
		['a-name-of-thirty-letters@x.test', 'deliverable'],
	]);
	expect(sheet).toContain('<cols><col min="1" max="1" width="34" customWidth="1"/>');
	expect(sheet).toContain('<row r="1"><c r="A1" s="1" t="inlineStr">');
	expect(sheet).toContain('<row r="2"><c r="A2" t="inlineStr">');
});
