import { assert } from '../lib/assert.ts';

export type Row = Record<string, SqlStorageValue>;

/** The object's database, counting what Cloudflare bills. */
export class Sql {
	readonly #sql: SqlStorage;
	/** Rows written since the object woke up; what the cost tests count. */
	rowsWritten = 0;
	/** Rows read since then. */
	rowsRead = 0;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
	}

	/** Runs a statement to its end. */
	rows(query: string, ...bindings: SqlStorageValue[]): Row[] {
		const cursor = this.#sql.exec<Row>(query, ...bindings);
		const rows = cursor.toArray();
		this.rowsWritten += cursor.rowsWritten;
		this.rowsRead += cursor.rowsRead;
		return rows;
	}

	/** Rows whose columns are named like the fields of `T`. */
	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the table holds
	all<T>(query: string, ...bindings: SqlStorageValue[]): T[] {
		return this.rows(query, ...bindings) as T[];
	}
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
