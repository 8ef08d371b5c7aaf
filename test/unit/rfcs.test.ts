import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCitations, renderRfcs, RFC_TITLES } from '../../tools/rfcs.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const { citations, odd } = readCitations(ROOT);

describe('an RFC that the code cites', () => {
	test('is written as `RFC 5321 §4.2.1`, so that it can be found', () => {
		expect(odd).toEqual([]);
		expect(citations.length).toBeGreaterThan(200);
	});

	test('is one that we know', () => {
		expect(
			[...new Set(citations.map(({ rfc }) => rfc))].filter((rfc) => RFC_TITLES[rfc] === undefined),
		).toEqual([]);
	});

	test('stands in docs/rfcs.md with its clause and its file (`npm run update:rfcs` writes it)', () => {
		expect(readFileSync(path.join(ROOT, 'docs/rfcs.md'), 'utf8')).toBe(renderRfcs(citations));
	});
});
