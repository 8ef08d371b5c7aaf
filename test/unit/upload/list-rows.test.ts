import { LONG_MINUTES } from '../../../src/core/jobs/estimate.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanList } from '../../../src/core/jobs/clean-list.ts';
import { addressOf } from '../../../src/core/upload/format.ts';
import { ListRows, readPlace } from '../../../src/core/upload/list-rows.ts';
import { RowReader } from '../../../src/core/upload/text.ts';
import { chosenOf } from '../../../src/core/upload/upload.ts';
import type { Choice } from '../../../src/core/upload/inspect.ts';
import { fileOf, inspected, refusalOf } from '../../support/unit/list-files.ts';

const LIST = 'name,email\nAda,Ada@x.test\nBob,\nCy,nobody\nada,ada@X.TEST\nDi,di@x.test\nCy,NOBODY\n';

function rowsOf(text: string, said: Partial<Choice> = {}): ListRows {
	const file = fileOf(text);
	const inspection = inspected(file);
	const { column, hasHeader } = chosenOf(inspection, said);
	const reader = new RowReader(inspection.format, hasHeader);
	const rows = new ListRows(column);
	rows.add(reader.push(file));
	rows.add(reader.end());
	return rows;
}
const previewOf = (text: string, said?: Partial<Choice>) => rowsOf(text, said).preview();
const placesOf = (text: string) => rowsOf(text).forJob();

describe('before anything is charged, the person sees what would be', () => {
	test('counts that add up to the rows', () => {
		expect(previewOf(LIST).counts).toEqual({ rows: 6, addresses: 2, duplicates: 1, malformed: 2, empty: 1 });
	});

	test('the first rows, without the header, as the spreadsheet numbers them', () => {
		const { firstRows } = previewOf(`${LIST}${'x,e@x.test\n'.repeat(20)}`);
		expect(firstRows).toHaveLength(10);
		expect(firstRows[0]).toEqual({ number: 2, cells: ['Ada', 'Ada@x.test'] });
		expect(firstRows[9]).toEqual({ number: 11, cells: ['x', 'e@x.test'] });
	});

	test('what can not be verified, where it stands, and why', () => {
		expect(previewOf(LIST).malformedRows).toEqual([
			{ number: 4, text: 'nobody', reason: 'The address has no @' },
			{ number: 7, text: 'NOBODY', reason: 'The address has no @' },
		]);
		const many = (count: number) =>
			Array.from({ length: count }, (_, index) => `a@x.test,${index}\nno${index},0\n`).join('');
		expect(previewOf(many(3)).malformedRows.map(({ number }) => number)).toEqual([2, 4, 6]);
		expect(previewOf(many(1_000)).malformedRows).toHaveLength(1_000);
		expect(previewOf(many(1_001))).toMatchObject({
			malformedRows: { length: 1_000 },
			counts: { malformed: 1_001 },
		});
	});

	test('of two addresses in a cell the first, and how many rows have two', () => {
		const list =
			'email\nada@x.test\n"ada@x.test, bob@y.test"\n"di@x.test,"\n"Cy@x.test; cy@x.test"\n"e@x.test f@x.test"\n';
		const { counts, several } = previewOf(list);
		expect(counts).toMatchObject({ addresses: 4, duplicates: 1, malformed: 0 });
		expect(several).toEqual({ rows: 2, first: 3 });
		expect(placesOf(list).emails).toEqual(['ada@x.test', 'ada@x.test', 'di@x.test', 'Cy@x.test', 'e@x.test']);
	});

	test('a long cell is cut', () => {
		const [row] = previewOf(`a@x.test,${'y'.repeat(120)},${'z'.repeat(121)}\n`).firstRows;
		expect(row?.cells.map((cell) => cell.length)).toEqual([8, 120, 120]);
		expect(row?.cells[2]?.endsWith('z…')).toBe(true);
	});

	test('another column or no header, if the person says so', () => {
		expect(previewOf(LIST, { column: 0 }).counts).toMatchObject({
			addresses: 0,
			malformed: 6,
			duplicates: 0,
		});
		expect(previewOf(LIST, { hasHeader: false }).counts).toMatchObject({ rows: 7, malformed: 3 });
		expect(previewOf('ada@x.test\nbob@x.test\n', { hasHeader: true }).counts).toMatchObject({ rows: 1 });
	});

	test.each([-1, 2, 0.5, Number.NaN])('a column that is not there (%d) is refused', (column) => {
		expect(refusalOf(() => previewOf(LIST, { column }))).toBe('The file has 2 columns. Choose one of them.');
	});
});

test('each row of the file knows where its result will be: at a place of the job that is made from the list', () => {
	const cells = fc.constantFrom(
		'a@x.test',
		'A@x.test',
		' b@x.test',
		"'+c@x.test",
		'"b@x.test,"',
		'"a@x.test; d@y.test"',
		'no',
		'NO',
		'',
		'd@y.test',
	);
	fc.assert(
		fc.property(fc.array(cells, { minLength: 1, maxLength: 40 }), (column) => {
			const text = `n,email\n0,z@x.test\n${column.map((cell) => `1,${cell}\n`).join('')}`;
			const { emails, places } = placesOf(text);
			const cleaned = cleanList(emails);
			const texts = column.map((cell) => addressOf(cell.replaceAll('"', '')));
			expect(emails).toEqual(['z@x.test', ...texts]);
			expect(places).toHaveLength(column.length + 1);
			for (const [row, place] of places.map(readPlace).entries()) {
				const cell = row === 0 ? 'z@x.test' : (texts[row - 1] ?? '');
				if (place.kind === 'result') {
					expect(cleaned.accepted[place.index]?.toLowerCase()).toBe(cell.toLowerCase());
					const later = texts.slice(row).some((other) => other.toLowerCase() === cell.toLowerCase());
					expect(place.again).toBe(later);
				} else {
					expect(place.kind).toBe(cell === '' ? 'empty' : 'malformed');
				}
			}
			// The job has the same contents as its preview.
			const { rows, addresses, duplicates, malformed, empty } = previewOf(text).counts;
			expect({ rows, addresses, duplicates, leftOut: malformed + empty }).toEqual({
				rows: emails.length,
				addresses: cleaned.accepted.length,
				duplicates: cleaned.duplicates,
				leftOut: cleaned.invalid,
			});
		}),
	);
});

test('the preview says what large providers will tell, and how long they take', () => {
	const { recipientsPerMinute } = budgetOf('google');
	const at = (domain: string, count: number): string =>
		Array.from({ length: count }, (_, n) => `a${n}@${domain}\n`).join('');
	const text = `email\n${at('gmail.com', 5 * recipientsPerMinute + 1)}${at('yahoo.co.jp', 2)}${at('yahoo.com', 3)}${at('shop.example', 900)}`;
	const { untold, leastMinutes } = previewOf(text);
	expect(untold).toEqual({ addresses: 5, providers: ['Yahoo'] });
	// The slowest of them decides; domains of no large provider need no time of their own.
	expect(leastMinutes).toBe(LONG_MINUTES + 1);
	expect(previewOf(`email\n${at('gmail.com', 1)}`).untold).toEqual({ addresses: 0, providers: [] });
});
