import { assert } from '../lib/assert.ts';
import { FLAG_COLUMNS, JSON_COLUMNS } from './account/schema.ts';

export type Row = Record<string, SqlStorageValue>;

/** The object's database, counting what Cloudflare bills. Columns are named like fields, so rows need no mappers. */
export class Sql {
	readonly #sql: SqlStorage;
	/** Rows written since the object woke up; what the cost tests count. */
	rowsWritten = 0;
	/** Rows read since then. */
	rowsRead = 0;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
	}

	/** Runs a statement to its end. Rows are as they are stored, with JSON as text and 0 or 1 for false or true. */
	rows(query: string, ...bindings: readonly SqlStorageValue[]): Row[] {
		const cursor = this.#sql.exec<Row>(query, ...bindings);
		const rows = cursor.toArray();
		this.rowsWritten += cursor.rowsWritten;
		this.rowsRead += cursor.rowsRead;
		return rows;
	}

	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the table holds
	all<T>(query: string, ...bindings: readonly SqlStorageValue[]): T[] {
		return this.rows(query, ...bindings).map((row) => decoded(row) as T);
	}

	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the table holds
	first<T>(query: string, ...bindings: readonly SqlStorageValue[]): T | null {
		return this.all<T>(query, ...bindings)[0] ?? null;
	}

	insert(table: string, row: object): void {
		this.#insert('INSERT', table, row);
	}

	/** Inserts a row, or replaces the one of its key. */
	put(table: string, row: object): void {
		this.#insert('INSERT OR REPLACE', table, row);
	}

	/** Changes the rows whose columns have all of these values. */
	update(table: string, which: Row, changes: object): void {
		const [names, keys] = [Object.keys(changes), Object.keys(which)];
		const set = names.map((name) => `${name} = ?`).join(', ');
		const where = keys.map((name) => `${name} = ?`).join(' AND ');
		this.rows(`UPDATE ${table} SET ${set} WHERE ${where}`, ...encoded(changes), ...Object.values(which));
	}

	#insert(verb: string, table: string, row: object): void {
		const names = Object.keys(row);
		const marks = names.map(() => '?').join(', ');
		this.rows(`${verb} INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...encoded(row));
	}
}

function encoded(row: object): SqlStorageValue[] {
	return Object.values(row).map((value: unknown) => {
		if (typeof value === 'boolean') return value ? 1 : 0;
		return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlStorageValue);
	});
}

function decoded(row: Row): Record<string, unknown> {
	const fields: Record<string, unknown> = row;
	for (const [name, value] of Object.entries(row)) {
		if (FLAG_COLUMNS.has(name)) fields[name] = value === 1;
		else if (JSON_COLUMNS.has(name) && typeof value === 'string') fields[name] = JSON.parse(value);
	}
	return fields;
}

export function numberOf(row: Row, column: string): number {
	const value = row[column];
	assert(typeof value === 'number', `${column} is a number`);
	return value;
}

export function numberOrNull(value: SqlStorageValue | undefined): number | null {
	return value === null || value === undefined ? null : Number(value);
}

export function textOf(row: Row, column: string): string {
	const value = row[column];
	assert(typeof value === 'string', `${column} is text`);
	return value;
}

export function textOrNull(row: Row, column: string): string | null {
	return row[column] === null ? null : textOf(row, column);
}

/** JSON that this object wrote itself. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what was written
export function jsonOf<T>(row: Row, column: string): T {
	return JSON.parse(textOf(row, column)) as T;
}
