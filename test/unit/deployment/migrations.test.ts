import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TAKES_AWAY, readMigrations } from '../../../tools/deployment/migrations.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const FOLDER = path.join(ROOT, 'migrations');

test('the database begins with one migration, which adds', () => {
	expect(readMigrations(FOLDER).map(({ kind }) => kind)).toEqual(['adds']);
});

describe('a migration', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'migrations-'));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	const kindOf = (sql: string): string | undefined => {
		writeFileSync(path.join(folder, '0000_one.sql'), sql);
		return readMigrations(folder)[0]?.kind;
	};

	test.each([
		['a table', 'CREATE TABLE `a` (`id` text PRIMARY KEY NOT NULL);'],
		['an index', 'CREATE INDEX `a_b` ON `a` (`b`);'],
		[
			'a table with an index that allows each value once',
			'CREATE TABLE `a` (`b` text);CREATE UNIQUE INDEX `a_b` ON `a` (`b`);',
		],
		['a column that may be empty', 'ALTER TABLE `a` ADD `b` text;'],
		['a column with a default', 'ALTER TABLE `a` ADD `b` integer NOT NULL DEFAULT 0;'],
		[
			'an index made anew',
			'DROP INDEX `a_b`;\n--> statement-breakpoint\nCREATE INDEX `a_b` ON `a` (lower(`b`));',
		],
	])('may add %s', (_, sql) => {
		expect(kindOf(sql)).toBe('adds');
		expect(() => kindOf(`${TAKES_AWAY}\n${sql}`)).toThrow('0000_one.sql takes away, and adds as well');
	});

	test.each([
		['a column', 'ALTER TABLE `a` DROP COLUMN `b`;'],
		['a table', 'DROP TABLE `a`;'],
		['an index', 'DROP INDEX `a_b`;'],
		['a name', 'ALTER TABLE `a` RENAME TO `c`;'],
		['the liberty to leave a column out', 'ALTER TABLE `a` ADD `b` text NOT NULL;'],
		['the liberty to repeat a value', 'CREATE UNIQUE INDEX `a_b` ON `a` (`b`);'],
		['rows', 'DELETE FROM `a`;'],
	])('that takes away %s says so in its first line', (_, sql) => {
		expect(kindOf(`${TAKES_AWAY}\n${sql}`)).toBe('takes_away');
		expect(() => kindOf(sql)).toThrow('0000_one.sql begins as one that adds');
	});

	test('does not do both', () => {
		const both = 'CREATE TABLE `c` (`id` text);\nDROP TABLE `a`;';
		expect(() => kindOf(both)).toThrow('begins as one that adds');
		expect(() => kindOf(`${TAKES_AWAY}\n${both}`)).toThrow('and adds as well');
	});
});
