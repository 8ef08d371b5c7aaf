import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import * as schema from '../../../src/storage/schema.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const FOLDER = path.join(ROOT, 'migrations');

const NAMES = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.sql'))
	.toSorted();
const sqlOf = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');

// Migrations are applied before the new code, so the code that answers meets them during the trial and after a rollback:
// they only add. A column that no code uses may stay.

/** Whether code that does not know the statement works after it. */
function isAddition(statement: string, all: readonly string[]): boolean {
	if (/^CREATE (?:TABLE|INDEX)\b/i.test(statement)) return true;
	const [, , table] = /^CREATE UNIQUE INDEX (\S+) ON (\S+)/i.exec(statement) ?? [];
	// In a table that old code writes, a new rule could refuse a row.
	if (table !== undefined) return all.some((one) => one.startsWith(`CREATE TABLE ${table} `));
	if (/^ALTER TABLE \S+ ADD\b/i.test(statement))
		return !/\bNOT NULL\b/i.test(statement) || /\bDEFAULT\b/i.test(statement);
	const [, index] = /^DROP INDEX (\S+)$/i.exec(statement) ?? [];
	// The same migration makes it again.
	return index !== undefined && all.some((one) => one.startsWith(`CREATE INDEX ${index} `));
}

test.each(NAMES)('%s only adds', (name) => {
	const statements = sqlOf(name)
		.replaceAll(/--.*$/gm, '')
		.split(';')
		.map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
		.filter((statement) => statement !== '');
	expect(statements.filter((statement) => !isAddition(statement, statements))).toEqual([]);
});

test('the migrations make the tables that the code reads, with their columns and indexes', () => {
	const database = new DatabaseSync(':memory:');
	for (const name of NAMES) database.exec(sqlOf(name));
	const namesBy = (sql: string, table: string) =>
		database
			.prepare(sql)
			.all(table)
			.map(({ name }) => name as string)
			.toSorted();
	const tables = Object.values(schema)
		.filter((value) => is(value, SQLiteTable))
		.map((table) => getTableConfig(table));
	expect(tables.length).toBeGreaterThan(9);
	for (const { name, columns, indexes } of tables) {
		expect(namesBy('SELECT name FROM pragma_table_info(?)', name), name).toEqual(
			columns.map((column) => column.name).toSorted(),
		);
		const made = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL";
		expect(namesBy(made, name), name).toEqual(indexes.map(({ config }) => config.name).toSorted());
	}
});
