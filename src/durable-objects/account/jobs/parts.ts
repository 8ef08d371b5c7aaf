import { tallyDifference } from '../../../core/jobs/part.ts';
import * as machine from '../../../core/jobs/part.ts';
import { PARTS_IN_FLIGHT_MAX, PARTS_OF_ACCOUNT_MAX, finalRows } from '../../../core/jobs/part.ts';
import type { Part, StoredAttempt } from '../../../core/jobs/part.ts';
import { SMALL_JOB_BELOW } from '../../../core/jobs/deferral.ts';
import type { RowCounts } from '../../../core/jobs/stored-row.ts';
import { assert } from '../../../lib/assert.ts';
import { log } from '../../../lib/log.ts';
import { HOUR_MS } from '../../../lib/time.ts';
import type { PartView, StoredJob } from '../../../operations/jobs/port.ts';
import type { Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { freeAnswersLeftOf } from '../credits/free-answers.ts';
import { payerOf } from '../credits/grants.ts';
import { chargeRows } from './charges.ts';

// The parts of jobs. Each has one clock, `nextAt`: the alarm sends what is due while the window has room.

/**
 * A consumer whose clock is further from the account's takes no part: what it wrote, its lease and when rows are due, would
 * hold the job up for as long as the clocks are apart.
 */
const CLOCKS_APART_MAX_MS = HOUR_MS;

/** The parts of all running jobs that still have something to do. */
const MOVING = `jobs INDEXED BY runningJobs CROSS JOIN parts USING (jobId)
	WHERE status = 'processing' AND nextAt IS NOT NULL`;
const IS_SMALL = `accepted < ${SMALL_JOB_BELOW}`;
const IN_FLIGHT = '(token IS NOT NULL OR sends > 0)';

interface PartRef {
	readonly jobId: string;
	readonly part: number;
}

interface PartClaim extends PartRef {
	readonly token: string;
	readonly now: number;
	readonly leaseMs: number;
}

/** Takes the next attempt of a part. `abandoned`: too many consumers died with it, so its open rows are given up. */
export function claimPart(account: AccountContext, request: PartClaim) {
	const { jobId, now } = request;
	const apartMs = now - account.now();
	if (Math.abs(apartMs) > CLOCKS_APART_MAX_MS) {
		log('clocks_apart', { jobId, part: request.part, apartMs }, 'warn');
		return { kind: 'held' } as const;
	}
	const found = runningPart(account, request);
	// No such job, or it has ended.
	if (found === null) return { kind: 'gone' } as const;
	const { job } = found;
	const claim = machine.claimPart(found.part, request, now);
	if (claim.kind !== 'claimed') return claim;
	const { part, abandoned } = claim;
	write(account, part);
	return {
		kind: 'claimed',
		jobKind: job.kind,
		rescuesCatchAll: job.rescuesCatchAll,
		attempt: part.attempts + 1,
		abandoned,
		count: part.count,
		/** Whether the answer is promised within half a minute. */
		isSmall: job.accepted < SMALL_JOB_BELOW,
		/** Until when rows may wait for us. */
		horizon: job.createdAt + job.timing.horizonMs,
		retryDelaysMs: job.timing.retryDelaysMs,
		/** When the part last had an answer. */
		silentSince: part.settledAt ?? job.createdAt,
		/** How many more answers may be free today. */
		freeAnswersLeft: freeAnswersLeftOf(account, now),
		payer: payerOf(account),
	} as const;
}

/** False: another consumer has the part, or its attempt is stored. */
export function renewPart(account: AccountContext, request: PartClaim): boolean {
	const found = runningPart(account, request);
	const part = found === null ? null : machine.renewPart(found.part, request, request.now);
	// The alarm is set for the part already, and renewing only postpones what it has to do.
	if (part !== null) writePart(account.sql, part);
	return part !== null;
}

/** Gives a part back until later. */
export function postponePart(
	account: AccountContext,
	request: PartRef & { readonly token: string; readonly until: number; readonly now: number },
): void {
	const found = runningPart(account, request);
	const part = found === null ? null : machine.putPartOff(found.part, request, request.now);
	if (part === null || part === found?.part) return;
	write(account, part);
	sendNext(account, request.now);
}

/**
 * Records a stored attempt: charges, refunds, and plans the next attempt. An attempt that was recorded before, or an earlier
 * one, changes nothing. `ready`: all rows are final and the job is not completed. `held`: the holder still has the part, and
 * goes on with the next attempt.
 */
export function settlePart(account: AccountContext, { jobId, part: n, ...stored }: PartRef & StoredAttempt) {
	const { sql, jobs, credits } = account;
	const job = jobs.requireJob(jobId);
	// Its parts may be gone.
	if (job.status !== 'processing') return { job: jobs.record(job), ready: false, held: false };
	const before = findPart(sql, jobId, n);
	assert(before !== null, `job ${jobId} has part ${n}`);
	const part = machine.settlePart(before, stored, job.timing, isLast(sql, before));
	if (part !== before) {
		const free = (part.tally.free ?? 0) - (before.tally.free ?? 0);
		chargeRows(credits, job, tallyDifference(before.tally, part.tally), { free, now: stored.now });
		write(account, part);
	}
	const record = jobs.record(job);
	const held = stored.holder !== undefined && part.token === stored.holder.token;
	if (!held) sendNext(account, stored.now);
	return { job: record, ready: record.processed === record.accepted, held };
}

/** The part of a job that answered last, with the number of its stored attempt; null: none has. */
export function newestPart({ sql, credits }: AccountContext, { jobId }: { readonly jobId: string }) {
	return credits.exists
		? sql.first<{ part: number; attempt: number }>(
				`SELECT n AS part, attempts AS attempt FROM parts WHERE jobId = ? AND attempts > 0
					ORDER BY settledAt DESC, n LIMIT 1`,
				jobId,
			)
		: null;
}

/** Records the parts of a new job. Returns the numbers of those that the caller sends now: as many as there is room for. */
export function openParts(
	{ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>,
	{ jobId, timing, createdAt: now }: Pick<StoredJob, 'jobId' | 'timing' | 'createdAt'>,
	counts: readonly number[],
): readonly number[] {
	const isSmall = counts.reduce((sum, count) => sum + count, 0) < SMALL_JOB_BELOW;
	const query = `SELECT COUNT(*) AS parts FROM ${MOVING} AND ${IN_FLIGHT} AND deferred > 0 AND (${IS_SMALL}) = ?`;
	const inFlight = sql.first<{ parts: number }>(query, isSmall ? 1 : 0)?.parts ?? 0;
	const room = Math.min(PARTS_IN_FLIGHT_MAX, PARTS_OF_ACCOUNT_MAX[isSmall ? 'small' : 'others'] - inFlight);
	const sent: number[] = [];
	for (const [n, count] of counts.entries()) {
		const part = machine.openPart({ jobId, n, count }, now);
		writePart(sql, n < room ? machine.sendPart(part, now, timing) : part);
		if (n < room) sent.push(n);
	}
	wakeBy(now + timing.redriveAfterMs);
	return sent;
}

/** Ends the open parts of a job. Returns how many addresses were open. */
export function endParts(
	account: Pick<AccountContext, 'sql' | 'wakeBy'>,
	job: StoredJob,
	now: number,
): number {
	const open = drivenParts(account.sql, job).filter((part) => !machine.isDone(part));
	for (const [at, part] of open.entries())
		write(account, machine.endPart(part, now, job.timing, at === open.length - 1));
	return open.reduce((sum, { tally }) => sum + tally.deferred, 0);
}

/** Has all parts that still drive a job sent again, at once. */
export function retryParts(
	account: Pick<AccountContext, 'sql' | 'wakeBy'>,
	job: StoredJob,
	now: number,
): number {
	const driven = drivenParts(account.sql, job);
	for (const part of driven) write(account, machine.retryPart(part, now));
	return driven.length;
}

/** The parts that drive a job, as operators see them. */
export function viewParts(sql: Sql, job: StoredJob, now: number): readonly PartView[] {
	const driven = drivenParts(sql, job);
	const hasRoom = driven.filter(machine.isInFlight).length < PARTS_IN_FLIGHT_MAX;
	return driven.map((part) => ({
		part: part.n,
		addresses: part.count,
		open: part.tally.deferred,
		attempts: part.attempts,
		claims: part.claims,
		sends: part.sends,
		dueAt: machine.dueSince(part, job.timing),
		nextMessageAt: part.nextAt ?? now,
		leaseUntil: part.token === null ? null : part.nextAt,
		stuck: machine.isStuck(part, now, job.timing) && (machine.isInFlight(part) || hasRoom),
	}));
}

/**
 * The parts to send now, by job: those whose message or consumer was lost, and as many of those that wait as there is room
 * for. A job with few parts under way comes before one with many, and in a job the longest wait first.
 */
export function findDue(sql: Sql, now: number): ReadonlyMap<string, readonly number[]> {
	const due = sql.all<{ jobId: string; n: number }>(
		`WITH moving AS (SELECT jobId, n, nextAt, ${IS_SMALL} AS isSmall, ${IN_FLIGHT} AS isSent, deferred = 0 AS isDone
				FROM ${MOVING} AND (${IN_FLIGHT} OR nextAt <= ?1)),
			inJob AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY jobId, isDone ORDER BY isSent DESC, nextAt, n) AS ofJob
				FROM moving),
			inAccount AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY isSmall, isDone ORDER BY isSent DESC, ofJob, nextAt, n)
				AS ofAccount FROM inJob WHERE ofJob <= ${PARTS_IN_FLIGHT_MAX})
		SELECT jobId, n FROM inAccount WHERE nextAt <= ?1 AND (isSent
			OR ofAccount <= IIF(isSmall, ${PARTS_OF_ACCOUNT_MAX.small}, ${PARTS_OF_ACCOUNT_MAX.others})) ORDER BY nextAt, n`,
		now,
	);
	const byJob = Map.groupBy(due, ({ jobId }) => jobId);
	return new Map([...byJob].map(([jobId, parts]) => [jobId, parts.map(({ n }) => n)]));
}

/** When the alarm has to send a part next; null: never. What waits for room is sent when another part ends. */
export function nextDue(sql: Sql, now: number): number | null {
	const query = `SELECT MIN(nextAt) AS at FROM ${MOVING} AND (${IN_FLIGHT} OR nextAt > ?)`;
	return sql.first<{ at: number | null }>(query, now)?.at ?? null;
}

/** Records that these parts are sent now. Returns since when the longest stuck of them should have moved, and how many are. */
export function sendParts(
	sql: Sql,
	{ jobId, timing }: StoredJob,
	due: readonly number[],
	now: number,
): { readonly parts: number; readonly since: number } | null {
	const stuck: number[] = [];
	for (const n of due) {
		const part = findPart(sql, jobId, n);
		assert(part !== null, 'a due part exists');
		if (machine.isStuck(part, now, timing)) stuck.push(machine.dueSince(part, timing));
		writePart(sql, machine.sendPart(part, now, timing));
	}
	return stuck.length === 0 ? null : { parts: stuck.length, since: Math.min(...stuck) };
}

/** Leaves the due parts of a job alone until then. */
export function delayParts(sql: Sql, jobId: string, until: number): void {
	sql.rows('UPDATE parts SET nextAt = ? WHERE jobId = ? AND nextAt < ?', until, jobId, until);
}

type PartRow = Omit<Part, 'tally'> & RowCounts & { readonly deferred: number; readonly free: number };

function partOf({
	deliverable,
	undeliverable,
	risky,
	unknown,
	catchAll,
	deferred,
	free,
	...part
}: PartRow): Part {
	const counts = { deliverable, undeliverable, risky, unknown, catchAll };
	return { ...part, tally: { counts, deferred, free } };
}

function findPart(sql: Sql, jobId: string, n: number): Part | null {
	const row = sql.first<PartRow>('SELECT * FROM parts WHERE jobId = ? AND n = ?', jobId, n);
	return row === null ? null : partOf(row);
}

function runningPart(
	{ sql, jobs }: AccountContext,
	{ jobId, part: n }: PartRef,
): { job: StoredJob; part: Part } | null {
	const job = jobs.findStored(jobId);
	const part = job?.status === 'processing' ? findPart(sql, jobId, n) : null;
	return job === null || part === null ? null : { job, part };
}

/** The parts that keep a job going. Once all rows are final, it is one that is sent until the job is completed. */
function drivenParts(sql: Sql, { jobId, status }: StoredJob): readonly Part[] {
	if (status !== 'processing') return [];
	return sql.all<PartRow>('SELECT * FROM parts WHERE jobId = ? AND nextAt IS NOT NULL', jobId).map(partOf);
}

/** Whether all other parts of the job are done. */
function isLast(sql: Sql, { jobId, n }: Part): boolean {
	return (
		sql.first('SELECT n FROM parts WHERE jobId = ? AND n <> ? AND deferred > 0 LIMIT 1', jobId, n) === null
	);
}

/** Has the alarm ring at once where a part waits that is due: there may be room for it now. */
function sendNext({ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>, now: number): void {
	if (sql.first(`SELECT n FROM ${MOVING} AND NOT ${IN_FLIGHT} AND nextAt <= ? LIMIT 1`, now) !== null)
		wakeBy(now);
}

function write({ sql, wakeBy }: Pick<AccountContext, 'sql' | 'wakeBy'>, part: Part): void {
	writePart(sql, part);
	if (part.nextAt !== null) wakeBy(part.nextAt);
}

function writePart(sql: Sql, { tally, ...part }: Part): void {
	const { counts, deferred, free = 0 } = tally;
	assert(finalRows(counts) + deferred === part.count, 'a part counts each of its addresses once');
	sql.put('parts', { ...part, ...counts, deferred, free });
}
