import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The table of clauses in README.md names tests; a test that is renamed must be renamed there too.

const HERE = import.meta.dirname;
const rows = readFileSync(path.join(HERE, 'README.md'), 'utf8')
	.split('\n')
	.filter((line) => line.startsWith('|') && line.includes('.test.ts`: '));

/** The tests that a row names, each with its file. */
function namedIn(row: string): { file: string; name: string }[] {
	return row.split('; `').flatMap((part) => {
		const [, file = '', rest = ''] = /([\w-]+\.test\.ts)`: (.*)$/.exec(part) ?? [];
		const names = [...rest.matchAll(/``(.+?) ``|`([^`]+)`/g)].map((match) => match[1] ?? match[2] ?? '');
		return file === '' ? [] : names.map((name) => ({ file, name }));
	});
}

test('every test that the table names exists', () => {
	const named = rows.flatMap(namedIn);
	expect(named.length).toBeGreaterThan(60);
	const missing = named.filter(({ file, name }) => {
		const source = readFileSync(path.join(HERE, file), 'utf8');
		return !source.includes(`'${name}'`) && !source.includes(`"${name}"`);
	});
	expect(missing).toEqual([]);
});

test('every file of tests holds a clause of the table', () => {
	const files = readdirSync(HERE).filter((name) => name.endsWith('.test.ts') && name !== 'readme.test.ts');
	const named = new Set(rows.flatMap(namedIn).map(({ file }) => file));
	expect(files.filter((name) => !named.has(name))).toEqual([]);
});
