import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The table of clauses in README.md names files of tests; a file that is renamed must be renamed there too.

const CONTRACT = path.join(import.meta.dirname, '../contract');
const rows = readFileSync(path.join(CONTRACT, 'README.md'), 'utf8')
	.split('\n')
	.filter((line) => line.startsWith('| ') && !line.startsWith('| Rule'));
const named = new Set(
	rows.flatMap((row) => [...row.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file)),
);

test('each row names files that exist', () => {
	expect(rows.length).toBeGreaterThan(60);
	expect(rows.filter((row) => !/\.test\.ts`|support\//.test(row))).toEqual([]);
	expect([...named].filter((file) => !existsSync(path.join(CONTRACT, file)))).toEqual([]);
});

test('every file of tests holds a clause of the table', () => {
	const files = readdirSync(CONTRACT).filter((name) => name.endsWith('.test.ts'));
	expect(files.filter((name) => !named.has(name))).toEqual([]);
});
