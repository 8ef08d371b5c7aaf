// The statements of the version that summed its ledger for each page, and whose alarm looked at all jobs.

type Run = (query: string, ...bindings: (string | number)[]) => readonly object[];

const IS_GIVEN = "kind IN ('grant', 'adjustment')";

/** A page of the ledger: its lines, the sums over all lines, and the change of the lines before it. */
export function oldPageOf(run: Run, count: number, offset: number): void {
	run(
		`SELECT ${IS_GIVEN} AS given, closed_at IS NULL AS open, SUM(credits) AS credits,
			COALESCE(SUM(charged), 0) AS charged, COUNT(*) AS lines FROM ledger GROUP BY 1, 2`,
	);
	run('SELECT * FROM ledger ORDER BY at DESC, id DESC LIMIT ? OFFSET ?', count, offset);
	if (offset > 0)
		run(
			`SELECT TOTAL(change) AS change FROM
				(SELECT at, id, IIF(${IS_GIVEN}, credits, -COALESCE(charged, 0)) AS change FROM ledger
					ORDER BY at DESC, id DESC LIMIT ?)`,
			offset,
		);
}

/** What an alarm read of the jobs. */
export function oldAlarmOf(run: Run, now: number): void {
	run('DELETE FROM idempotency NOT INDEXED WHERE expires_at <= ?', now);
	run('SELECT MIN(expires_at) AS at FROM idempotency NOT INDEXED');
	for (const job of run('SELECT * FROM jobs INDEXED BY unpurged_jobs WHERE purged = 0') as {
		timing: string;
	}[])
		JSON.parse(job.timing);
}

/** What a request reads and writes. */
export function oldAdmissionOf(run: Run, at: number, id: string | null): void {
	const [state] = run('SELECT * FROM account WHERE id = 1') as Record<string, string | number>[];
	if (state === undefined) throw new Error('the account was opened');
	if (id !== null) run('SELECT * FROM ledger WHERE at = ? AND id = ?', at, id);
	run('SELECT * FROM api_keys WHERE id = ?', 'key_bench');
	run('SELECT suspended_at, closed_at FROM standing WHERE id = 1');
	const columns = ['granted', 'consumed', 'reserved', 'refunded', 'transactions', 'settled_before'];
	const texts = ['limits', 'windows', 'today'];
	run(
		`INSERT OR REPLACE INTO account (id, ${[...columns, ...texts].join(', ')}) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		...[...columns, ...texts].map((name) => state[name] ?? 0),
	);
	if (id !== null)
		run(
			"INSERT INTO ledger (at, id, kind, key_id, credits, closed_at) VALUES (?, ?, 'verification', 'key_bench', 1, NULL)",
			at,
			id,
		);
}

/** How a reservation ends. */
export function oldSettlementOf(run: Run, at: number, id: string): void {
	run('SELECT * FROM account WHERE id = 1');
	run('SELECT * FROM ledger WHERE at = ? AND id = ?', at, id);
	run(
		"UPDATE ledger SET charged = 1, outcome = 'deliverable', closed_at = ? WHERE at = ? AND id = ? AND closed_at IS NULL",
		at,
		at,
		id,
	);
	run("UPDATE account SET transactions = transactions + 1, today = today || ''");
}
