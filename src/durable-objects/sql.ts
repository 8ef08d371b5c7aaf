import { FLAG_COLUMNS, JSON_COLUMNS } from './account/schema.ts';

type Row = Record<string, SqlStorageValue>;

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

	/** Whether the account was ever opened, which makes its tables. */
	get isOpen(): boolean {
		return this.#run("SELECT 1 FROM sqlite_master WHERE name = 'account'", []).length === 1;
	}

	/** Makes the tables. */
	open(schema: string): void {
		this.#run(schema, []);
	}

	/**
	 * Runs a statement to its end. Rows are as they are stored, with JSON as text and 0 or 1 for false or true. In an account
	 * that was never opened nothing is found or changed: guessed ids create no objects.
	 */
	rows(query: string, ...bindings: readonly SqlStorageValue[]): Row[] {
		try {
			return this.#run(query, bindings);
		} catch (error) {
			if (this.isOpen) throw error;
			return [];
		}
	}

	#run(query: string, bindings: readonly SqlStorageValue[]): Row[] {
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
		this.#run(`${verb} INTO ${table} (${names.join(', ')}) VALUES (${marks})`, encoded(row));
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
