import { describe, expect, test } from 'vitest';
import { COLUMNS_MAX, FILE_OCTETS_MAX, ROWS_MAX, ROW_CHARS_MAX } from '../../../src/core/upload/file-kind.ts';
import { fileOf, inspected, refusalOf, repeated, rowsOf } from '../../support/unit/list-files.ts';

const MB = 1024 * 1024;
const inspect = (text: string) => inspected(fileOf(text));
const names = (text: string) => inspect(text).columns.map(({ name }) => name);
const lines = (count: number) => 'a@x.test\n'.repeat(count);
const row = (columns: number) => `a@x.test${','.repeat(columns - 1)}\n`;
const refused = (text: string) => refusalOf(() => inspect(text));

test.each([
	['the only one with addresses', 'id,kontakt\n1,a@x.test\n2,b@x.test\n', 1],
	['whatever the header says', 'email,x\nyes,a@x.test\nno,b@x.test\n', 1],
	['the header decides between two', 'owner,email\na@x.test,b@x.test\nc@x.test,d@x.test\n', 1],
	['also in German', 'Vertreter,E-Mail-Adresse\na@x.test,b@x.test\n', 1],
	['in French', 'Parrain,Adresse électronique,Courriel\na@x.test,-,b@x.test\n', 2],
	['in Spanish', 'Otro,Correo electrónico\na@x.test,b@x.test\n', 1],
	['in Russian', 'Менеджер,Электронная почта\na@x.test,b@x.test\n', 1],
	['in Japanese', '担当者,メールアドレス\na@x.test,b@x.test\n', 1],
	['in Polish', 'Opiekun,Adres e-mail\na@x.test,b@x.test\n', 1],
	['in Chinese', '经理,电子邮箱\na@x.test,b@x.test\n', 1],
	['not the second address of the same person', 'Email 2,Mail (work)\na@x.test,b@x.test\n', 1],
	["not the owner's", 'Owner email,Contact email\na@x.test,b@x.test\n', 1],
	['the fuller header loses to the better one', 'Sales rep email,Email\na@x.test,\na@x.test,b@x.test\n', 1],
	['the fuller one, whatever its name', 'Email,Kontakt\n,a@x.test\n,b@x.test\nc@x.test,d@x.test\n', 1],
	[
		'the fuller one, though it repeats',
		'Mail A,Mail B\na@x.test,b@x.test\n,b@x.test\nc@x.test,b@x.test\n',
		1,
	],
	[
		'between equally full ones: the one with more different ones',
		'o@x.test,a@x.test\no@x.test,b@x.test\n',
		1,
	],
	['equal ones: the first', 'a@x.test,b@x.test\nc@x.test,d@x.test\n', 0],
	['not a column with an address by the way', 'x,y\nn,a@x.test\nm,b@x.test\nz@x.test,c@x.test\n', 1],
	['an address by the way, if there is no other', 'x,y\nn,1\nm,2\nz@x.test,3\n', 0],
])('the column of addresses is found by looking at the data: %s', (_, text, column) => {
	expect(inspect(text).column).toBe(column);
});

test.each([
	['a header', 'name,email\nAda,ada@x.test\n', true, 1],
	['a header of one column', 'Adressen\nada@x.test\n', true, 1],
	['an address', 'ada@x.test\nbob@x.test\n', false, 2],
	['a malformed address', 'ada@\nbob@x.test\n', false, 2],
	['an address in another column', 'x@x.test,b\ny,c@x.test\n', false, 2],
	['empty lines before it', '\n,,\nname,email\nAda,ada@x.test\n', true, 1],
])('a first row without addresses above addresses is a header: %s', (_, text, hasHeader, rows) => {
	expect(inspect(text)).toMatchObject({ hasHeader, rows });
});

test('columns are named by the header, else by their place, as many as the widest row has', () => {
	expect(names('Name, E-Mail ,\nAda,ada@x.test,1,2\n')).toEqual(['Name', 'E-Mail', 'Column 3', 'Column 4']);
	expect(names(`${'n'.repeat(121)}\nada@x.test\n`)).toEqual([`${'n'.repeat(119)}…`]);
	expect(names('ada@x.test,1\n')).toEqual(['Column 1', 'Column 2']);
});

test('each column says how full it is and which share of it is addresses', () => {
	const { columns } = inspect('a,b\nx@x.test,1\ny@x.test,\nno,2\nX@x.test,\n');
	expect(columns).toEqual([
		{ name: 'a', filled: 4, addressShare: 0.75, distinct: 2 },
		{ name: 'b', filled: 2, addressShare: 0, distinct: 0 },
	]);
});

describe('an error names the limit and its remedy, and a file just within it is accepted', () => {
	test('rows', () => {
		expect(inspect(`email\n${lines(ROWS_MAX)}\n\n`).rows).toBe(50_000);
		expect(refused(`email\n${lines(ROWS_MAX + 1)}`)).toBe(
			'The file has 50,001 rows; a list can have 50,000. Split it into 2 files.',
		);
		expect(refused(lines(125_000))).toMatch(/125,000 rows.*into 3 files/);
	});

	test('size', () => {
		const line = `a@x.test,${'x'.repeat(1_000)}\n`;
		const within = repeated(line, FILE_OCTETS_MAX - 10);
		expect(inspected(within).rows).toBe(Math.floor((FILE_OCTETS_MAX - 10) / line.length));
		const over = new Uint8Array(FILE_OCTETS_MAX + 1).fill(97);
		expect(refusalOf(() => inspected(over))).toMatch(
			/^The file has 20\.0 MB; a list can have 20 MB\. Keep only/,
		);
		expect(refusalOf(() => inspected(over.subarray(0, FILE_OCTETS_MAX)))).not.toMatch(/MB/);
	});

	test('columns', () => {
		expect(inspect(row(COLUMNS_MAX)).columns).toHaveLength(500);
		expect(refused(`b@x.test\n${row(COLUMNS_MAX + 1)}`)).toMatch(
			/^Row 2 has 501 columns; a list can have 500\./,
		);
	});

	test('length of a row', () => {
		const within = `b@x.test,1\na@x.test,${'x'.repeat(ROW_CHARS_MAX - 10)}\n`;
		expect(inspect(within).rows).toBe(2);
		expect(refused(`b@x.test,1\na@x.test,${'x'.repeat(2 * ROW_CHARS_MAX)}\n`)).toMatch(
			/^Row 2 is longer than 200,000 characters\./,
		);
	});
});

describe('a file that is no list is refused by its kind', () => {
	test.each([
		['an empty file', [], /^The file is empty\./],
		['XLS', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1], /Excel workbook of the old kind \(XLS\).*save it as XLSX/],
		['PDF', [...fileOf('%PDF-1.7\n')], /PDF document.*Export the list as CSV/],
		['gzip', [0x1f, 0x8b, 8, 0], /compressed \(gzip\)\. Unpack it/],
		['a picture', [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13], /^This is not a text file\./],
		['NUL among text', [...fileOf('a@x.test\nb@x\0.test\n')], /^This is not a text file\./],
		[
			'a text without addresses',
			[...fileOf('Dear all,\nplease find attached\n')],
			/^No column .*email addresses/,
		],
		['nothing but a header', [...fileOf('name,email\n')], /^No column/],
		['blank rows', [...fileOf(',,\n ,\t,\n\n')], /^No column/],
	])('%s', (_, octets, says) => {
		expect(refusalOf(() => inspected(Uint8Array.from(octets)))).toMatch(says);
	});

	test('a quotation mark that is never closed is named with its row', () => {
		const says =
			'Row 3 opens a quotation mark (") that is never closed. Close or remove it and upload the file again.';
		expect(refused('email\na@x.test\n"b@x.test\nc@x.test\n')).toBe(says);
		expect(refused(`email\na@x.test\n"b@x.test\n${'c@x.test\n'.repeat(100_000)}`)).toBe(says);
	});

	test('rows that may have run into one another are pointed at', () => {
		expect(inspect('n,email\n1,a@x.test\n"2" x",b@x.test\n3,c@x.test\n').oddQuoteRow).toBe(3);
		const swallowed = 'n,email\n1,a@x.test\n"2,b@x.test\n3,c@x.test\n"4",d@x.test\n5,e@x.test\n';
		expect(inspect(swallowed)).toMatchObject({ rows: 3, oddQuoteRow: 3 });
		expect(inspect('n,email\n"1",a@x.test\n2" x,b@x.test\n').oddQuoteRow).toBeNull();
	});
});

// The longest file costs twenty times as much, seconds: that time grows evenly, test/unit/security/readers.test.ts.
describe('a hostile file ends in an answer, a megabyte in a fraction of a second', () => {
	test.each([
		['line breaks', '\n', /^No column/],
		['rows of nothing', ',\n', /^No column/],
		['one cell', 'a', /^Row 1 is longer/],
		['one row of cells', ',', /^Row 1 is longer/],
		['one row of addresses', 'a@x.test,', /^Row 1 is longer/],
		['quotation marks', '"', /^Row 1 opens a quotation mark/],
		['quotes that close nothing', '"a"b', /^Row 1 opens a quotation mark/],
		['quoted spaces', '"a" "b" ', /^Row 1 opens a quotation mark/],
		['short addresses', 'a@x.de\n', /^The file has [\d,]+ rows/],
		['500 addresses a row', `${'a@x.test,'.repeat(499)}a@x.test\n`, null],
		['500 quoted nothings a row', `a@x.test,${'"",'.repeat(498)}""\n`, null],
		['escaped quotes up to the limit of a row', `"${'x""'.repeat(60_000)}",a@x.test\n`, null],
	])('%s', (_, text, says) => {
		const file = repeated(text, MB);
		if (says === null) expect(inspected(file).rows).toBe(file.length / fileOf(text).length);
		else expect(refusalOf(() => inspected(file))).toMatch(says);
	});

	test('a million empty lines among addresses are not rows, and cost them nothing', () => {
		const file = fileOf(`email\n${'\r\n'.repeat(1_000_000)}a@x.test\r\n`);
		expect(inspected(file)).toMatchObject({ rows: 1, hasHeader: true, column: 0 });
		expect(rowsOf(file, 50_000)).toEqual([['email'], ['a@x.test']]);
	});
});
