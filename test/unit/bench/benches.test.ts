import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BENCHES } from '../../bench/benches.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

test('the document has one place for each bench, and for nothing else', () => {
	const text = readFileSync(path.join(ROOT, 'docs/performance.md'), 'utf8');
	const names = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);
	const expected = Object.keys(BENCHES).toSorted();
	expect(names(/^<!-- bench (\w+) -->$/gm).toSorted()).toEqual(expected);
	expect(names(/^<!-- end (\w+) -->$/gm).toSorted()).toEqual(expected);
});

test('the product depends on nothing that only the benches need', () => {
	type Package = Readonly<Record<string, Readonly<Record<string, string>>>>;
	const read = (file: string): Package => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as Package;
	const product = read('package.json');
	const ours = new Set(Object.keys({ ...product['dependencies'], ...product['devDependencies'] }));
	const theirs = Object.keys(read('test/bench/package.json')['dependencies'] ?? {});
	expect(theirs.length).toBeGreaterThan(0);
	expect(theirs.filter((name) => ours.has(name))).toEqual([]);
});
