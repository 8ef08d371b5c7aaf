import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Accounts as they are listed. Their credits, keys and limits live in the account's own object. */
export const accounts = sqliteTable(
	'accounts',
	{
		id: text('id').primaryKey(),
		email: text('email').notNull(),
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
	},
	(table) => [index('accounts_email').on(table.email)],
);

/** Jobs as they are listed for people. How they stand is known to the account's own object. */
export const jobs = sqliteTable(
	'jobs',
	{
		id: text('id').primaryKey(),
		accountId: text('account_id').notNull(),
		name: text('name'),
		status: text('status', { enum: ['processing', 'completed', 'failed'] }).notNull(),
		accepted: integer('accepted').notNull(),
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
		completedAt: integer('completed_at'),
	},
	(table) => [index('jobs_account').on(table.accountId, table.createdAt)],
);

/** Every action of an operator. */
export const auditLog = sqliteTable(
	'audit_log',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** Epoch milliseconds. */
		at: integer('at').notNull(),
		action: text('action').notNull(),
		accountId: text('account_id'),
		/** JSON. */
		detail: text('detail').notNull(),
	},
	(table) => [index('audit_log_account').on(table.accountId)],
);
