import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf, findMailboxes } from '../../../src/core/upload/format.ts';
import { atOnce } from '../../../src/lib/slots.ts';
import { encodingOf, fileOf, formatOf, rowsOf, utf16be, refusalOf } from '../../support/unit/list-files.ts';
import { readPasted } from '../../../src/core/upload/upload.ts';

const TEXT = 'Name;E-Mail\r\nKäthe Müller;kaethe@x.test\r\nJosé Núñez;jose@y.test\r\n';
const ROWS = [
	['Name', 'E-Mail'],
	['Käthe Müller', 'kaethe@x.test'],
	['José Núñez', 'jose@y.test'],
];

const broken = (whole: number) =>
	Uint8Array.from([...fileOf('Käthe,k@x.test\n'.repeat(whole)), 0xe4, ...fileOf('b,b@x.test\n')]);

describe('a list is read in whatever encoding the spreadsheet wrote it', () => {
	test.each([
		['UTF-8', fileOf(TEXT), 'utf-8'],
		['UTF-8 with a byte order mark', fileOf(`\uFEFF${TEXT}`), 'utf-8'],
		['UTF-16 LE with a mark (Excel: Unicode text)', fileOf(`\uFEFF${TEXT}`, 'utf16le'), 'utf-16le'],
		['UTF-16 LE without a mark', fileOf(TEXT, 'utf16le'), 'utf-16le'],
		['UTF-16 BE with a mark', utf16be(`\uFEFF${TEXT}`), 'utf-16be'],
		['UTF-16 BE without a mark', utf16be(TEXT), 'utf-16be'],
		['Windows-1252', fileOf(TEXT, 'latin1'), 'windows-1252'],
	])('%s', (_, file, encoding) => {
		expect(encodingOf(file)).toBe(encoding);
		expect(rowsOf(file)).toEqual(ROWS);
	});

	test('Windows-1252 has its own letters where Latin-1 has none', () => {
		const file = Uint8Array.from([...fileOf('Preis,Email\n'), 0x80, ...fileOf('5,a@x.test\n')]);
		expect(rowsOf(file)[1]).toEqual(['€5', 'a@x.test']);
	});

	test('one octet beyond ASCII at the end of a long file decides', () => {
		const ascii = 'a@x.test\n'.repeat(20_000);
		expect(encodingOf(fileOf(ascii))).toBe('utf-8');
		expect(encodingOf(fileOf(`${ascii}ü@x.test`, 'latin1'))).toBe('windows-1252');
		expect(encodingOf(fileOf(`${ascii}ü@x.test`))).toBe('utf-8');
	});

	test('a few broken letters do not break the others', () => {
		expect(encodingOf(broken(10))).toBe('utf-8');
		expect(encodingOf(broken(9))).toBe('windows-1252');
		expect(rowsOf(broken(10)).slice(9)).toEqual([
			['Käthe', 'k@x.test'],
			['\uFFFDb', 'b@x.test'],
		]);
		const cut = fileOf('Käthe,k@x.test\n'.repeat(10) + 'Jü').subarray(0, -1);
		expect(encodingOf(cut)).toBe('utf-8');
	});

	test('where the steps cut makes no difference, not even inside a letter or a line break', () => {
		const step = fc.integer({ min: 1, max: 40 });
		fc.assert(
			fc.property(step, fc.boolean(), (octets, isUtf16) => {
				const text = `Name;E-Mail\r\n"Käthe ""K"" 🙂\r\nMüller";kaethe@x.test\r\n;jose@y.test`;
				const file = isUtf16 ? fileOf(`\uFEFF${text}`, 'utf16le') : fileOf(text);
				expect(rowsOf(file, octets)).toEqual([
					['Name', 'E-Mail'],
					['Käthe "K" 🙂\nMüller', 'kaethe@x.test'],
					['', 'jose@y.test'],
				]);
			}),
		);
	});
});

test.each([
	['comma', 'name,email\nAda,ada@x.test\n', ','],
	['semicolon', 'name;email\nAda;ada@x.test\n', ';'],
	['tab', 'name\temail\nAda\tada@x.test\n', '\t'],
	['pipe, which an address may hold itself', 'name|email\nAda|ada@x.test\nBob|bob@x.test\n', '|'],
	['semicolon, with commas in the names', 'name;email\nLovelace, Ada;ada@x.test\nByron, G.;b@x.test\n', ';'],
	['comma, with quoted semicolons', 'name,email\n"a;b;c",ada@x.test\n"d;e;f",b@x.test\n', ','],
	['one address a line: none', 'ada@x.test\nbob@x.test\n', ','],
	['an address with a pipe among others: none', 'ada@x.test\nx|bob@x.test\ncy@x.test\n', ','],
	['no addresses: the one that cuts evenly', 'a;b,c\nd;e\nf;g\n', ';'],
	['nothing to part and no address', 'one\ntwo\n', ','],
	['semicolon, with two addresses in a cell', 'name;email\nAda;"a@x.test, b@x.test"\nBob;c@x.test\n', ';'],
	['what Excel says in the first line', 'sep=|\nname|email\nAda|ada@x.test\n', '|'],
	['a first line longer than what is looked at', `${'x'.repeat(70_000)};ada@x.test\n`, ';'],
])('the delimiter is the one that sets the addresses free: %s', (_, text, delimiter) => {
	expect(formatOf(fileOf(text)).delimiter).toBe(delimiter);
});

test.each([
	['LF', '\n'],
	['CRLF', '\r\n'],
	['CR', '\r'],
])('%s ends a line, with and without one at the end of the file', (_, end) => {
	const expected = [['email'], ['a@x.test'], ['b@x.test']];
	expect(rowsOf(fileOf(['email', 'a@x.test', 'b@x.test'].join(end)))).toEqual(expected);
	expect(rowsOf(fileOf(['email', 'a@x.test', 'b@x.test', ''].join(end)))).toEqual(expected);
});

test('CRLF and LF may be mixed, and a lone CR inside a cell stays', () => {
	expect(rowsOf(fileOf('n,email\r\na\rb,a@x.test\nc,b@x.test\r'))).toEqual([
		['n', 'email'],
		['a\rb', 'a@x.test'],
		['c', 'b@x.test\r'],
	]);
});

test.each([
	['quotes around a cell', '"a@x.test",b', ['a@x.test', 'b']],
	['a doubled quote', 'a@x.test,"say ""hi"""', ['a@x.test', 'say "hi"']],
	['a delimiter in quotes', 'a@x.test,"b,c"', ['a@x.test', 'b,c']],
	['a line break in quotes', 'a@x.test,"b\r\nc"', ['a@x.test', 'b\nc']],
	['a quote inside an unquoted cell', 'a@x.test,5" pipe', ['a@x.test', '5" pipe']],
	['spaces behind a closing quote', '"a@x.test" ,b', ['a@x.test', 'b']],
	["the line that names Excel's delimiter is no row", 'sep=;\na@x.test;n', ['a@x.test', 'n']],
])('%s', (_, line, cells) => {
	expect(rowsOf(fileOf(`${line}\nb@x.test,2\n`))[0]).toEqual(cells);
});

test.each([
	[' ada@x.test\t', 'ada@x.test'],
	["'+tag@x.test", '+tag@x.test'],
	["'=1@x.test", '=1@x.test'],
	["'ada@x.test", "'ada@x.test"],
	["O'Neil@x.test", "O'Neil@x.test"],
	['  ', ''],
	['ada@x.test,', 'ada@x.test'],
	['ada@x.test. ', 'ada@x.test'],
	['ada@x.test;bob@y.test', 'ada@x.test'],
	['ada@x.test, bob@y.test', 'ada@x.test'],
	['ada@x.test / bob@y.test', 'ada@x.test'],
	['"Doe, Jane" <ada@x.test>; Bob <bob@y.test>', 'ada@x.test'],
	['"a d"@x.test', '"a d"@x.test'],
	// Words are notes, and where the first is no address, the row may mean another one.
	['ada@x.test, on holiday', 'ada@x.test, on holiday'],
	['do not mail <ada@x.test>, use bob@y.test', 'do not mail <ada@x.test>, use bob@y.test'],
	['bob@x.test (old) <ada@x.test>', 'bob@x.test (old) <ada@x.test>'],
	['<ada@x.test> bounced <bob@y.test>', '<ada@x.test> bounced <bob@y.test>'],
	['ada@, bob@y.test', 'ada@, bob@y.test'],
	['ada@x,com', 'ada@x,com'],
])('the address in the cell %j is %j', (cell, text) => {
	expect(addressOf(cell)).toBe(text);
});

const pasted = (text: string) => atOnce(readPasted(text));

describe('every way to write addresses one after the other', () => {
	test.each<[string, string[], string?]>([
		[' a@x.test ,;\n\n| b@x.test,', ['a@x.test', 'b@x.test']],
		['<a@x.test>, <b@x.test>', ['a@x.test', 'b@x.test']],
		['mailto:a@x.test\nMAILTO:b@x.test', ['a@x.test', 'b@x.test']],
		['a@x.test,\n(b@x.test).', ['a@x.test', 'b@x.test']],
		// What is no address is kept, to be shown as left out.
		['nobody, a@x.test\nat home', ['nobody', 'a@x.test', 'at home']],
		['Jane Doe <jane@x.test>', ['jane@x.test'], 'Jane Doe'],
		['"Doe, Jane" <jane@x.test>', ['jane@x.test'], 'Doe, Jane'],
		['Doe, Jane <jane@x.test>', ['jane@x.test'], 'Doe, Jane'],
		['Jane Doe jane@x.test', ['jane@x.test'], 'Jane Doe'],
		['jane@x.test', ['jane@x.test']],
		['Jane "JD" <jane@x.test>', ['jane@x.test'], 'Jane "JD"'],
		['Jane " <jane@x.test>', ['jane@x.test'], 'Jane "'],
	])('%j is %j of the name %j', (text, found, name = '') => {
		expect(findMailboxes(text)).toEqual(found.map((one) => ({ text: one, name })));
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
