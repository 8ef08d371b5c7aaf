import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { storedStyles, styleFiles, styleSheet } from '../../support/dashboard/style-sheet.ts';

test('every file of styles is served, once', () => {
	const served = styleFiles().map(({ name }) => name);
	expect(served.toSorted()).toEqual(storedStyles().toSorted());
});

test('no file of styles is longer than 300 lines', () => {
	const long = styleFiles().filter(({ text }) => text.split('\n').length > 300);
	expect(long.map(({ name }) => name)).toEqual([]);
});

test('the whole sheet is at most 12 KB when packed', () => {
	expect(gzipSync(styleSheet()).length).toBeLessThan(12_000);
});
