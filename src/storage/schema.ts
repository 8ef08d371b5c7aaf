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
