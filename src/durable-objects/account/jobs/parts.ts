import * as machine from '../../../core/jobs/part.ts';
import { PARTS_IN_FLIGHT_MAX, PARTS_OF_ACCOUNT_MAX, finalRows } from '../../../core/jobs/part.ts';
import type { Part } from '../../../core/jobs/part.ts';
import { SMALL_JOB_BELOW } from '../../../core/jobs/deferral.ts';
import { assert } from '../../../lib/assert.ts';
import type { StoredJob } from '../../../operations/jobs/port.ts';
import type { Sql } from '../../sql.ts';

// The parts of jobs. Each has one clock, `nextAt`: the alarm sends what is due while the window has room.

/** Where parts are stored, and has the alarm ring by a time. */
interface Waking {
	readonly sql: Sql;
	readonly wakeBy: (at: number) => void;
}

/** The parts of all running jobs that still have something to do. */
const MOVING = `jobs INDEXED BY runningJobs CROSS JOIN parts USING (jobId)
	WHERE status = 'processing' AND nextAt IS NOT NULL`;
const IS_SMALL = `accepted < ${SMALL_JOB_BELOW}`;
const IN_FLIGHT = '(token IS NOT NULL OR sends > 0)';

/** Records the parts of a new job. Returns the numbers of those that the caller sends now: as many as there is room for. */
export function openParts(
	{ sql, wakeBy }: Waking,
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
export function endParts(account: Waking, job: StoredJob, now: number): number {
	const open = drivenParts(account.sql, job).filter((part) => !machine.isDone(part));
	for (const [at, part] of open.entries())
		write(account, machine.endPart(part, now, job.timing, at === open.length - 1));
	return open.reduce((sum, { deferred }) => sum + deferred, 0);
}

/** Has all parts that still drive a job sent again, at once. */
export function retryParts(account: Waking, job: StoredJob, now: number): number {
	const driven = drivenParts(account.sql, job);
	for (const part of driven) write(account, machine.retryPart(part, now));
	return driven.length;
}

/** The parts that drive a job, as operators see them. */
export function viewParts(sql: Sql, job: StoredJob, now: number) {
	const driven = drivenParts(sql, job);
	const hasRoom = driven.filter(machine.isInFlight).length < PARTS_IN_FLIGHT_MAX;
	return driven.map((part) => ({
		part: part.n,
		addresses: part.count,
		open: part.deferred,
		attempts: part.attempts,
		claims: part.claims,
		sends: part.sends,
		/** Since when it should have moved, or until when it waits. */
		dueAt: machine.dueSince(part, job.timing),
		nextMessageAt: part.nextAt ?? now,
		/** Until when a consumer has it. */
		leaseUntil: part.token === null ? null : part.nextAt,
		/** Due for ten minutes, without a consumer. */
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

/** When the alarm has to send a part next; null: never. A part that waits for room is sent when another part ends. */
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

/** Null: the job has no such part. */
export function findPart(sql: Sql, jobId: string, n: number): Part | null {
	return sql.first<Part>('SELECT * FROM parts WHERE jobId = ? AND n = ?', jobId, n);
}

/** The parts that keep a job going. Once all rows are final, it is one that is sent until the job is completed. */
function drivenParts(sql: Sql, { jobId, status }: StoredJob): readonly Part[] {
	if (status !== 'processing') return [];
	return sql.all<Part>('SELECT * FROM parts WHERE jobId = ? AND nextAt IS NOT NULL', jobId);
}

/** Whether all other parts of the job are done. */
export function isLast(sql: Sql, { jobId, n }: Part): boolean {
	return (
		sql.first('SELECT n FROM parts WHERE jobId = ? AND n <> ? AND deferred > 0 LIMIT 1', jobId, n) === null
	);
}

/** Has the alarm ring at once where a part waits that is due: there may be room for it now. */
export function sendNext({ sql, wakeBy }: Waking, now: number): void {
	if (sql.first(`SELECT n FROM ${MOVING} AND NOT ${IN_FLIGHT} AND nextAt <= ? LIMIT 1`, now) !== null)
		wakeBy(now);
}

/** Records a part, and has the alarm ring by its time. */
export function write({ sql, wakeBy }: Waking, part: Part): void {
	writePart(sql, part);
	if (part.nextAt !== null) wakeBy(part.nextAt);
}

export function writePart(sql: Sql, part: Part): void {
	assert(finalRows(part) + part.deferred === part.count, 'a part counts each of its addresses once');
	sql.put('parts', part);
}
