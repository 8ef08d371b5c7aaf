import { FAR_MS, LEASE_FAR_MS } from '../../../core/audit/check-job.ts';
import type { JobFacts } from '../../../core/audit/facts.ts';
import { jsonOf, numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { keptFrom } from './books.ts';

const WRONG_MAX = 20;

/** The next jobs as they are stored, with the sums of their parts and their lines of the ledger. */
export function auditJobs(
	account: AccountContext,
	{ after, most, now }: { after: string | null; most: number; now: number },
): readonly JobFacts[] {
	const { sql, credits } = account;
	if (!credits.exists) return [];
	return sql
		.rows('SELECT * FROM jobs WHERE job_id > ? ORDER BY job_id LIMIT ?', after ?? '', most)
		.map((row) => factsOf(account, row, now));
}

/** Returns the jobs that the account has a record of. */
export function knownJobs(
	{ sql, credits }: AccountContext,
	{ jobIds }: { jobIds: readonly string[] },
): readonly string[] {
	if (!credits.exists) return [];
	return sql
		.rows('SELECT job_id FROM jobs WHERE job_id IN (SELECT value FROM json_each(?))', JSON.stringify(jobIds))
		.map((row) => textOf(row, 'job_id'));
}

function factsOf(account: AccountContext, row: Row, now: number): JobFacts {
	const { sql } = account;
	const jobId = textOf(row, 'job_id');
	const timing = jsonOf<{ readonly price: number; readonly horizonMs: number }>(row, 'timing');
	const partsWhere = (query: string, ...bindings: SqlStorageValue[]): number[] =>
		sql
			.rows(
				`SELECT n FROM parts WHERE job_id = ? AND (${query}) ORDER BY n LIMIT ?`,
				jobId,
				...bindings,
				WRONG_MAX,
			)
			.map((part) => numberOf(part, 'n'));
	return {
		jobId,
		status: textOf(row, 'status'),
		submitted: numberOf(row, 'submitted'),
		accepted: numberOf(row, 'accepted'),
		duplicates: numberOf(row, 'duplicates'),
		invalid: numberOf(row, 'invalid'),
		parts: numberOf(row, 'parts'),
		price: timing.price,
		createdAt: numberOf(row, 'created_at'),
		endedAt: numberOrNull(row['ended_at']),
		deletedAt: numberOrNull(row['deleted_at']),
		purgeAt: numberOrNull(row['purge_at']),
		purged: numberOf(row, 'purged') === 1,
		wakeAt: numberOrNull(row['wake_at']),
		horizonMs: timing.horizonMs,
		stored: storedOf(sql, jobId),
		wrongParts: partsWhere(
			`deliverable + undeliverable + risky + unknown + deferred <> count
				OR MIN(count, attempts, claims, sends, deliverable, undeliverable, risky, unknown, catch_all, deferred) < 0
				OR catch_all > deliverable + undeliverable + risky + unknown
				OR (lease_token IS NULL) <> (lease_until IS NULL) OR (deferred = 0 AND lease_token IS NOT NULL)`,
		),
		farParts: partsWhere(
			'deferred > 0 AND (MAX(due_at, send_at) > ? OR lease_until > ?)',
			now + FAR_MS,
			now + LEASE_FAR_MS,
		),
		attempts: sql
			.rows('SELECT attempts FROM parts WHERE job_id = ? ORDER BY n', jobId)
			.map((part) => numberOf(part, 'attempts')),
		line: lineOf(account, numberOf(row, 'created_at'), jobId),
	};
}

function storedOf(sql: Sql, jobId: string): JobFacts['stored'] {
	const [row = {}] = sql.rows(
		`SELECT COUNT(*) AS parts, TOTAL(count) AS addresses, TOTAL(deliverable) AS deliverable,
			TOTAL(undeliverable) AS undeliverable, TOTAL(risky) AS risky, TOTAL(unknown) AS unknown,
			TOTAL(catch_all) AS catch_all, TOTAL(deferred) AS deferred FROM parts WHERE job_id = ?`,
		jobId,
	);
	return {
		parts: numberOf(row, 'parts'),
		addresses: numberOf(row, 'addresses'),
		counts: {
			deliverable: numberOf(row, 'deliverable'),
			undeliverable: numberOf(row, 'undeliverable'),
			risky: numberOf(row, 'risky'),
			unknown: numberOf(row, 'unknown'),
			catchAll: numberOf(row, 'catch_all'),
		},
		deferred: numberOf(row, 'deferred'),
	};
}

function lineOf({ sql, credits }: AccountContext, at: number, id: string): JobFacts['line'] {
	const line = credits.findLine(at, id);
	if (line !== null) return { credits: line.credits, charged: line.charged, closedAt: line.closedAt };
	return at < keptFrom(sql) ? 'deleted' : null;
}
