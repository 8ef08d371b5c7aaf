import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csvLine, writeCsv } from '../../../src/core/csv/write.ts';
import type { CsvCell, CsvDelimiter, CsvRow } from '../../../src/core/csv/write.ts';
import { RowReader } from '../../../src/core/upload/row-reader.ts';
import { addressOf } from '../../../src/core/upload/format.ts';
import { collected } from '../../support/unit/list-files.ts';

async function written(rows: Iterable<CsvRow>, delimiter?: CsvDelimiter): Promise<string> {
	const pieces = await collected(writeCsv(rows, delimiter));
	return pieces.join('');
}

describe('a cell is written so that every reader reads the same', () => {
	test.each<[string, CsvCell, string]>([
		['plain', 'ada', 'ada'],
		['a comma', 'a,b', '"a,b"'],
		['a quote', 'say "hi"', '"say ""hi"""'],
		['a line break', 'a\nb', '"a\nb"'],
		['a carriage return inside', 'a\rb', '"a\rb"'],
		['another delimiter, so that it stays one cell there too', 'a;=1+1', '"a;=1+1"'],
		['a tab inside', 'a\tb', '"a\tb"'],
		['nothing', null, ''],
		['a figure', -5, '-5'],
		['yes', true, 'true'],
		['no', false, 'false'],
	])('%s', (_, cell, text) => {
		expect(csvLine([cell, 'x'])).toBe(`${text},x\r\n`);
	});

	test.each([
		'=1+1',
		'+49 170',
		'-1',
		'@SUM(A1)',
		'\tx',
		'\rx',
		"=cmd|'/c calc'!A0",
		'="a","b"',
		// As OWASP lists them: a line break, and the wide forms that spreadsheets of East Asia read as the narrow ones.
		'\n=1',
		'\n',
		'\uFF1D1+1',
		'\uFF0B1',
		'\uFF0D1',
		'\uFF20SUM(A1)',
		// What programs strip on the way in: marks, invisible characters, spaces.
		'\uFEFF=1',
		'\u200B=1',
		'\0=1',
		' =1',
		'\u00A0+1',
		'\u3000\uFF1D1',
		' \u200B\t@x',
	])('what a spreadsheet would run is shown instead: %j', (cell) => {
		expect(Papa.parse<string[]>(csvLine([cell])).data[0]).toEqual([`'${cell}`]);
	});

	test('what only looks so further inside is left as it is', () => {
		expect(csvLine(['1+1', 'a =1', "'=1", 'a@x.test'])).toBe("1+1,a =1,'=1,a@x.test\r\n");
	});
});

const cell = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.string({
		unit: fc.constantFrom(
			'"',
			',',
			';',
			'\r',
			'\n',
			'\t',
			'|',
			'=',
			'+',
			'-',
			'@',
			"'",
			' ',
			'ä',
			'x',
			'\uFF1D',
			'\u200B',
		),
	}),
);
const table = fc
	.integer({ min: 1, max: 5 })
	.chain((width) =>
		fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
	);
const delimiters = fc.constantFrom<CsvDelimiter>(',', ';');
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
const neutral = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

test('a parser reads back every cell that was written, and no cell begins as a formula', async () => {
	await fc.assert(
		fc.asyncProperty(table, delimiters, async (rows, delimiter) => {
			const text = await written(rows, delimiter);
			const { data, errors } = Papa.parse<string[]>(text.replace(/\r\n$/, ''), {
				delimiter,
				newline: '\r\n',
			});
			expect(errors).toEqual([]);
			expect(data).toEqual(rows.map((row) => row.map(neutral)));
			expect(data.flat().filter((read) => FORMULA.test(read))).toEqual([]);
		}),
	);
});

test('our own reader reads back what it would show of a list, blank rows aside', async () => {
	await fc.assert(
		fc.asyncProperty(table, delimiters, async (rows, delimiter) => {
			const text = await written(rows, delimiter);
			const reader = new RowReader({ encoding: 'utf-8', delimiter, lineEnd: 'lf', hasSeparatorLine: false });
			const read = [...reader.push(new TextEncoder().encode(text)), ...reader.end()].map(
				({ cells }) => cells,
			);
			const expected = rows
				.map((row) => row.map((each) => neutral(each.toWellFormed()).replaceAll('\r\n', '\n')))
				.filter((row) => row.some((each) => each.trim() !== ''));
			expect(read).toEqual(expected);
		}),
	);
});

test('an address that looks like a formula survives being downloaded and uploaded again', () => {
	for (const email of [
		'+tag@x.test',
		'-a@x.test',
		'=b@x.test',
		'ada@x.test',
		' +tag@x.test',
		'\t=b@x.test',
	]) {
		const [row] = Papa.parse<string[]>(csvLine([email, 'x'])).data;
		expect(addressOf(row?.[0] ?? '')).toBe(email.trim());
	}
});

test('rows come out in pieces while they come in, none of them kept', async () => {
	let made = 0;
	function* rows(): Generator<CsvRow> {
		for (; made < 10_000; made += 1) yield ['x'.repeat(100)];
	}
	const pieces = writeCsv(rows());
	const first = await pieces.next();
	expect(first.value).toHaveLength(161 * 102);
	expect(made).toBe(160);
	let length = first.value?.length ?? 0;
	for await (const piece of pieces) length += piece.length;
	expect(length).toBe(10_000 * 102);
});

test('no rows are an empty file', async () => {
	expect(await written([])).toBe('');
});
