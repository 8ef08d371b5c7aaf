import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	keyOf,
	openList,
	PART_EMAILS_MAX,
	partsOf,
	rowsOf,
} from '../../../clients/typescript/src/cli/bulk/list.ts';
import { RowWriter } from '../../../clients/typescript/src/cli/bulk/cells.ts';
import { collected } from '../../support/unit/list-files.ts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'mailsonar-list-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(content: string | Uint8Array): string {
	const file = path.join(folder, 'list.csv');
	writeFileSync(file, content);
	return file;
}

async function partsIn(file: string, column?: string) {
	return collected(partsOf(await openList(file, column), new Set()));
}
const emailsOf = async (...of: Parameters<typeof partsIn>) => (await partsIn(...of)).flat();

describe('the column', () => {
	const THREE = 'Name,E-Mail,Other\nA,a@x.test,b@x.test\n';
	test.each([
		['is found by its name, whatever its case', THREE, 'other', ['b@x.test']],
		['is found by its number', THREE, '3', ['b@x.test']],
		['by number needs none either', 'A,a@x.test\nB,b@x.test\n', '2', ['a@x.test', 'b@x.test']],
		['by number is no name in a row of data', '2,a@x.test\n3,b@x.test\n', '2', ['a@x.test', 'b@x.test']],
		['that is named is below its name, even without addresses', 'Name,Kind\nA,none\n', 'kind', ['none']],
		["can hold a formula's apostrophe", "email\n'+tag@x.test\n", undefined, ['+tag@x.test']],
	])('%s', async (_, text, column, emails) => expect(await emailsOf(fileOf(text), column)).toEqual(emails));

	test.each([
		['an unknown name', 'email\na@x.test\n', 'mail address', /The file has: email/],
		['no addresses', 'a,b\n1,2\n', undefined, /Name it with --column/],
		['two columns of the name', 'mail,mail\na@x.test,b@x.test\n', 'mail', /Choose one by its number/],
		['a workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 5), undefined, /Excel workbook/],
		['nothing', '', undefined, /empty/],
		['a quotation mark that is never closed', 'email\n"a@x.test\nb@x.test\n', undefined, /never closed/],
	])('%s is told in words', async (_, content, column, words) => {
		await expect(emailsOf(fileOf(content), column)).rejects.toThrow(words);
	});

	test('no message speaks of uploads, since nobody uploads here', async () => {
		for (const content of ['', 'email\n"a@x.test\n', Uint8Array.of(0x1f, 0x8b, 1)])
			await expect(emailsOf(fileOf(content))).rejects.toThrow(/^(?:(?!upload).)*$/s);
	});
});

test.each([
	['windows-1252', 'latin1', 1_300_000],
	['utf-8', 'utf8', 1_300_000],
	['utf-8, across the end of the sample', 'utf8', 1024 * 1024 - 1],
] as const)('letters of %s are read as such, however late they come', async (name, encoding, at) => {
	const text = `${'name,email\n'.padEnd(at - 2, 'x,a@x.test\n')}\nJörg,j@x.test\n`;
	const list = await openList(fileOf(Buffer.from(text, encoding)), undefined);
	expect(name).toContain(list.format.encoding);
	expect((await collected(rowsOf(list))).at(-1)?.cells).toEqual(['Jörg', 'j@x.test']);
});

describe('a list', () => {
	test('of more than 50,000 different addresses is several jobs, and no address is in two', async () => {
		const emails = Array.from({ length: PART_EMAILS_MAX + 1 }, (_, n) => `u${n}@x.test`);
		const file = fileOf(`email\n${[...emails, ...emails].join('\n')}\n`);
		const parts = await partsIn(file);
		expect(parts.map(({ length }) => length)).toEqual([PART_EMAILS_MAX, 1]);
		expect(parts.flat()).toEqual(emails);
	});

	test('of long addresses is cut so that each body fits into 14 MiB', async () => {
		const long = (n: number): string => `${'ü'.repeat(200)}${n}@x.test`;
		const file = fileOf(`email\n${Array.from({ length: 50_000 }, (_, n) => long(n)).join('\n')}\n`);
		const parts = await partsIn(file, 'email');
		expect(parts.length).toBeGreaterThan(1);
		for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(14 * 1024 * 1024);
	});

	test.each([
		['a@x.test,A,B\n', 'column_1,column_2,column_3'],
		['email\na@x.test,A\n', 'email,column_2'],
	])('%j has a name above each of its columns, and ours after them', async (text, names) =>
		expect(new RowWriter(await openList(fileOf(text), undefined)).header()).toMatch(`${names},status,`),
	);

	test.each([
		['Ada@X.test', ' ada@x.TEST'],
		['jo@bücher.test', 'jo@xn--bcher-kva.test'],
		['jose\u0301@x.test', 'jos\u00E9@x.test'],
		['not an address', 'NOT an address '],
	])('%j and %j are one', (a, b) => expect(keyOf(a)).toBe(keyOf(b)));
});
