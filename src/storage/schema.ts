import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { PURCHASE_STATES } from '../core/payments/purchase.ts';

/** The listing of accounts. Their credits, keys and limits live in the account's own object. */
export const accounts = sqliteTable(
	'accounts',
	{
		id: text('id').primaryKey(),
		email: text('email').notNull(),
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
		/** Set while an operator has the account suspended. */
		suspendedAt: integer('suspended_at'),
		/** Set when its owner deleted it; the address is empty from then on. */
		closedAt: integer('closed_at'),
	},
	// Addresses are found in any letter case.
	(table) => [index('accounts_email').on(sql`lower(${table.email})`)],
);

export type AccountRow = Readonly<typeof accounts.$inferSelect>;

/** A listed account, with the person who owns it; null: an operator made it, and no person has taken it over. */
export type ListedAccount = Omit<AccountRow, 'closedAt'> & { readonly userId: string | null };

/** People who confirmed their address. Each has one account. */
export const users = sqliteTable(
	'users',
	{
		id: text('id').primaryKey(),
		/** As the person wrote it. */
		email: text('email').notNull(),
		/** The form by which the person is found (core/identity/login-name.ts). */
		loginName: text('login_name').notNull(),
		accountId: text('account_id').notNull(),
		name: text('name').notNull(),
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
	},
	(table) => [
		uniqueIndex('users_login_name').on(table.loginName),
		uniqueIndex('users_account').on(table.accountId),
	],
);

export type User = Readonly<typeof users.$inferSelect>;

/** Browsers that are signed in. The token itself is only in the cookie. */
export const sessions = sqliteTable(
	'sessions',
	{
		/** SHA-256, hex. */
		tokenHash: text('token_hash').primaryKey(),
		id: text('id').notNull(),
		userId: text('user_id').notNull(),
		/** Browser and system in a few words. */
		device: text('device').notNull(),
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
		lastSeenAt: integer('last_seen_at').notNull(),
	},
	(table) => [index('sessions_user').on(table.userId)],
);

export type Session = Readonly<typeof sessions.$inferSelect>;

/**
 * Codes in mails. Until a code is typed, a sign-up is only such a row. The challenge that belongs to it is only in the
 * browser.
 */
export const codes = sqliteTable(
	'codes',
	{
		/** SHA-256 of the challenge, hex. */
		id: text('id').primaryKey(),
		purpose: text('purpose', { enum: ['sign_in', 'change_address'] }).notNull(),
		/** The HMAC of the code by the challenge. */
		codeHash: text('code_hash').notNull(),
		/** The part of the session's token that is not in the browser. */
		salt: text('salt').notNull(),
		email: text('email').notNull(),
		loginName: text('login_name').notNull(),
		/** The person who moves to the address; to sign in, the one to create. */
		userId: text('user_id').notNull(),
		/** The account to create. */
		accountId: text('account_id'),
		/** How often a code was typed. */
		tries: integer('tries').notNull(),
		/** Epoch milliseconds. */
		expiresAt: integer('expires_at').notNull(),
		usedAt: integer('used_at'),
	},
	(table) => [index('codes_login_name').on(table.loginName), index('codes_user').on(table.userId)],
);

export type Code = Readonly<typeof codes.$inferSelect>;

/** Attempts in the current windows, keyed by digests. */
export const throttles = sqliteTable('throttles', {
	key: text('key').primaryKey(),
	count: integer('count').notNull(),
	/** Epoch milliseconds. */
	endsAt: integer('ends_at').notNull(),
});

/** Mails on a developer's machine, stored instead of sent. */
export const developmentMails = sqliteTable('development_mails', {
	id: integer('id').primaryKey({ autoIncrement: true }),
	/** Epoch milliseconds. */
	at: integer('at').notNull(),
	to: text('recipient').notNull(),
	subject: text('subject').notNull(),
	text: text('text').notNull(),
});

export type DevelopmentMail = Readonly<typeof developmentMails.$inferSelect>;

/**
 * Which account a job belongs to, for operators, who look one up by its id. All else of it is in the account's own object.
 */
export const jobs = sqliteTable(
	'jobs',
	{
		id: text('id').primaryKey(),
		accountId: text('account_id').notNull(),
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
	},
	(table) => [index('jobs_account').on(table.accountId, table.id)],
);

/** Domains whose owners asked us not to ask their mail servers. Each covers the names below it. */
export const refusedDomains = sqliteTable('refused_domains', {
	/** A-labels, lower case. */
	domain: text('domain').primaryKey(),
	/** Epoch milliseconds. */
	since: integer('since').notNull(),
});

/**
 * Purchases of accounts, also begun ones. Kept for the books, also after the account was deleted: no address, no
 * name.
 */
export const purchases = sqliteTable(
	'purchases',
	{
		id: text('id').primaryKey(),
		accountId: text('account_id').notNull(),
		credits: integer('credits').notNull(),
		/** In the currency's smallest unit. */
		amount: integer('amount').notNull(),
		currency: text('currency').notNull(),
		state: text('state', { enum: PURCHASE_STATES }).notNull(),
		/** Epoch milliseconds; `changedAt`: when it was last found to be paid, ended or refunded. */
		createdAt: integer('created_at').notNull(),
		changedAt: integer('changed_at'),
		/** The provider's checkout, which belongs to this purchase alone; null until it was made. */
		sessionId: text('session_id'),
		receiptUrl: text('receipt_url'),
	},
	(table) => [index('purchases_account').on(table.accountId, table.createdAt)],
);

/** An agreement with an account, written down before it pays: a later change of the price does not change it. */
export type Purchase = Readonly<typeof purchases.$inferSelect>;

/** Every action of an operator. */
export const auditLog = sqliteTable(
	'audit_log',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** Epoch milliseconds. */
		at: integer('at').notNull(),
		/** The operator's name; `owner`: the account's owner. */
		by: text('by').notNull(),
		action: text('action').notNull(),
		accountId: text('account_id'),
		/** JSON. */
		detail: text('detail').notNull(),
	},
	(table) => [index('audit_log_account').on(table.accountId)],
);

/** An operator's action. Entries are kept for ever. `detail`: figures and ids; neither secrets nor addresses. */
export type AuditEntry = Readonly<
	Omit<typeof auditLog.$inferSelect, 'id' | 'detail'> & { detail: Readonly<Record<string, string | number>> }
>;
