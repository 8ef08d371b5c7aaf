/**
 * The account's tables. Columns are named like the fields of their rows (`Sql`). Rows are few and wide, WITHOUT ROWID,
 * because Cloudflare bills each row written: a verification writes the account row and its ledger line, two rows in all.
 */
export const ACCOUNT_SCHEMA = `
	-- One row. Its columns of JSON: own limits by category; running windows by category; the running day's usage by key;
	-- the notice about low credits; how many outcomes were told today.
	CREATE TABLE account (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		granted INTEGER NOT NULL,
		consumed INTEGER NOT NULL,
		reserved INTEGER NOT NULL,
		refunded INTEGER NOT NULL,
		transactions INTEGER NOT NULL,
		lastTransactionAt INTEGER,
		-- A digest. NULL: not known.
		owner TEXT,
		suspendedAt INTEGER,
		closedAt INTEGER,
		limits TEXT NOT NULL,
		windows TEXT NOT NULL,
		today TEXT NOT NULL,
		-- From when on lines of the ledger are kept, and what the deleted ones add up to.
		keptFrom INTEGER NOT NULL,
		deletedChange INTEGER NOT NULL,
		creditsLow TEXT NOT NULL,
		told TEXT
	) WITHOUT ROWID;

	CREATE TABLE keys (
		id TEXT PRIMARY KEY,
		secretHash TEXT NOT NULL,
		-- Of KEY_SIGNING_SECRET.
		version INTEGER NOT NULL,
		label TEXT NOT NULL,
		-- The last characters of the key, for people.
		ending TEXT NOT NULL,
		-- JSON: what the key may do.
		scopes TEXT NOT NULL,
		-- NULL: the key does not expire.
		expiresAt INTEGER,
		createdAt INTEGER NOT NULL,
		revokedAt INTEGER
	) WITHOUT ROWID;

	-- A single call has its line when it ends. That of a job is open while it runs.
	CREATE TABLE ledger (
		at INTEGER NOT NULL,
		id TEXT NOT NULL,
		kind TEXT NOT NULL,
		keyId TEXT,
		credits INTEGER NOT NULL,
		charged INTEGER,
		outcome TEXT,
		closedAt INTEGER,
		PRIMARY KEY (at, id)
	) WITHOUT ROWID;
	-- Verifications, which are the many, have no index: they cost no row more (decision 38).
	CREATE INDEX otherLines ON ledger (kind, at, id) WHERE kind <> 'verification';

	-- Grants are found by the id that the granter chose, so that a repeated one changes nothing.
	CREATE TABLE grants (
		id TEXT PRIMARY KEY,
		credits INTEGER NOT NULL
	) WITHOUT ROWID;

	-- Of finished days (UTC). The row of day '' adds up all of them. JSON.
	CREATE TABLE usage (
		day TEXT NOT NULL,
		keyId TEXT NOT NULL,
		usage TEXT NOT NULL,
		PRIMARY KEY (day, keyId)
	) WITHOUT ROWID;

	-- The balance at the end of each finished day (UTC) on which something happened.
	CREATE TABLE days (
		day TEXT PRIMARY KEY,
		balance INTEGER NOT NULL
	) WITHOUT ROWID;

	-- What never changes of a job, and how it ended. While it runs, its counters are the sums of its parts.
	CREATE TABLE jobs (
		job_id TEXT PRIMARY KEY,
		-- A key of JOB_KINDS. No CHECK names them: a new kind would have to copy the table.
		kind TEXT NOT NULL,
		-- The job whose catch-all rows a task verifies.
		source_job_id TEXT,
		status TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
		key_id TEXT NOT NULL,
		name TEXT,
		-- The name as searches compare it: the database knows the small letters of ASCII alone.
		folded_name TEXT,
		submitted INTEGER NOT NULL,
		accepted INTEGER NOT NULL,
		duplicates INTEGER NOT NULL,
		invalid INTEGER NOT NULL,
		parts INTEGER NOT NULL,
		-- JSON: the retry delays, redrive pause, lifetime of results and price that held when it was opened.
		timing TEXT NOT NULL,
		idempotency_key TEXT,
		created_at INTEGER NOT NULL,
		ended_at INTEGER,
		error TEXT,
		-- When its blobs are deleted (or, after a failure, tried again), and whether they are gone.
		purge_at INTEGER,
		purged INTEGER NOT NULL DEFAULT 0,
		-- When the alarm has to look at the job, or earlier; NULL once its blobs are gone.
		wake_at INTEGER,
		-- What an ended job was charged in the end: of a failed one nothing, unless its owner closed the account.
		kept INTEGER,
		-- Whether the job runs the deep check on its catch-all rows itself.
		rescues_catch_all INTEGER NOT NULL DEFAULT 0,
		-- When its owner ended the job early, and when its owner deleted the results.
		finished_at INTEGER,
		deleted_at INTEGER,
		-- Whether the owner wants a mail when the job ends, and when that mail is due.
		mail_wanted INTEGER NOT NULL DEFAULT 0,
		mail_at INTEGER,
		-- JSON: the counters of an ended job, whose parts go with its blobs.
		totals TEXT
	) WITHOUT ROWID;

	-- Lists and tasks are shown by time, a page at once.
	CREATE INDEX jobs_by_time ON jobs (kind, created_at, job_id);
	-- The jobs that the alarm has to look at, however many have been before.
	CREATE INDEX unpurged_jobs ON jobs (job_id) WHERE purged = 0;
	CREATE INDEX due_jobs ON jobs (wake_at) WHERE wake_at IS NOT NULL;
	CREATE INDEX running_jobs ON jobs (job_id) WHERE status = 'processing';
	CREATE INDEX due_mails ON jobs (mail_at) WHERE mail_at IS NOT NULL;
	-- Each reading of a job looks up its last task.
	CREATE INDEX tasks_of_jobs ON jobs (source_job_id, created_at, job_id) WHERE source_job_id IS NOT NULL;

	CREATE TABLE parts (
		job_id TEXT NOT NULL,
		n INTEGER NOT NULL,
		count INTEGER NOT NULL,
		attempts INTEGER NOT NULL,
		due_at INTEGER NOT NULL,
		lease_token TEXT,
		lease_until INTEGER,
		claims INTEGER NOT NULL,
		send_at INTEGER NOT NULL,
		sends INTEGER NOT NULL,
		postponed_since INTEGER,
		deliverable INTEGER NOT NULL,
		undeliverable INTEGER NOT NULL,
		risky INTEGER NOT NULL,
		unknown INTEGER NOT NULL,
		catch_all INTEGER NOT NULL,
		deferred INTEGER NOT NULL,
		-- How many of the deferred addresses a mail server put off.
		put_off INTEGER NOT NULL,
		settled_at INTEGER,
		-- The provider whose budget all addresses of the part wait for.
		operator TEXT,
		free INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (job_id, n)
	) WITHOUT ROWID;

	-- What was asked under a key once: a list, a task, a call, a form of the Verify page.
	CREATE TABLE idempotency (
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
	CREATE INDEX idempotencyEnds ON idempotency (expiresAt) WHERE expiresAt IS NOT NULL;
	-- The forms of the Verify page, for its list. Other keys cost no row more.
	CREATE INDEX forms ON idempotency (at) WHERE key >= 'form ' AND key < 'form!';

	-- The outcomes of the account's own messages. Keyed hashes (see addressDigests), never an address.
	CREATE TABLE outcomes (
		digest TEXT PRIMARY KEY,
		kind TEXT NOT NULL CHECK (kind IN ('delivered', 'hard_bounce')),
		at INTEGER NOT NULL,
		endsAt INTEGER NOT NULL
	) WITHOUT ROWID;
	CREATE INDEX outcomesByEnd ON outcomes (endsAt);

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
`;

/** The columns of all tables that hold JSON. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set([
	'limits',
	'windows',
	'today',
	'creditsLow',
	'told',
	'scopes',
	'usage',
]);
/** The columns of all tables that hold 0 or 1. */
export const FLAG_COLUMNS: ReadonlySet<string> = new Set([]);
