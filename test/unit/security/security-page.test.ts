import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// docs/security.md names a test for each attack: it must be there, under that name.

const ROOT = path.join(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const lines = [...read('docs/security.md').matchAll(/^\| ([^|]+) \| `(test\/[^`]+)` \| ([^|]+) \|$/gm)].map(
	([, attack = '', file = '', promise = '']) => ({ attack, file, promise }),
);

test('the page names a test for sixty attacks or so', () => {
	expect(lines.length).toBeGreaterThan(55);
	const rows = read('docs/security.md').split('## Attacks')[1]?.match(/^\| /gm) ?? [];
	// All but the head of the table: none is written so that it is passed over here.
	expect(lines).toHaveLength(rows.length - 1);
});

test.each(lines)('$attack: the test is there', ({ file, promise }) => {
	expect(existsSync(path.join(ROOT, file)), file).toBe(true);
	const named = [`'${promise}`, `"${promise}`, `\`${promise}`].some((title) => read(file).includes(title));
	expect(named, `${file} has no promise that begins with: ${promise}`).toBe(true);
});
