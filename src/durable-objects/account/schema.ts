/**
 * The account's tables. Columns are named like the fields of their rows (`Sql`), whose types say what they hold. Rows are few
 * and wide, WITHOUT ROWID, because Cloudflare bills each row written: a verification writes the account row and its ledger
 * line, two rows in all.
 */
export const ACCOUNT_SCHEMA = `
	-- One row: AccountState (credits/storage.ts).
	CREATE TABLE account (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		granted INTEGER NOT NULL,
		consumed INTEGER NOT NULL,
		reserved INTEGER NOT NULL,
		refunded INTEGER NOT NULL,
		transactions INTEGER NOT NULL,
		lastTransactionAt INTEGER,
		owner TEXT,
		suspendedAt INTEGER,
		closedAt INTEGER,
		limits TEXT NOT NULL,
		windows TEXT NOT NULL,
		today TEXT NOT NULL,
		keptFrom INTEGER NOT NULL,
		deletedChange INTEGER NOT NULL,
		creditsLow TEXT NOT NULL,
		told TEXT,
		callback TEXT
	) WITHOUT ROWID;

	CREATE TABLE keys (
		id TEXT PRIMARY KEY,
		secretHash TEXT NOT NULL,
		version INTEGER NOT NULL,
		label TEXT NOT NULL,
		ending TEXT NOT NULL,
		scopes TEXT NOT NULL,
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
	-- Verifications, which are the many, have no index: they cost no row more.

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

	-- What never changes of a job, and how it ended. While it runs, its counters are the sums of its parts.
	CREATE TABLE jobs (
		jobId TEXT PRIMARY KEY,
		-- A key of JOB_KINDS. No CHECK names them: a new kind would have to copy the table.
		kind TEXT NOT NULL,
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
		timing TEXT NOT NULL,
		price INTEGER NOT NULL,
		callbackUrl TEXT,
		idempotencyKey TEXT,
		createdAt INTEGER NOT NULL,
		endedAt INTEGER,
		error TEXT,
		-- When its blobs are deleted; NULL while it runs, and once they are gone.
		purgeAt INTEGER,
		purged INTEGER NOT NULL DEFAULT 0,
		-- What an ended job was charged in the end: of a failed one nothing, unless its owner closed the account.
		kept INTEGER,
		rescuesCatchAll INTEGER NOT NULL DEFAULT 0,
		finishedAt INTEGER,
		deletedAt INTEGER,
		mailWhenDone INTEGER NOT NULL DEFAULT 0,
		totals TEXT
	) WITHOUT ROWID;

	-- Lists and tasks are shown by time, a page at once.
	CREATE INDEX jobsByTime ON jobs (kind, createdAt, jobId);
	-- The jobs whose blobs the alarm has to delete, however many have been before.
	CREATE INDEX keptJobs ON jobs (purgeAt) WHERE purgeAt IS NOT NULL;
	CREATE INDEX runningJobs ON jobs (jobId) WHERE status = 'processing';
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
		-- Unknown rows that cost a question, and those that another question may change.
		free INTEGER NOT NULL,
		retry INTEGER NOT NULL,
		settledAt INTEGER,
		PRIMARY KEY (jobId, n)
	) WITHOUT ROWID;

	-- What was asked under a key once: a list, a task, a call, a form of the Verify page.
	CREATE TABLE idempotency (
		key TEXT PRIMARY KEY,
		fingerprint TEXT NOT NULL,
		ref TEXT NOT NULL,
		at INTEGER NOT NULL,
		busyUntil INTEGER,
		answer TEXT,
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

	-- Endpoints for events. Their secrets are sealed; the former one signs too for a day after a rotation.
	CREATE TABLE endpoints (
		webhookId TEXT PRIMARY KEY,
		url TEXT NOT NULL,
		events TEXT NOT NULL,
		secret TEXT NOT NULL,
		formerSecret TEXT,
		formerSecretUntil INTEGER,
		createdAt INTEGER NOT NULL,
		disabledAt INTEGER,
		disabledBecause TEXT CHECK (disabledBecause IN ('owner', 'gone', 'failing')),
		failingSince INTEGER
	) WITHOUT ROWID;

	-- What has to be told, and the events that an endpoint was sent. The target is an endpoint, the owner, or the callbacks of
	-- all jobs: then the id is that of the job.
	CREATE TABLE outbox (
		target TEXT NOT NULL,
		at INTEGER NOT NULL,
		id TEXT NOT NULL,
		kind TEXT NOT NULL,
		body TEXT NOT NULL,
		status TEXT NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
		attempts INTEGER NOT NULL,
		dueAt INTEGER,
		lastAt INTEGER,
		lastCode INTEGER,
		fault TEXT,
		CHECK ((status = 'waiting') = (dueAt IS NOT NULL)),
		PRIMARY KEY (target, at, id)
	) WITHOUT ROWID;
	CREATE INDEX outboxDue ON outbox (target, dueAt) WHERE dueAt IS NOT NULL;
`;

/** The columns of all tables that hold JSON. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set([
	'limits',
	'windows',
	'today',
	'creditsLow',
	'told',
	'callback',
	'events',
	'scopes',
	'usage',
	'timing',
	'totals',
]);
/** The columns of all tables that hold 0 or 1. */
export const FLAG_COLUMNS: ReadonlySet<string> = new Set(['purged', 'rescuesCatchAll', 'mailWhenDone']);
