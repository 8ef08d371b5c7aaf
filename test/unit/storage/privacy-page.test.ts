import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { ACCOUNT_SCHEMA } from '../../../src/durable-objects/account/schema.ts';
import * as schema from '../../../src/storage/schema.ts';

// docs/privacy.md says what is kept where, so it has to know every place.

const ROOT = path.join(import.meta.dirname, '../../..');
const page = readFileSync(path.join(ROOT, 'docs/privacy.md'), 'utf8');

test('every table of the database is on the page about personal data', () => {
	const tables = Object.values(schema)
		.filter((value) => is(value, SQLiteTable))
		.map((table) => getTableName(table));
	expect(tables.length).toBeGreaterThan(9);
	expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every table of an account is on the page, too', () => {
	const tables = [...ACCOUNT_SCHEMA.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name);
	expect(tables.length).toBeGreaterThan(9);
	expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the tests that the page names are there', () => {
	const named = [...page.matchAll(/`(test\/[\w./-]+)`/g)].map(([, name = '']) => name);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});
