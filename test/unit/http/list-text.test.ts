import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import { KEPT_MAX, TEXT_MAX } from '../../../src/http/list-body.ts';
import { readListText } from '../../../src/http/list-text.ts';
import { UnreadableBody } from '../../../src/http/unreadable-body.ts';
import { errorOf } from '../../support/unit/bad-variable.ts';

const ELEMENTS_MAX = 1_000;

interface Sent {
	readonly type?: 'text/plain' | 'text/csv';
	readonly column?: string;
}

/** The elements of a list as text. */
function read(text: string | Uint8Array, { type = 'text/csv', column }: Sent = {}): readonly string[] {
	const octets = typeof text === 'string' ? new TextEncoder().encode(text) : text;
	return readListText(octets, type, ELEMENTS_MAX, column);
}

/** The refusal of a text: the parameter that is wrong, or else the code, and the message. */
function refusalOf(text: string | Uint8Array, sent: Sent = {}): readonly [string | undefined, string] {
	const error = errorOf(() => read(text, sent));
	if (error instanceof UnreadableBody) return [error.code, error.message];
	if (error instanceof ServiceError) return [error.details.param, error.message];
	throw error;
}

const PLAIN = { type: 'text/plain' } as const;

describe('lines', () => {
	test.each([
		['end in LF, CRLF or CR, or in nothing', 'a@x.test\nb@x.test\r\nc@x.test\rd@x.test'],
		['may be blank, which is no element', '\n\na@x.test\n \nb@x.test\n\r\nc@x.test\n\td@x.test\n\n'],
		['may begin with a byte order mark', '\uFEFFa@x.test\nb@x.test\nc@x.test\nd@x.test\n'],
	])('%s', (_, text) => {
		expect(read(text, PLAIN).map((line) => line.trim())).toEqual(
			['a', 'b', 'c', 'd'].map((name) => `${name}@x.test`),
		);
	});

	test('are kept as they are: cells, quotes and names are for the cleaning', () => {
		const lines = ['"a,b"@x.test', 'Ada <ada@x.test>', 'x', 'email;name', "'=1+1"];
		expect(read(lines.join('\n'), PLAIN)).toEqual(lines);
	});

	test('of UTF-16 are read as well', () => {
		expect(read(Buffer.from('\uFEFFä@x.test\nb@x.test', 'utf16le'), PLAIN)).toEqual(['ä@x.test', 'b@x.test']);
	});

	test.each([
		['after half a megabyte of ASCII', 600_000],
		['in the last line, without an end', 13],
		['across the end of a step', 640 * 1024 - 1],
	])('are read in their encoding where that shows %s, line by line and in CSV', (_, at) => {
		const list = `${''.padEnd(at - 13, `${' '.repeat(999)}\n`)}\njane@x.test\nämil@x.test`;
		const both = ['jane@x.test', 'ämil@x.test'];
		for (const encoding of ['utf8', 'latin1'] as const)
			for (const type of ['text/plain', 'text/csv'] as const)
				expect(read(Buffer.from(list, encoding), { type }), `${encoding} ${type}`).toEqual(both);
	});

	test('longer than any address are kept short, and different', () => {
		const [one, other] = read(`${'a'.repeat(5_000)}1\n${'a'.repeat(5_000)}2`, PLAIN);
		expect(one).not.toBe(other);
		expect(one?.length).toBeLessThan(KEPT_MAX + 100);
	});

	test('longer than a value of JSON may be are refused', () => {
		expect(refusalOf('a'.repeat(TEXT_MAX + 1), PLAIN)).toEqual([
			'invalid_body',
			'A line is longer than 32768 characters',
		]);
	});
});

test.each([PLAIN, {}])('a text with a NUL is none', (sent) => {
	expect(refusalOf('a@x.test\0\nb@x.test\n', sent)).toEqual([
		'invalid_body',
		'This is not a text file. Export the list as CSV (UTF-8).',
	]);
});

describe('the column of a CSV', () => {
	const PEOPLE = 'Name,Email,Owner email\nAda,ada@x.test,boss@y.test\nBob,bob@x.test,boss@y.test\n';
	const ONE = 'Name,Email,Note\nAda,ada@x.test,\nBob,,"a, b"\n,bob@x.test,see c@x.test\n';

	test.each<[string, string, Sent, readonly string[]]>([
		['is the one that holds addresses', ONE, {}, ['ada@x.test', '', 'bob@x.test']],
		['is the only one, with a header', 'E-Mail\nada@x.test\n', {}, ['ada@x.test']],
		['is the only one, without a header', 'ada@x.test\nno address\n', {}, ['ada@x.test', 'no address']],
		['is named', PEOPLE, { column: ' owner EMAIL' }, ['boss@y.test', 'boss@y.test']],
		['is numbered', PEOPLE, { column: '2' }, ['ada@x.test', 'bob@x.test']],
		['is numbered without a header', 'a@x.test,b@x.test', { column: '2' }, ['b@x.test']],
		[
			'is numbered where the first row of data holds that number',
			'2,a@x.test\n3,b@x.test',
			{ column: '2' },
			['a@x.test', 'b@x.test'],
		],
		[
			'is cleaned as that of a file',
			'email\r\n\'+a@x.test\r\n"b@x.test; c@x.test"\r\nd@x.test.',
			{},
			['+a@x.test', 'b@x.test', 'd@x.test'],
		],
		['is named by a header that is a number', '2,1\na@x.test,b@x.test', { column: '2' }, ['a@x.test']],
		['is in a row of other delimiters', 'n;e\n1;ada@x.test\n', {}, ['ada@x.test']],
		['is between quotes over lines', 'n,e\n"a\nb",ada@x.test\n', {}, ['ada@x.test']],
		['is in rows that end in CR', 'n,e\r1,ada@x.test\r', {}, ['ada@x.test']],
		['is in rows of which some are blank', 'n,e\n\n,\n1,ada@x.test\n', {}, ['ada@x.test']],
		['holds nothing below its name', 'n,email\n', {}, []],
	])('%s', (_, text, sent, emails) => {
		expect(read(text, sent)).toEqual(emails);
	});

	/** The refusal of a list of which so many columns may be meant. */
	const several = (columns: string): [string, string] => {
		const number = columns.charAt(0);
		const words = `several columns may be meant: ${columns}. Choose one by its number, such as ?column=${number}`;
		return ['column', `Missing parameter: column: ${words}`];
	};
	const noSuchColumn = 'there is no such column. The list has 1 (Name), 2 (Email), 3 (Note)';
	const joined =
		'Row 2 has a misplaced quotation mark ("), which may join it with the rows below. Correct it.';
	const open = 'Row 2 opens a quotation mark (") that is never closed. Close or remove it.';
	const noText = 'This is not a text file. Export the list as CSV (UTF-8).';
	const REPS = 'email,rep\nn/a,rep1@x.test\nn/a,rep1@x.test\ncall,rep2@x.test\nann@y.test,rep2@x.test\n';
	const FAR_BELOW =
		`billing,contact\n${'a@x.test,\n'.repeat(500)}${'x'.repeat(50_000)},\n` +
		`${`${'y'.repeat(60_000)},\n`.repeat(9)},b@x.test\n`;
	const JOINED = 'email,note\na@x.test,"foo" bar\nb@x.test,ok\nc@x.test,"x"\nd@x.test,y\n';
	const TWINS = 'Email,Email\na@x.test,b@x.test\n';

	test.each<[string, string, Sent, readonly [string, string]]>([
		['several hold addresses', PEOPLE, {}, several('2 (Email), 3 (Owner email)')],
		['another holds an address, however few', REPS, {}, several('1 (email), 2 (rep)')],
		['another holds an address far below', FAR_BELOW, {}, several('1 (billing), 2 (contact)')],
		['several have the name', TWINS, { column: 'email' }, several('1 (Email), 2 (Email)')],
		['there is none', ONE, { column: '4' }, ['column', `Invalid parameter: column: ${noSuchColumn}`]],
		['a quotation mark may have joined rows', JOINED, {}, ['invalid_body', joined]],
		['a quotation mark stays open', 'n,e\n"a,ada@x.test\n', {}, ['invalid_body', open]],
		['it is a workbook', 'PK\u0003\u0004…', {}, ['invalid_body', noText]],
	])('is not read where %s', (_, text, sent, refusal) => {
		expect(refusalOf(text, sent)).toEqual(refusal);
	});

	test('is found by the first rows of a long list, and read to its end', () => {
		const wide = 'x'.repeat(2_000);
		const rows = Array.from({ length: ELEMENTS_MAX }, (_, n) => `${wide},user${n}@x.test`);
		const emails = read(`note,email\n${rows.join('\n')}`);
		expect(emails).toHaveLength(ELEMENTS_MAX);
		expect(emails.at(-1)).toBe('user999@x.test');
	});
});

test.each([PLAIN, {}])(
	'of too many elements one more than a list may have is read, which is refused',
	(sent) => {
		const text = Array.from({ length: 2 * ELEMENTS_MAX }, (_, n) => `user${n}@x.test\n`).join('');
		expect(read(text, sent)).toHaveLength(ELEMENTS_MAX + 1);
	},
);
