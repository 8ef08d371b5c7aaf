import assert from 'node:assert/strict';
import { unzipSync, zipSync } from 'fflate';
import { ListRows } from '../../../src/core/upload/list-rows.ts';
import { ROWS_MAX } from '../../../src/core/upload/file-kind.ts';
import { RowReader } from '../../../src/core/upload/text.ts';
import { readPasted } from '../../../src/core/upload/upload.ts';
import type { ListFile } from '../../../src/core/upload/upload.ts';
import { atOnce } from '../../../src/lib/slots.ts';
import { listFileOf, workbookOf } from '../unit/workbooks.ts';
import { mutated, orRefused } from './target.ts';
import type { FuzzTarget } from './target.ts';

// The lists that people upload and paste.

const CSV_FILES = [
	'Name;E-Mail\r\nKäthe;kaethe@x.test\r\n"A; ""B""";a@x.test\r\n',
	'\uFEFFemail,note\nada@x.test,"two\nlines"\nbob@x.test,=1+1\n',
	'sep=|\nemail|phone\nada@x.test|+49151\n',
];
const CSV_WORDS = [',', ';', '\t', '|', '"', '""', '\n', '\r', 'sep=,\n', '@', '\uFEFF', 'ada@x.test'];

function preview({ text, inspection: { format, column, hasHeader } }: ListFile): void {
	const rows = new RowReader(format, hasHeader);
	const counts = new ListRows(column);
	counts.add(rows.push(text));
	counts.add(rows.end());
	const { addresses, duplicates, malformed, empty, rows: all } = counts.preview().counts;
	assert(all <= ROWS_MAX);
	assert.equal(addresses + duplicates + malformed + empty, all, 'each row is one of the four');
}

const csv: FuzzTarget = {
	name: 'CSV files',
	input: mutated(CSV_FILES, CSV_WORDS),
	read: (input) => {
		const file = orRefused(() => listFileOf(input));
		if (file !== null) orRefused(() => preview(file));
	},
};

const pasted: FuzzTarget = {
	name: 'pasted addresses',
	input: mutated(
		['Ada <ada@x.test>, "B, b" <bob@x.test>; c@x.test\nd@x.test', 'name\temail\nAda\tada@x.test\n'],
		[...CSV_WORDS, '<', '>', 'mailto:', '(', ')'],
	),
	read: (input) => {
		const file = orRefused(() => atOnce(readPasted(new TextDecoder().decode(input))));
		if (file !== null) orRefused(() => preview(file));
	},
};

const BOOK = workbookOf(
	[
		{
			name: 'One',
			rows: [
				['Name', 'Email', 'Since'],
				['Ada', 'ada@x.test', { xml: '<c s="1"><v>45000.5</v></c>' }],
				[null, { xml: '<c t="s"><v>0</v></c>' }, 3],
			],
		},
		{ name: 'Two', rows: [['bob@x.test']] },
	],
	{ formats: ['yyyy-mm-dd'], shared: ['<t>eve@x.test</t>'] },
);

const archives: FuzzTarget = {
	name: 'XLSX archives',
	input: mutated([BOOK]),
	read: (input) => orRefused(() => listFileOf(input)),
};

const PARTS = unzipSync(BOOK);
const SHEET = 'xl/worksheets/sheet1.xml';
const XML_WORDS = [
	'<c r="ZZZ99999999">',
	'</c>',
	'<row r="1048577">',
	'&amp;',
	'&#x0;',
	'&lol;',
	'<!DOCTYPE a [<!ENTITY b "c">]>',
	']]>',
	'<is><t>',
	' t="s"',
	' s="99"',
	'<v>1e308</v>',
];

const sheets: FuzzTarget = {
	name: 'sheets of a workbook',
	heavy: 10,
	input: mutated([PARTS[SHEET] ?? ''], XML_WORDS),
	read: (input) => orRefused(() => listFileOf(zipSync({ ...PARTS, [SHEET]: input }, { level: 0 }))),
};

export const FILE_TARGETS: readonly FuzzTarget[] = [csv, pasted, archives, sheets];
