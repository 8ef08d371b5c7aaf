import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ACTIVITIES } from '../core/identity/activity.ts';
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
		passwordHash: text('password_hash').notNull(),
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
	},
	(table) => [
		uniqueIndex('users_login_name').on(table.loginName),
		uniqueIndex('users_account').on(table.accountId),
	],
);

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

/** Links in mails. Until its address is confirmed, a sign-up is only such a link. */
export const oneTimeLinks = sqliteTable(
	'one_time_links',
	{
		/** SHA-256, hex. */
		tokenHash: text('token_hash').primaryKey(),
		purpose: text('purpose', { enum: ['confirm_address', 'reset_password', 'change_address'] }).notNull(),
		/** The form that requested it: a form that is sent twice makes one link. */
		formId: text('form_id').notNull(),
		email: text('email').notNull(),
		loginName: text('login_name').notNull(),
		/** The person, or the one that the confirmation will create. */
		userId: text('user_id').notNull(),
		/** The account that the confirmation will create. */
		accountId: text('account_id'),
		passwordHash: text('password_hash'),
		/** SHA-256 of the visitor token of the browser that signed up. */
		visitorHash: text('visitor_hash'),
		/** Epoch milliseconds. */
		expiresAt: integer('expires_at').notNull(),
		usedAt: integer('used_at'),
	},
	(table) => [
		uniqueIndex('one_time_links_form').on(table.formId, table.purpose),
		index('one_time_links_login_name').on(table.loginName),
	],
);

/** People who sign in with a code of an app, too. The secret of the app is derived (core/identity/second-factor.ts). */
export const secondFactors = sqliteTable('second_factors', {
	userId: text('user_id').primaryKey(),
	version: integer('version').notNull(),
	salt: text('salt').notNull(),
	/** Epoch milliseconds. */
	since: integer('since').notNull(),
	lastStep: integer('last_step').notNull(),
});

/** Codes for a person whose app is lost. Each is deleted with its use. */
export const recoveryCodes = sqliteTable(
	'recovery_codes',
	{
		userId: text('user_id').notNull(),
		/** SHA-256, hex. */
		digest: text('digest').notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.digest] })],
);

/** Events of accounts, for their owners. */
export const activities = sqliteTable(
	'activities',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		accountId: text('account_id').notNull(),
		/** Epoch milliseconds. */
		at: integer('at').notNull(),
		kind: text('kind', { enum: ACTIVITIES }).notNull(),
		/** Browser and system in a few words. */
		device: text('device'),
		about: text('about'),
		by: text('by', { enum: ['operator', 'api'] }),
	},
	(table) => [index('activities_account').on(table.accountId, table.id), index('activities_at').on(table.at)],
);

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
	recipient: text('recipient').notNull(),
	subject: text('subject').notNull(),
	text: text('text').notNull(),
});

/**
 * Which account a job belongs to, for operators, who look one up by its id. Its list, name and figures come from the
 * account's own object.
 */
export const jobs = sqliteTable(
	'jobs',
	{
		id: text('id').primaryKey(),
		accountId: text('account_id').notNull(),
		status: text('status', { enum: ['processing', 'completed', 'failed'] }).notNull(),
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
		/** Epoch milliseconds. */
		createdAt: integer('created_at').notNull(),
		changedAt: integer('changed_at'),
		/** The payment provider's ids. */
		sessionId: text('session_id'),
		paymentId: text('payment_id'),
		receiptUrl: text('receipt_url'),
	},
	(table) => [
		uniqueIndex('purchases_session').on(table.sessionId),
		index('purchases_payment').on(table.paymentId),
		index('purchases_account').on(table.accountId, table.createdAt),
		index('purchases_state').on(table.state, table.createdAt),
	],
);

/** Every action of an operator. */
export const auditLog = sqliteTable(
	'audit_log',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** Epoch milliseconds. */
		at: integer('at').notNull(),
		/** The operator's name. */
		by: text('by').notNull(),
		action: text('action').notNull(),
		accountId: text('account_id'),
		/** JSON. */
		detail: text('detail').notNull(),
	},
	(table) => [index('audit_log_account').on(table.accountId)],
);
