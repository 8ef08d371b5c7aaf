import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { storedStyles, styleFiles, styleSheet } from '../../support/dashboard/style-sheet.ts';

test('every file of styles is served, once', () => {
	const served = styleFiles().map(({ name }) => name);
	expect(served.toSorted()).toEqual(storedStyles().toSorted());
});

test('docs/design-system.md says what each file of styles holds', () => {
	const told = readFileSync(path.join(import.meta.dirname, '../../../docs/design-system.md'), 'utf8');
	const table = told.split('\n').filter((line) => line.startsWith('| `'));
	expect(storedStyles().filter((name) => !table.some((line) => line.includes(`\`${name}\``)))).toEqual([]);
});

test('no file of styles is longer than 300 lines', () => {
	const long = styleFiles().filter(({ text }) => text.split('\n').length > 300);
	expect(long.map(({ name }) => name)).toEqual([]);
});

// Each size of type with its line, as docs/design-system.md lists them.
const SCALE = [
	['13px', '18px'],
	['14px', '20px'],
	['18px', '26px'],
	['28px', '36px'],
	['40px', '44px'],
];

test('there are five sizes of type, and the sheet has no other', () => {
	const type = styleFiles().find(({ name }) => name === 'type')?.text ?? '';
	const stated = (what: string) =>
		[...type.matchAll(new RegExp(`--${what}-[a-z]+: (\\S+);`, 'g'))].map(([, value]) => value);
	expect(stated('size')).toEqual(SCALE.map(([size]) => size));
	expect(stated('line')).toEqual(SCALE.map(([, line]) => line));
	const others = [...styleSheet().matchAll(/\bfont(?:-size)?:\s*([^;]+);/g)].map(([, value = '']) => value);
	expect(others.length).toBeGreaterThan(10);
	expect(others.filter((value) => !/^(?:inherit|var\(--size-[a-z]+\))$/.test(value))).toEqual([]);
});

test('the whole sheet is at most 14 KB when packed', () => {
	expect(gzipSync(styleSheet()).length).toBeLessThan(14_000);
});
