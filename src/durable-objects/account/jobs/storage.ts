import { folded } from '../../../lib/text.ts';
import type { JobKind } from '../../../core/jobs/kinds/kinds.ts';
import { finalRows } from '../../../core/jobs/part.ts';
import { keyOf } from '../idempotency.ts';
import { assert } from '../../../lib/assert.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { NO_WAITS } from '../../../operations/jobs/port.ts';
import type { JobStatus, OpenJobRequest } from '../../../operations/jobs/port.ts';
import { numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import { jobOf, laneOf, orNull, partOf } from './rows.ts';
import type { FinalTotals, JobTotals, StoredJob, StoredLane, StoredPart } from './rows.ts';

const PART_COLUMNS = `count, attempts, due_at, lease_token, lease_until, claims, send_at, sends, postponed_since,
	deliverable, undeliverable, risky, unknown, catch_all, deferred, settled_at, operator, put_off, free`;

/** The price of a row of a job, in SQL; of one with unreadable terms, what all cost today. */
const PRICE = "IIF(json_valid(jobs.timing), jobs.timing ->> '$.price', 1)";
/** The cost of a job's final rows: the unknown ones are free. */
export const CHARGED = `(deliverable + undeliverable + risky) * ${PRICE}`;

/** Which jobs to list; `status` left out: any. */
interface JobSelection {
	readonly kind: JobKind;
	readonly status?: JobStatus | undefined;
}

const IS_SELECTED = 'kind = ?1 AND (?2 IS NULL OR status = ?2)';

const IS_WAITING = 'lease_token IS NULL AND (attempts > 0 OR postponed_since IS NOT NULL)';

/** The SQL of the account's jobs, without decisions. */
export class AccountJobsStorage {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	findJob(jobId: string): StoredJob | null {
		const [row] = this.#sql.rows('SELECT * FROM jobs WHERE job_id = ?', jobId);
		return row === undefined ? null : jobOf(row);
	}

	/** The job as it is stored: it may be damaged. */
	findRow(jobId: string): Row | null {
		return this.#sql.rows('SELECT * FROM jobs WHERE job_id = ?', jobId)[0] ?? null;
	}

	listJobs({ kind, status }: JobSelection, limit: number, offset: number): string[] {
		const query = `SELECT job_id FROM jobs WHERE ${IS_SELECTED} ORDER BY created_at DESC, job_id DESC LIMIT ?3 OFFSET ?4`;
		return this.#sql.rows(query, kind, status ?? null, limit, offset).map((row) => textOf(row, 'job_id'));
	}

	/** The later jobs of a kind that were made from a job, newest first. */
	checksOf(jobId: string, kind: JobKind): StoredJob[] {
		const query = `SELECT * FROM jobs WHERE source_job_id = ? AND kind = ?
			ORDER BY created_at DESC, job_id DESC`;
		return this.#sql.rows(query, jobId, kind).map(jobOf);
	}

	/** The newest task of a job, or of kind `verification` the newest list that asks its addresses again. */
	lastCheckOf(jobId: string, kind: JobKind): string | null {
		const [row] = this.#sql.rows(
			`SELECT job_id FROM jobs WHERE source_job_id = ? AND kind = ?
				ORDER BY created_at DESC, job_id DESC LIMIT 1`,
			jobId,
			kind,
		);
		return row === undefined ? null : textOf(row, 'job_id');
	}

	/** The newest task of a job whose verdicts are stored. */
	lastAnswersOf(jobId: string): string | null {
		const [row] = this.#sql.rows(
			`SELECT job_id FROM jobs WHERE source_job_id = ? AND kind = 'catchall' AND status = 'completed'
				AND accepted > 0 AND purged = 0 ORDER BY created_at DESC, job_id DESC LIMIT 1`,
			jobId,
		);
		return row === undefined ? null : textOf(row, 'job_id');
	}

	countJobs({ kind, status }: JobSelection): number {
		const [row] = this.#sql.rows(
			`SELECT COUNT(*) AS jobs FROM jobs WHERE ${IS_SELECTED}`,
			kind,
			status ?? null,
		);
		return row === undefined ? 0 : numberOf(row, 'jobs');
	}

	/** Whether a part of the job is due that was never sent, or was given back. */
	hasUnsentPart(jobId: string, now: number): boolean {
		const query =
			'SELECT 1 AS found FROM parts WHERE job_id = ? AND deferred > 0 AND sends = 0 AND send_at <= ? LIMIT 1';
		return this.#sql.rows(query, jobId, now).length > 0;
	}

	/** Jobs that run, or whose blobs still exist. As they are stored: one may be damaged. */
	unpurgedJobs(): Row[] {
		return this.#sql.rows('SELECT * FROM jobs INDEXED BY unpurged_jobs WHERE purged = 0');
	}

	runningJobs(): string[] {
		return this.#sql
			.rows("SELECT job_id FROM jobs INDEXED BY running_jobs WHERE status = 'processing'")
			.map((row) => textOf(row, 'job_id'));
	}

	/** The reservations and charges of running jobs by their parts; without one of the jobs. */
	runningCharges(except = ''): { readonly reserved: number; readonly charged: number } {
		const [row = {}] = this.#sql.rows(
			`SELECT TOTAL(deferred * ${PRICE}) AS reserved, TOTAL(${CHARGED}) AS charged
				FROM jobs INDEXED BY running_jobs JOIN parts USING (job_id) WHERE status = 'processing' AND job_id <> ?`,
			except,
		);
		return { reserved: numberOf(row, 'reserved'), charged: numberOf(row, 'charged') };
	}

	runsSince(): number | null {
		const query =
			"SELECT MIN(created_at) AS at FROM jobs INDEXED BY running_jobs WHERE status = 'processing'";
		return numberOrNull(this.#sql.rows(query)[0]?.['at']);
	}

	/** Jobs that the alarm has to look at by now, those that wait longest first. As they are stored: one may be damaged. */
	dueJobs(now: number, most: number): Row[] {
		const query =
			'SELECT * FROM jobs INDEXED BY due_jobs WHERE wake_at IS NOT NULL AND wake_at <= ? ORDER BY wake_at LIMIT ?';
		return this.#sql.rows(query, now, most);
	}

	/** When the alarm has to look at a job next. */
	nextWake(): number | null {
		const [row] = this.#sql.rows(
			'SELECT wake_at FROM jobs INDEXED BY due_jobs WHERE wake_at IS NOT NULL ORDER BY wake_at LIMIT 1',
		);
		return row === undefined ? null : numberOf(row, 'wake_at');
	}

	/** Has the alarm look at a job at a time. */
	setWake(jobId: string, at: number | null): void {
		this.#sql.rows('UPDATE jobs SET wake_at = ? WHERE job_id = ? AND purged = 0', at, jobId);
	}

	/** Has the alarm look at a job at a time, or earlier if that was planned. */
	wakeBy(jobId: string, at: number): void {
		const query =
			'UPDATE jobs SET wake_at = ? WHERE job_id = ? AND purged = 0 AND (wake_at IS NULL OR wake_at > ?)';
		this.#sql.rows(query, at, jobId, at);
	}

	insertJob(request: OpenJobRequest, accepted: number, price: number): void {
		this.#sql.rows(
			`INSERT INTO jobs (job_id, status, key_id, name, submitted, accepted, duplicates, invalid, parts, timing,
				idempotency_key, created_at, kind, source_job_id, wake_at, rescues_catch_all, mail_wanted, folded_name)
				VALUES (?, 'processing', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			request.jobId,
			request.keyId,
			request.name,
			request.submitted,
			accepted,
			request.duplicates,
			request.invalid,
			request.parts.length,
			JSON.stringify({ ...request.timing, price }),
			request.idempotency === null ? null : keyOf(request.kind, request.idempotency.key),
			request.now,
			request.kind,
			request.sourceJobId,
			request.now + request.timing.redriveAfterMs,
			request.rescuesCatchAll ? 1 : 0,
			request.mailWhenDone === true ? 1 : 0,
			request.name === null ? null : folded(request.name),
		);
	}

	endJob(
		jobId: string,
		end: {
			status: JobStatus;
			endedAt: number;
			error: string | null;
			purgeAt: number;
			kept: number;
			totals: FinalTotals;
		},
	): void {
		this.#sql.rows(
			'UPDATE jobs SET status = ?, ended_at = ?, error = ?, purge_at = ?, kept = ?, totals = ? WHERE job_id = ?',
			end.status,
			end.endedAt,
			end.error,
			end.purgeAt,
			end.kept,
			JSON.stringify(end.totals),
			jobId,
		);
	}

	/** Makes the record of a damaged job readable: it has no addresses and no parts. */
	emptyJob(jobId: string, kind: JobKind): void {
		const timing = { retryDelaysMs: [], redriveAfterMs: MINUTE_MS, resultsTtlMs: 0, horizonMs: 0, price: 1 };
		this.#sql.rows('DELETE FROM parts WHERE job_id = ?', jobId);
		this.#sql.rows(
			'UPDATE jobs SET kind = ?, timing = ?, accepted = 0, parts = 0 WHERE job_id = ?',
			kind,
			JSON.stringify(timing),
			jobId,
		);
	}

	setFinished(jobId: string, finishedAt: number): void {
		this.#sql.rows('UPDATE jobs SET finished_at = ? WHERE job_id = ?', finishedAt, jobId);
	}

	setDeleted(
		jobId: string,
		{ deletedAt, purgeAt }: { readonly deletedAt: number; readonly purgeAt: number },
	): void {
		const query = 'UPDATE jobs SET deleted_at = ?, purge_at = ? WHERE job_id = ?';
		this.#sql.rows(query, deletedAt, purgeAt, jobId);
	}

	setPurge(jobId: string, purgeAt: number): void {
		this.#sql.rows('UPDATE jobs SET purge_at = ?, wake_at = ? WHERE job_id = ?', purgeAt, purgeAt, jobId);
	}

	/** Has the alarm look at ended jobs only when their results are to be deleted. */
	setListed(jobIds: readonly string[]): void {
		this.#sql.rows(
			`UPDATE jobs SET wake_at = purge_at WHERE purged = 0 AND wake_at < purge_at
				AND job_id IN (SELECT value FROM json_each(?))`,
			JSON.stringify(jobIds),
		);
	}

	/** The job's blobs are gone: its parts go, too. */
	markPurged(jobId: string): void {
		this.#sql.rows('DELETE FROM parts WHERE job_id = ?', jobId);
		this.#sql.rows('UPDATE jobs SET purged = 1, wake_at = NULL WHERE job_id = ?', jobId);
	}

	findPart(jobId: string, n: number): StoredPart | null {
		const [row] = this.#sql.rows('SELECT * FROM parts WHERE job_id = ? AND n = ?', jobId, n);
		return row === undefined ? null : partOf(row);
	}

	attemptsOf(jobId: string): number[] {
		const rows = this.#sql.rows('SELECT attempts FROM parts WHERE job_id = ? ORDER BY n', jobId);
		return rows.map((row) => numberOf(row, 'attempts'));
	}

	/** The part that answered last, with the number of its stored attempt. */
	newestPart(jobId: string): { readonly part: number; readonly attempt: number } | null {
		const [row] = this.#sql.rows(
			'SELECT n, attempts FROM parts WHERE job_id = ? AND attempts > 0 ORDER BY settled_at DESC, n LIMIT 1',
			jobId,
		);
		return row === undefined ? null : { part: numberOf(row, 'n'), attempt: numberOf(row, 'attempts') };
	}

	openParts(jobId: string): StoredPart[] {
		return this.#sql.rows('SELECT * FROM parts WHERE job_id = ? AND deferred > 0', jobId).map(partOf);
	}

	/** The part whose message is planned last. Once all rows are final, its message completes the job. */
	latestPart(jobId: string): StoredPart | null {
		const [row] = this.#sql.rows(
			'SELECT * FROM parts WHERE job_id = ? ORDER BY send_at DESC, n LIMIT 1',
			jobId,
		);
		return row === undefined ? null : partOf(row);
	}

	/** The parts whose messages keep a job going. Once all rows are final, one is enough to complete the job. */
	drivenParts({ jobId, status }: Pick<StoredJob, 'jobId' | 'status'>): readonly StoredPart[] {
		if (status !== 'processing') return [];
		const open = this.openParts(jobId);
		if (open.length > 0) return open;
		const latest = this.latestPart(jobId);
		return latest === null ? [] : [latest];
	}

	writePart(jobId: string, { n, part, settledAt, operator }: StoredPart): void {
		const { counts, deferred } = part.tally;
		assert(finalRows(counts) + deferred === part.count, 'a part counts each of its addresses once');
		this.#sql.rows(
			`INSERT OR REPLACE INTO parts (job_id, n, ${PART_COLUMNS})
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			jobId,
			n,
			part.count,
			part.attempts,
			part.dueAt,
			part.lease?.token ?? null,
			part.lease?.until ?? null,
			part.claims,
			part.sendAt,
			part.sends,
			part.postponedSince,
			counts.deliverable,
			counts.undeliverable,
			counts.risky,
			counts.unknown,
			counts.catchAll,
			deferred,
			settledAt,
			operator,
			part.tally.putOff ?? 0,
			part.tally.free ?? 0,
		);
	}

	totals({ jobId, totals: final }: StoredJob): JobTotals {
		if (final !== null)
			return { ...final, waiting: 0, waits: NO_WAITS, nextAttemptAt: null, lastDueAt: null, lanes: [] };
		const lanes = this.#sql
			.rows(
				// TOTAL, unlike SUM, is a number even without parts.
				`SELECT operator, TOTAL(deliverable) AS deliverable, TOTAL(undeliverable) AS undeliverable,
					TOTAL(risky) AS risky, TOTAL(unknown) AS unknown, TOTAL(catch_all) AS catch_all,
					TOTAL(deferred) AS deferred,
					-- Without the parts that a consumer works on.
					TOTAL(IIF(${IS_WAITING}, deferred, 0)) AS waiting,
					TOTAL(IIF(${IS_WAITING} AND postponed_since IS NOT NULL, deferred, 0)) AS halted,
					TOTAL(IIF(${IS_WAITING} AND postponed_since IS NULL, put_off, 0)) AS put_off,
					MIN(IIF(deferred > 0 AND ${IS_WAITING}, due_at, NULL)) AS next_attempt_at,
					MAX(IIF(deferred > 0 AND ${IS_WAITING}, due_at, NULL)) AS last_due_at,
					MAX(settled_at) AS settled_at
				FROM parts WHERE job_id = ? GROUP BY operator`,
				jobId,
			)
			.map(laneOf);
		const times = (key: 'nextAttemptAt' | 'lastDueAt' | 'settledAt'): number[] =>
			lanes.map((lane) => lane[key]).filter((at) => at !== null);
		const sum = (count: (lane: StoredLane) => number): number =>
			lanes.reduce((total, lane) => total + count(lane), 0);
		return {
			counts: {
				deliverable: sum(({ counts }) => counts.deliverable),
				undeliverable: sum(({ counts }) => counts.undeliverable),
				risky: sum(({ counts }) => counts.risky),
				unknown: sum(({ counts }) => counts.unknown),
				catchAll: sum(({ counts }) => counts.catchAll),
			},
			deferred: sum(({ open }) => open),
			waiting: sum(({ waiting }) => waiting),
			waits: {
				halted: sum(({ waits }) => waits.halted),
				putOff: sum(({ waits }) => waits.putOff),
			},
			nextAttemptAt: orNull(Math.min(...times('nextAttemptAt'))),
			lastDueAt: orNull(Math.max(...times('lastDueAt'))),
			settledAt: orNull(Math.max(...times('settledAt'))),
			lanes,
		};
	}

	/** Deletes names and Idempotency-Keys, and drops the mails that wait. */
	forgetWords(): void {
		this.#sql.rows('UPDATE jobs SET name = NULL, folded_name = NULL, idempotency_key = NULL, mail_at = NULL');
	}
}
