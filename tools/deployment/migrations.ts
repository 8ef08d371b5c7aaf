import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// A migration either adds, and comes before the code that needs it; or it takes away, and comes after the code that has
// stopped to use it. So code never meets a table that it does not understand.

/** The first line of a migration that takes away. */
export const TAKES_AWAY = '-- Takes away: applied after the code that no longer uses it.';

export interface Migration {
	/** The name of its file, by which the database knows that it has it. */
	readonly name: string;
	readonly file: string;
	readonly kind: 'adds' | 'takes_away';
}

/** The migrations of a folder, in their order. Throws where a first line and the statements below say different things. */
export function readMigrations(folder = 'migrations'): readonly Migration[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.sql'))
		.toSorted()
		.map((name) => {
			const file = path.join(folder, name);
			const sql = readFileSync(file, 'utf8');
			const kind = sql.startsWith(TAKES_AWAY) ? 'takes_away' : 'adds';
			const strange = strangeIn(sql, kind);
			if (strange !== undefined)
				throw new Error(
					kind === 'adds'
						? `${name} begins as one that adds, and old code may not bear: ${strange}`
						: `${name} takes away, and adds as well: ${strange}`,
				);
			return { name, file, kind };
		});
}

/** The first statement that does not belong into a migration of this kind. */
function strangeIn(sql: string, kind: Migration['kind']): string | undefined {
	const statements = sql
		.replaceAll(/--.*$/gm, '')
		.split(';')
		.map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
		.filter((statement) => statement !== '');
	return statements.find((statement) => isAddition(statement, statements) !== (kind === 'adds'));
}

/** Whether code that does not know of the statement works on after it. */
function isAddition(statement: string, all: readonly string[]): boolean {
	if (/^CREATE (?:TABLE|INDEX)\b/i.test(statement)) return true;
	const [, , table] = /^CREATE UNIQUE INDEX (\S+) ON (\S+)/i.exec(statement) ?? [];
	// What old code writes into a table that it knows could be refused by a new rule.
	if (table !== undefined) return all.some((one) => one.startsWith(`CREATE TABLE ${table} `));
	if (/^ALTER TABLE \S+ ADD\b/i.test(statement))
		return !/\bNOT NULL\b/i.test(statement) || /\bDEFAULT\b/i.test(statement);
	const [, index] = /^DROP INDEX (\S+)$/i.exec(statement) ?? [];
	// Made anew in the same migration.
	return index !== undefined && all.some((one) => one.startsWith(`CREATE INDEX ${index} `));
}

/**
 * A folder with these migrations and a configuration that leads Wrangler to it: its own command knows one folder, and
 * applies all that it finds there. Returns the configuration's path.
 */
export function stageMigrations(
	migrations: readonly Migration[],
	target: { readonly worker: string; readonly database: string; readonly accountId: string | null },
	to: string,
): string {
	rmSync(to, { recursive: true, force: true });
	mkdirSync(path.join(to, 'migrations'), { recursive: true });
	for (const { name, file } of migrations) cpSync(file, path.join(to, 'migrations', name));
	const config = path.join(to, 'wrangler.json');
	const database = { binding: 'DB', database_name: target.database, migrations_dir: 'migrations' };
	writeFileSync(
		config,
		JSON.stringify({
			name: target.worker,
			...(target.accountId === null ? {} : { account_id: target.accountId }),
			d1_databases: [database],
		}),
	);
	return config;
}
