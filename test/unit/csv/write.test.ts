import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csvLine, writeCsv } from '../../../src/core/csv/write.ts';
import type { CsvCell, CsvDelimiter, CsvRow } from '../../../src/core/csv/write.ts';
import { RowReader } from '../../../src/core/upload/text.ts';
import { addressOf } from '../../../src/core/upload/format.ts';
import { collected } from '../../support/unit/list-files.ts';

async function written(rows: Iterable<CsvRow>, delimiter?: CsvDelimiter): Promise<string> {
	const pieces = await collected(writeCsv(rows, delimiter));
	return pieces.join('');
}

describe('a cell is written so that every reader reads the same', () => {
	test.each<[string, CsvCell, string]>([
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
		'-1,234.50',
		'-1.234,50',
		' -7 ',
		'+49 151 2345 6789',
		'+49 (0)151 23456789',
		'+1 (800) 555 0100',
	])('a number and a telephone number are left as they came: %j', (cell) => {
		expect(Papa.parse<string[]>(csvLine([cell])).data[0]).toEqual([cell]);
	});

	// More digits than a telephone number has (ITU-T E.164 §6.2) are among them.
	test.each([
		'-',
		'+',
		'-(1)',
		'+(800) 555 0100',
		'+1 800',
		'+49 1512 3456 7890 12',
		"=cmd|'/c calc'!A0",
		'\0=1',
		'\uFEFF=1',
	])(
		'what a spreadsheet would run is shown instead, and what is no number nor one of a telephone: %j',
		(cell) => {
			expect(Papa.parse<string[]>(csvLine([cell])).data[0]).toEqual([`'${cell}`]);
		},
	);

	test('what only looks so further inside is left as it is', () => {
		expect(csvLine(['1+1', 'a =1', "'=1", 'a@x.test'])).toBe("1+1,a =1,'=1,a@x.test\r\n");
	});
});

const ODD = Array.from(`",;\r\n\t|=+-@' äx1\uFF1D\uFF0B\uFF0D\uFF20\u200B\u00A0\u3000\u0664`);
const cell = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	// As OWASP lists them: line breaks, the wide forms that spreadsheets of East Asia read as the narrow ones, and what
	// programs strip on the way in: marks, invisible characters, spaces.
	fc.string({ unit: fc.constantFrom(...ODD) }),
);
const table = fc
	.integer({ min: 1, max: 5 })
	.chain((width) =>
		fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
	);
const delimiters = fc.constantFrom<CsvDelimiter>(',', ';');
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
// All that a spreadsheet needs for an expression beside a sign in front: an operator, a name, a reference, a quotation.
const IS_EXPRESSION = /[^0-9 .,()%]/;

/** Whether a spreadsheet would work something out, and not just read a number or show a text. */
function isRun(text: string): boolean {
	return FORMULA.test(text) && (!/^ *[+-]/.test(text) || IS_EXPRESSION.test(text.trim().slice(1)));
}

/** A cell as a parser should read it: itself, or behind an apostrophe; nothing that is run stays as it is. */
function expectNeutral(read: string | undefined, given: string): void {
	expect([given, `'${given}`]).toContain(read);
	if (isRun(given)) expect(read).toBe(`'${given}`);
	if (!FORMULA.test(given)) expect(read).toBe(given);
}

const numeric = fc.string({
	unit: fc.constantFrom(...Array.from('+-0123456789 .,()%eE*/|!=A:\uFF0B')),
	maxLength: 12,
});

test('a parser reads back every cell that was written, and none that a spreadsheet would run', async () => {
	await fc.assert(
		fc.asyncProperty(table, delimiters, async (rows, delimiter) => {
			const text = await written(rows, delimiter);
			const { data, errors } = Papa.parse<string[]>(text.replace(/\r\n$/, ''), {
				delimiter,
				newline: '\r\n',
			});
			expect(errors).toEqual([]);
			expect(data.map((row) => row.length)).toEqual(rows.map((row) => row.length));
			for (const [line, row] of rows.entries())
				for (const [at, given] of row.entries()) expectNeutral(data[line]?.[at], given);
		}),
	);
});

test('of what is built like a number, a sign with operators behind it is never left to a spreadsheet', () => {
	fc.assert(
		fc.property(numeric, (text) => {
			expectNeutral(Papa.parse<string[]>(csvLine([text, 'x'])).data[0]?.[0], text);
		}),
		{ numRuns: 5_000 },
	);
});

test('every price and every telephone number of digits alone is left as it came', () => {
	const signed = fc
		.tuple(fc.constantFrom('+', '-'), fc.nat(), fc.constantFrom('', '.5', ',25', '%'))
		.map(([sign, whole, rest]) => `${sign}${whole}${rest}`);
	const phone = fc.stringMatching(/^\+[1-9][0-9]{6,14}$/);
	fc.assert(
		fc.property(fc.oneof(signed, phone), (text) => {
			expect(Papa.parse<string[]>(csvLine([text, 'x'])).data[0]).toEqual([text, 'x']);
		}),
	);
});

/** What stands in a file of ours for a cell. */
function shown(text: string): string {
	return Papa.parse<string[]>(csvLine([text, 'x']), { newline: '\r\n', delimiter: ',' }).data[0]?.[0] ?? '';
}

test('our own reader reads back what it would show of a list, blank rows aside', async () => {
	await fc.assert(
		fc.asyncProperty(table, delimiters, async (rows, delimiter) => {
			const text = await written(rows, delimiter);
			const reader = new RowReader({ encoding: 'utf-8', delimiter, lineEnd: 'lf', hasSeparatorLine: false });
			const read = [...reader.push(new TextEncoder().encode(text)), ...reader.end()].map(
				({ cells }) => cells,
			);
			const expected = rows
				.map((row) => row.map((each) => shown(each.toWellFormed()).replaceAll('\r\n', '\n')))
				.filter((row) => row.some((each) => each.trim() !== ''));
			expect(read).toEqual(expected);
		}),
	);
});

test('an address that looks like a formula survives being downloaded and uploaded again', () => {
	const emails = ['+tag@x.test', '-a@x.test', '=b@x.test', 'ada@x.test', ' +tag@x.test', '\t=b@x.test'];
	for (const email of emails) {
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
