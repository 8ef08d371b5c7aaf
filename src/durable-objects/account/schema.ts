import type { Sql } from '../sql.ts';

/**
 * The account's tables. Each entry runs once, in order; a change of tables adds an entry, since an account that ran an
 * earlier one never runs it again. Rows are few and
 * wide, WITHOUT ROWID, because Cloudflare bills each row written: a verification writes the account row and its ledger
 * line, two rows in all.
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
		-- A digest. NULL: not known.
		owner TEXT,
		-- JSON: own limits by category; running windows by category; the running day's usage by key.
		limits TEXT NOT NULL,
		windows TEXT NOT NULL,
		today TEXT NOT NULL,
		-- JSON: from when on lines are kept, and what the deleted ones add up to.
		ledger TEXT NOT NULL
	) WITHOUT ROWID;

	CREATE TABLE api_keys (
		id TEXT PRIMARY KEY,
		secret_hash TEXT NOT NULL,
		-- Of KEY_SIGNING_SECRET.
		version INTEGER NOT NULL,
		label TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		revoked_at INTEGER,
		-- The last characters of the key, for people.
		ending TEXT NOT NULL,
		-- What the key may do, separated by spaces.
		scopes TEXT NOT NULL,
		-- NULL: the key does not expire.
		expires_at INTEGER,
		-- Unread, and kept for the version before: the settings of a key for browsers.
		browser TEXT
	) WITHOUT ROWID;

	-- A single call has its line when it ends. That of a job is open while it runs.
	CREATE TABLE ledger (
		at INTEGER NOT NULL,
		id TEXT NOT NULL,
		kind TEXT NOT NULL,
		key_id TEXT,
		credits INTEGER NOT NULL,
		charged INTEGER,
		outcome TEXT,
		closed_at INTEGER,
		PRIMARY KEY (at, id)
	) WITHOUT ROWID;
	-- Verifications, which are the many, have no index: they cost no row more (decision 38).
	CREATE INDEX other_lines ON ledger (kind, at, id) WHERE kind <> 'verification';

	-- Grants are found by the id that the granter chose, so that a repeated one changes nothing.
	CREATE TABLE grants (
		id TEXT PRIMARY KEY,
		credits INTEGER NOT NULL
	) WITHOUT ROWID;

	-- What the lines made on each day (UTC) add up to.
	CREATE TABLE ledger_days (
		day TEXT PRIMARY KEY,
		lines INTEGER NOT NULL,
		change INTEGER NOT NULL
	) WITHOUT ROWID;

	CREATE TABLE usage_days (
		day TEXT NOT NULL,
		key_id TEXT NOT NULL,
		usage TEXT NOT NULL,
		PRIMARY KEY (day, key_id)
	) WITHOUT ROWID;

	-- What never changes of a job, and how it ended. While it runs, its counters are the sums of its parts.
	CREATE TABLE jobs (
		jobId TEXT PRIMARY KEY,
		-- A key of JOB_KINDS. No CHECK names them: a new kind would have to copy the table.
		kind TEXT NOT NULL,
		-- The job whose catch-all rows a task verifies.
		sourceJobId TEXT,
		status TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
		keyId TEXT NOT NULL,
		name TEXT,
		-- The name as searches compare it: the database knows the small letters of ASCII alone.
		foldedName TEXT,
		submitted INTEGER NOT NULL,
		accepted INTEGER NOT NULL,
		duplicates INTEGER NOT NULL,
		invalid INTEGER NOT NULL,
		parts INTEGER NOT NULL,
		-- JSON: the retry delays, redrive pause, lifetime of results and horizon that held when it was opened.
		timing TEXT NOT NULL,
		price INTEGER NOT NULL,
		idempotencyKey TEXT,
		createdAt INTEGER NOT NULL,
		endedAt INTEGER,
		error TEXT,
		-- When its blobs are deleted, and whether they are gone.
		purgeAt INTEGER,
		purged INTEGER NOT NULL DEFAULT 0,
		-- When the alarm has to look at a job that has ended; NULL while it runs, and once its blobs are gone.
		wakeAt INTEGER,
		-- What an ended job was charged in the end: of a failed one nothing, unless its owner closed the account.
		kept INTEGER,
		-- Whether the job runs the deep check on its catch-all rows itself.
		rescuesCatchAll INTEGER NOT NULL DEFAULT 0,
		-- When its owner ended the job early, and when its owner deleted the results.
		finishedAt INTEGER,
		deletedAt INTEGER,
		-- Whether the owner wants a mail when the job ends, and when that mail is due.
		mailWhenDone INTEGER NOT NULL DEFAULT 0,
		mailAt INTEGER,
		-- JSON: the counters of an ended job, whose parts go with its blobs.
		totals TEXT
	) WITHOUT ROWID;

	-- Lists and tasks are shown by time, a page at once.
	CREATE INDEX jobsByTime ON jobs (kind, createdAt, jobId);
	-- The jobs that the alarm has to look at, however many have been before.
	CREATE INDEX dueJobs ON jobs (wakeAt) WHERE wakeAt IS NOT NULL;
	CREATE INDEX runningJobs ON jobs (jobId) WHERE status = 'processing';
	CREATE INDEX dueMails ON jobs (mailAt) WHERE mailAt IS NOT NULL;
	-- Each reading of a job looks up its last task.
	CREATE INDEX tasksOfJobs ON jobs (sourceJobId, createdAt, jobId) WHERE sourceJobId IS NOT NULL;

	CREATE TABLE parts (
		jobId TEXT NOT NULL,
		n INTEGER NOT NULL,
		count INTEGER NOT NULL,
		attempts INTEGER NOT NULL,
		-- Its only clock. NULL: nothing is left to do.
		nextAt INTEGER,
		token TEXT,
		claims INTEGER NOT NULL,
		sends INTEGER NOT NULL,
		deliverable INTEGER NOT NULL,
		undeliverable INTEGER NOT NULL,
		risky INTEGER NOT NULL,
		unknown INTEGER NOT NULL,
		catchAll INTEGER NOT NULL,
		deferred INTEGER NOT NULL,
		-- Unknown rows that cost a question.
		free INTEGER NOT NULL,
		settledAt INTEGER,
		PRIMARY KEY (jobId, n)
	) WITHOUT ROWID;

	-- Requests that were accepted. Without a time while the job runs.
	CREATE TABLE idempotency (
		key TEXT PRIMARY KEY,
		fingerprint TEXT NOT NULL,
		job_id TEXT NOT NULL,
		response TEXT NOT NULL,
		expires_at INTEGER
	) WITHOUT ROWID;
	CREATE INDEX idempotency_ends ON idempotency (expires_at) WHERE expires_at IS NOT NULL;

	-- The account's standing changes rarely, so it is not in the row that every request writes.
	CREATE TABLE standing (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		suspended_at INTEGER,
		closed_at INTEGER
	) WITHOUT ROWID;

	-- The outcomes of the account's own messages. Keyed hashes (see addressDigests), never an address.
	CREATE TABLE outcomes (
		digest TEXT PRIMARY KEY,
		kind TEXT NOT NULL CHECK (kind IN ('delivered', 'hard_bounce')),
		at INTEGER NOT NULL,
		ends_at INTEGER NOT NULL
	) WITHOUT ROWID;
	CREATE INDEX outcomes_by_end ON outcomes (ends_at);

	CREATE TABLE feedback_day (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		day TEXT NOT NULL,
		written INTEGER NOT NULL
	) WITHOUT ROWID;

	-- The secrets are derived from this row (JSON: version, salt, until when) and a secret of the service's.
	CREATE TABLE webhooks (
		webhook_id TEXT PRIMARY KEY,
		url TEXT NOT NULL,
		events TEXT NOT NULL,
		secrets TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		disabled_at INTEGER,
		disabled_because TEXT CHECK (disabled_because IN ('owner', 'gone', 'failing')),
		failing_since INTEGER,
		tell_at INTEGER
	) WITHOUT ROWID;

	-- Only deliveries that wait have due_at.
	CREATE TABLE webhook_deliveries (
		webhook_id TEXT NOT NULL,
		event_id TEXT NOT NULL,
		type TEXT NOT NULL,
		at INTEGER NOT NULL,
		body TEXT NOT NULL,
		status TEXT NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
		attempts INTEGER NOT NULL,
		due_at INTEGER,
		last_at INTEGER,
		last_code INTEGER,
		fault TEXT,
		CHECK ((status = 'waiting') = (due_at IS NOT NULL)),
		PRIMARY KEY (webhook_id, event_id)
	) WITHOUT ROWID;
	CREATE INDEX due_deliveries ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
	CREATE INDEX deliveries_by_time ON webhook_deliveries (webhook_id, at);

	CREATE TABLE credits_low (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		below INTEGER,
		is_low INTEGER NOT NULL,
		-- Whether the owner wants a mail, when it is due, and since when the balance is below.
		mails INTEGER NOT NULL DEFAULT 0,
		tell_at INTEGER,
		low_since INTEGER
	) WITHOUT ROWID;`,

	// Keys for browsers are no more: none may look like a secret key that still opens its account.
	'UPDATE api_keys SET revoked_at = unixepoch() * 1000 WHERE browser IS NOT NULL AND revoked_at IS NULL',

	// One table for all that is answered under a key once. The tables before it have no readers any more.
	`CREATE TABLE new_idempotency (
		key TEXT PRIMARY KEY,
		-- A digest of what was asked.
		fingerprint TEXT NOT NULL,
		-- The job, or the reservation of a call, and when that was made.
		ref TEXT NOT NULL,
		at INTEGER NOT NULL,
		-- Until when a Worker is taken to be at work on the answer. NULL: a job.
		busyUntil INTEGER,
		-- The body of a job's 202; of a call, JSON with a sealed answer. NULL: there is none so far.
		answer TEXT,
		-- NULL while the job runs.
		expiresAt INTEGER
	) WITHOUT ROWID;
	INSERT INTO new_idempotency SELECT key, fingerprint, job_id, 0, NULL, response, expires_at FROM idempotency;
	DROP TABLE idempotency;
	ALTER TABLE new_idempotency RENAME TO idempotency;
	CREATE INDEX idempotency_ends ON idempotency (expiresAt) WHERE expiresAt IS NOT NULL;
	-- The forms of the Verify page, for its list. Other keys cost no row more.
	CREATE INDEX forms ON idempotency (at) WHERE key >= 'form ' AND key < 'form!';
	-- The row of day '' adds up all finished days of a key.
	INSERT INTO usage_days SELECT '', key_id, json_object('requests', SUM(usage ->> '$.requests'),
			'credits', SUM(usage ->> '$.credits'), 'outcomes', json_object(
				'deliverable', SUM(usage ->> '$.outcomes.deliverable'),
				'undeliverable', SUM(usage ->> '$.outcomes.undeliverable'),
				'risky', SUM(usage ->> '$.outcomes.risky'), 'unknown', SUM(usage ->> '$.outcomes.unknown')),
			'lastUsedAt', MAX(usage ->> '$.lastUsedAt'))
		FROM usage_days GROUP BY key_id;
	-- The balance at the end of each day (UTC) on which something happened, but for the running one.
	CREATE TABLE new_ledger_days (
		day TEXT PRIMARY KEY,
		balance INTEGER NOT NULL
	) WITHOUT ROWID;
	INSERT OR IGNORE INTO ledger_days SELECT ledger ->> '$.newestDay.day', ledger ->> '$.newestDay.lines',
		ledger ->> '$.newestDay.change' FROM account;
	UPDATE account SET ledger = json_object('keptFrom', ledger ->> '$.keptFrom', 'deleted',
		(SELECT TOTAL(change) FROM ledger_days)
			- (SELECT TOTAL(IIF(kind IN ('grant', 'adjustment'), credits, -COALESCE(charged, 0))) FROM ledger));
	INSERT INTO new_ledger_days SELECT day, SUM(change) OVER (ORDER BY day) FROM ledger_days
		WHERE day > '' AND day < (SELECT today ->> '$.day' FROM account);
	DROP TABLE ledger_days;
	ALTER TABLE new_ledger_days RENAME TO ledger_days;
	DROP TABLE IF EXISTS keyed_calls;
	DROP TABLE IF EXISTS verifications;
	DROP TABLE IF EXISTS verification_history;
	DROP TABLE IF EXISTS free_answers;
	DROP TABLE IF EXISTS free_answers_of_parts;
	DROP TABLE IF EXISTS scored;
	DROP TABLE IF EXISTS outcome_counts;`,
];

/** Brings the tables up to date. */
export function migrate(sql: Sql, migrations = ACCOUNT_MIGRATIONS): void {
	sql.rows(
		'CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) WITHOUT ROWID',
	);
	const [row] = sql.rows('SELECT version FROM schema_version');
	const version = Number(row?.['version'] ?? 0);
	// A rollback meets the higher version of the later code and leaves it.
	if (version >= migrations.length) return;
	for (const migration of migrations.slice(version)) sql.rows(migration);
	sql.rows('INSERT OR REPLACE INTO schema_version (id, version) VALUES (1, ?)', migrations.length);
}

/** Columns that hold 0 or 1, and columns that hold JSON. */
export const FLAG_COLUMNS: ReadonlySet<string> = new Set(['purged', 'rescuesCatchAll', 'mailWhenDone']);
export const JSON_COLUMNS: ReadonlySet<string> = new Set(['timing', 'totals']);
