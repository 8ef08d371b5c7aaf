/**
 * Each entry runs once, in order. Few wide rows without ROWID, because a row written is what Cloudflare bills: a
 * verification writes the account row and its ledger line twice each, four rows in all.
 */
export const ACCOUNT_MIGRATIONS: readonly string[] = [
	`CREATE TABLE account (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		granted INTEGER NOT NULL,
		consumed INTEGER NOT NULL,
		reserved INTEGER NOT NULL,
		refunded INTEGER NOT NULL,
		transactions INTEGER NOT NULL,
		last_transaction_at INTEGER,
		-- Every reservation of a verification made before this time has ended.
		settled_before INTEGER NOT NULL,
		-- JSON: own limits by category; running windows by category; the running day's usage by key.
		limits TEXT NOT NULL,
		windows TEXT NOT NULL,
		today TEXT NOT NULL
	) WITHOUT ROWID;

	CREATE TABLE api_keys (
		id TEXT PRIMARY KEY,
		secret_hash TEXT NOT NULL,
		label TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		revoked_at INTEGER
	) WITHOUT ROWID;

	-- A reservation is its ledger line: inserted when credits are set aside, closed when they are settled.
	CREATE TABLE ledger (
		at INTEGER NOT NULL,
		id TEXT NOT NULL,
		kind TEXT NOT NULL CHECK (kind IN ('grant', 'adjustment', 'verification')),
		key_id TEXT,
		credits INTEGER NOT NULL,
		charged INTEGER,
		outcome TEXT,
		closed_at INTEGER,
		PRIMARY KEY (at, id)
	) WITHOUT ROWID;

	-- Grants are found by the id that the granter chose, so that a repeated one changes nothing.
	CREATE TABLE grants (
		id TEXT PRIMARY KEY,
		credits INTEGER NOT NULL
	) WITHOUT ROWID;

	CREATE TABLE usage_days (
		day TEXT NOT NULL,
		key_id TEXT NOT NULL,
		usage TEXT NOT NULL,
		PRIMARY KEY (day, key_id)
	) WITHOUT ROWID;`,
];
