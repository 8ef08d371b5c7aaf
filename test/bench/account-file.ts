import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { CreditStorage } from '../../src/durable-objects/account/credits/storage.ts';
import type { AccountContext } from '../../src/durable-objects/account/context.ts';
import { AccountJobs } from '../../src/durable-objects/account/jobs/jobs.ts';
import { Outbox } from '../../src/durable-objects/account/tell/outbox.ts';
import { jobEnded } from '../../src/durable-objects/account/tell/news.ts';
import { Sql } from '../../src/durable-objects/sql.ts';
import { renderAccepted } from '../../src/http/schemas/task.ts';
import { renderEvent } from '../../src/http/schemas/webhook.ts';

/** The database of an account in a file, without the object around it. */
export interface AccountFile {
	readonly account: AccountContext;
	/** Everything or nothing, as each call of the object. */
	readonly transact: (work: () => unknown) => void;
	readonly run: (query: string, ...bindings: (string | number)[]) => readonly object[];
	readonly close: () => void;
}

/** Opens a file as the database of an account. */
export function openAccountFile(path: string, now: () => number): AccountFile {
	const database = new DatabaseSync(path);
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
	const statements = new Map<string, StatementSync>();
	const run = (query: string, ...bindings: SQLInputValue[]): readonly object[] => {
		// Migrations are several statements.
		if (bindings.length === 0 && /;\s*\S/.test(query)) {
			database.exec(query);
			return [];
		}
		let statement = statements.get(query);
		if (statement === undefined) statements.set(query, (statement = database.prepare(query)));
		return statement.all(...bindings);
	};
	const exec = (query: string, ...bindings: SQLInputValue[]) => {
		const rows = run(query, ...bindings);
		return { toArray: () => rows, rowsRead: 0, rowsWritten: 0 };
	};
	const sql = new Sql({ exec } as unknown as SqlStorage);
	const credits = new CreditStorage(sql, now, () => 86_400_000);
	const wakeBy = (): void => {};
	const outbox = new Outbox(sql, wakeBy);
	const render: AccountContext['render'] = (event) => renderEvent(event, false);
	const account = {
		sql,
		credits,
		jobs: new AccountJobs(credits, sql, {
			wakeBy,
			renderAccepted,
			ended: (job, at) => jobEnded({ sql, credits, outbox, render }, job, at),
		}),
		outbox,
		render,
		now,
		wakeBy,
		alarmAt: () => null,
	};
	const transact = (work: () => unknown): void => {
		database.exec('BEGIN');
		try {
			work();
			database.exec('COMMIT');
		} catch (error) {
			database.exec('ROLLBACK');
			throw error;
		}
	};
	return { account, transact, run, close: () => database.close() };
}
