import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { CreditStorage } from '../../src/durable-objects/account/credits/storage.ts';
import type { AccountContext } from '../../src/durable-objects/account/context.ts';
import { AccountJobs } from '../../src/durable-objects/account/jobs/jobs.ts';
import { PartsAtWork } from '../../src/durable-objects/account/jobs/parts-at-work.ts';
import { WebhookStorage } from '../../src/durable-objects/account/webhooks/storage.ts';
import { AccountWebhooks } from '../../src/durable-objects/account/webhooks/webhooks.ts';
import { Sql } from '../../src/durable-objects/sql.ts';
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
	const credits = new CreditStorage(sql, now, () => 400 * 86_400_000);
	const wakeBy = (): void => {};
	const webhooks = new AccountWebhooks({
		credits,
		storage: new WebhookStorage(sql),
		wakeBy,
		render: (event) => renderEvent(event, false),
	});
	const account = {
		sql,
		credits,
		jobs: new AccountJobs(credits, sql, wakeBy, (job, at) => webhooks.jobEnded(job, at)),
		webhooks,
		partsAtWork: new PartsAtWork(),
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
