import { available, reserve } from '../../../core/credits/balance.ts';
import { JOB_KINDS, requireJobKind } from '../../../core/jobs/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds.ts';
import { NO_COUNTS } from '../../../core/jobs/part.ts';
import { ANSWER_KEPT_MS, LAST_LEASE_MS } from '../../../core/jobs/retention.ts';
import { assert } from '../../../lib/assert.ts';
import { folded } from '../../../lib/text.ts';
import type {
	JobRecord,
	JobStatus,
	OpenJobRequest,
	OpenJobResult,
	StoredJob,
} from '../../../operations/jobs/port.ts';
import { requireState } from '../credits/books.ts';
import type { CreditStorage } from '../credits/storage.ts';
import { expire, findRemembered, keyOf, remember } from '../idempotency.ts';
import type { Sql } from '../../sql.ts';
import { keepCallbackSecret } from '../tell/callbacks.ts';
import { chargeRows, endCharges } from './charges.ts';
import { endParts, openParts, retryParts, sendNext, viewParts } from './parts.ts';
import { lastMadeOf, recordOf, totalsOf } from './record.ts';

/** Columns that this object alone reads: when it looks at a job again, and how it finds it. */
interface Planned {
	readonly wakeAt: number | null;
	readonly purgeAt: number | null;
	readonly purged: boolean;
	readonly foldedName: string | null;
}

interface Surroundings {
	/** Has the alarm ring by then. */
	readonly wakeBy: (at: number) => void;
	/** The body of the 202 that tells of a new job. */
	readonly renderAccepted: (
		job: JobRecord,
		about: { readonly requestId: string; readonly previousTaskId: string | null },
	) => string;
	/** Called in the transaction in which a job ends. */
	readonly ended: (job: JobRecord, now: number) => void;
}

/**
 * The jobs of an account. Each method runs in one transaction, and repeating it changes nothing. A job's charged,
 * refunded and reserved credits are the sums over its parts, so no step can count an address twice.
 */
export class AccountJobs {
	readonly #account: CreditStorage;
	readonly #sql: Sql;
	readonly #wakeBy: (at: number) => void;
	readonly #surroundings: Surroundings;

	constructor(credits: CreditStorage, sql: Sql, surroundings: Surroundings) {
		this.#account = credits;
		this.#sql = sql;
		this.#wakeBy = surroundings.wakeBy;
		this.#surroundings = surroundings;
	}

	/**
	 * Reserves credits, records the job and sets the alarm. A repeated call with the same job id gets `opened` again. The
	 * caller sends the first messages; the alarm resends lost ones.
	 */
	openJob(request: OpenJobRequest): OpenJobResult {
		const { parts, idempotency, requestId, now, callback = null, ...job } = request;
		const { jobId, kind, keyId, name, price, sourceJobId } = job;
		if (callback !== null) keepCallbackSecret(this.#sql, callback.secret);
		const state = requireState(this.#account);
		// Checked before the key: on "replay", the Worker of a repeated call would delete its own job's input.
		const existing = this.findStored(jobId);
		if (existing !== null) return this.#openedBefore(existing, requestId);
		const known = idempotency === null ? null : this.findAnswer({ kind, idempotency, now });
		if (known !== null) return known;
		const accepted = parts.reduce((sum, count) => sum + count, 0);
		assert(accepted > 0 || JOB_KINDS[kind].isDeep, 'a job has addresses');
		if (accepted > 0) {
			const balance = reserve(state.balance, accepted * price);
			if (balance === null) return { kind: 'insufficient_credits', available: available(state.balance) };
			const line = { at: now, id: jobId, kind: JOB_KINDS[kind].noun, keyId, credits: accepted * price };
			this.#account.insertLine(line);
			this.#account.write({ ...state, balance });
		}
		const idempotencyKey = idempotency === null ? null : keyOf(kind, idempotency.key);
		const counts = { accepted, parts: parts.length };
		const names = { idempotencyKey, foldedName: name === null ? null : folded(name) };
		const previousTaskId =
			sourceJobId === null ? null : lastMadeOf(this.#sql, sourceJobId, 'catchall', false);
		const callbackUrl = callback?.url ?? null;
		this.#sql.insert('jobs', {
			...job,
			callbackUrl,
			...counts,
			...names,
			status: 'processing',
			createdAt: now,
		});
		const inserted = this.requireJob(jobId);
		const sent = openParts({ sql: this.#sql, wakeBy: this.#wakeBy }, inserted, parts);
		// A job without addresses is completed at once.
		const opened =
			accepted > 0 ? this.record(inserted) : this.#end(inserted, { status: 'completed', now, error: null });
		const response =
			requestId === null ? '' : this.#surroundings.renderAccepted(opened, { requestId, previousTaskId });
		if (idempotency !== null && idempotencyKey !== null) {
			const answered = { ref: jobId, at: now, busyUntil: null, answer: response, expiresAt: null };
			remember(this.#sql, { key: idempotencyKey, fingerprint: idempotency.fingerprint, ...answered });
			if (opened.endedAt !== null) this.#forgetKey(inserted, now);
		}
		return { kind: 'opened', job: opened, response, sent };
	}

	#openedBefore(existing: StoredJob, requestId: string | null): OpenJobResult {
		const { jobId, idempotencyKey, createdAt } = existing;
		const job = this.record(existing);
		const known = idempotencyKey === null ? null : findRemembered(this.#sql, idempotencyKey, createdAt);
		const render = (): string =>
			requestId === null ? '' : this.#surroundings.renderAccepted(job, { requestId, previousTaskId: null });
		const query = 'SELECT n FROM parts WHERE jobId = ? AND token IS NULL AND sends > 0';
		const sent = this.#sql.all<{ n: number }>(query, jobId).map(({ n }) => n);
		return { kind: 'opened', job, response: known?.answer ?? render(), sent };
	}

	/** The first answer to this Idempotency-Key, for a check before all others; null: the key is new. */
	findAnswer({
		kind,
		idempotency,
		now,
	}: {
		kind: JobKind;
		idempotency: { readonly key: string; readonly fingerprint: string };
		now: number;
	}): Exclude<OpenJobResult, { kind: 'opened' | 'insufficient_credits' }> | null {
		const known = this.#account.exists ? findRemembered(this.#sql, keyOf(kind, idempotency.key), now) : null;
		if (known === null) return null;
		const { fingerprint, ref: jobId, answer } = known;
		assert(answer !== null, 'a job has its answer from the beginning');
		return fingerprint === idempotency.fingerprint
			? { kind: 'replay', jobId, response: answer }
			: { kind: 'mismatch' };
	}

	findJob(jobId: string): JobRecord | null {
		const job = this.findStored(jobId);
		return job === null ? null : this.record(job);
	}

	/** Null also for a damaged one. */
	findReadable(jobId: string): JobRecord | null {
		try {
			return this.findJob(jobId);
		} catch {
			return null;
		}
	}

	/** A page of the account's jobs, newest first, and how many there are. `page` counts from 1. */
	listJobs(request: {
		kind: JobKind;
		/** Left out: any. */
		status?: JobStatus | undefined;
		/** A part of their names, in any case; of those that were not deleted. Left out: deleted ones too. */
		search?: string;
		page: number;
		pageSize: number;
	}): { jobs: readonly JobRecord[]; total: number } {
		if (!this.#account.exists) return { jobs: [], total: 0 };
		const { kind, status = null, search, page, pageSize } = request;
		const selected = `FROM jobs WHERE kind = ?1 AND (?2 IS NULL OR status = ?2)
			AND (?3 IS NULL OR deletedAt IS NULL AND (?3 = '' OR instr(foldedName, ?3) > 0))`;
		const which = [kind, status, search === undefined ? null : folded(search)];
		const query = `SELECT jobId ${selected} ORDER BY createdAt DESC, jobId DESC LIMIT ?4 OFFSET ?5`;
		const found = this.#sql.all<{ jobId: string }>(query, ...which, pageSize, (page - 1) * pageSize);
		const count = this.#sql.first<{ jobs: number }>(`SELECT COUNT(*) AS jobs ${selected}`, ...which);
		return {
			jobs: found.map(({ jobId }) => this.findReadable(jobId)).filter((job) => job !== null),
			total: count?.jobs ?? 0,
		};
	}

	/** Null: there is no such job. */
	renameJob({ jobId, name }: { jobId: string; name: string }): JobRecord | null {
		if (this.findStored(jobId) === null) return null;
		this.#sql.update('jobs', { jobId }, { name, foldedName: folded(name) });
		return this.findJob(jobId);
	}

	/** Sets whether the owner gets a mail when the job ends. It changes nothing for a job that has ended. */
	setMailWhenDone({ jobId, wanted }: { jobId: string; wanted: boolean }): JobRecord | null {
		if (this.findStored(jobId) === null) return null;
		this.#sql.update('jobs', { jobId, status: 'processing' }, { mailWhenDone: wanted });
		return this.findJob(jobId);
	}

	/** When the oldest running job was opened, epoch ms; null: none runs. Reads no record, so a damaged one does no harm. */
	get runsSince(): number | null {
		const query = "SELECT MIN(createdAt) AS at FROM jobs INDEXED BY runningJobs WHERE status = 'processing'";
		return this.#sql.first<{ at: number | null }>(query)?.at ?? null;
	}

	/** The catch-all tasks over a job, newest first. */
	tasksOf(jobId: string): readonly JobRecord[] {
		if (!this.#account.exists) return [];
		const query = `SELECT jobId FROM jobs WHERE sourceJobId = ? AND kind = 'catchall' ORDER BY createdAt DESC, jobId DESC`;
		return this.#sql
			.all<{ jobId: string }>(query, jobId)
			.map((task) => this.record(this.requireJob(task.jobId)));
	}

	/**
	 * Ends a running job early: its open addresses are unknown and refunded, in this step; what consumers still bring
	 * changes nothing. `completeJob` has to follow, and the alarm sees to it.
	 */
	finishJob({ jobId, now }: { jobId: string; now: number }): JobRecord {
		const job = this.requireJob(jobId);
		if (job.status !== 'processing' || job.finishedAt !== null) return this.record(job);
		const unknown = endParts({ sql: this.#sql, wakeBy: this.#wakeBy }, job, now);
		chargeRows(this.#account, job, { ...NO_COUNTS, unknown }, { free: 0, now });
		this.#sql.update('jobs', { jobId }, { finishedAt: now });
		sendNext({ sql: this.#sql, wakeBy: this.#wakeBy }, now);
		return this.record(this.requireJob(jobId));
	}

	/** The number of each part's last attempt that is settled, in the order of the parts; 0: none is. */
	attemptsOf({ jobId }: { jobId: string }): readonly number[] {
		if (!this.#account.exists) return [];
		const query = 'SELECT attempts FROM parts WHERE jobId = ? ORDER BY n';
		return this.#sql.all<{ attempts: number }>(query, jobId).map(({ attempts }) => attempts);
	}

	/** Has the alarm delete the results of a job that has ended; they can't be read from now on. */
	deleteResults({ jobId, now }: { jobId: string; now: number }): JobRecord {
		const job = this.requireJob(jobId);
		if (job.endedAt === null || job.deletedAt !== null) return this.record(job);
		// A consumer whose last lease still runs may write after a deletion.
		const purgeAt = Math.max(now, job.endedAt + LAST_LEASE_MS);
		this.#sql.update('jobs', { jobId }, { deletedAt: now, purgeAt });
		this.#sql.rows('UPDATE jobs SET wakeAt = MIN(wakeAt, purgeAt) WHERE jobId = ?', jobId);
		this.#wakeBy(purgeAt);
		return this.record(this.requireJob(jobId));
	}

	/**
	 * The results are written, so they can be read, and will expire. Call this last: until then the alarm drives the job
	 * to its end, and afterwards it only deletes the job's blobs.
	 */
	completeJob({ jobId, now }: { jobId: string; now: number }): JobRecord {
		const job = this.requireJob(jobId);
		if (job.status !== 'processing') return this.record(job);
		const { processed, accepted } = this.record(job);
		assert(processed === accepted, 'a job is completed when every row is final');
		return this.#end(job, { status: 'completed', now, error: null });
	}

	/** The job can't be done, and costs nothing: charges are refunded, the rest of the reservation is released. */
	failJob({ jobId, now, error }: { jobId: string; now: number; error: string }): JobRecord {
		const job = this.requireJob(jobId);
		if (job.status !== 'processing') return this.record(job);
		return this.#end(job, { status: 'failed', now, error, refunds: true });
	}

	/** The job and the parts that still drive it; null: there is no such job. */
	inspectJob({ jobId, now }: { jobId: string; now: number }) {
		const job = this.findStored(jobId);
		return job === null ? null : { job: this.record(job), parts: viewParts(this.#sql, job, now) };
	}

	/** Sends all parts that still drive the job again, at once. False: there is no such job, or it has ended. */
	retryJob({ jobId, now }: { jobId: string; now: number }): boolean {
		const job = this.findStored(jobId);
		return job !== null && retryParts({ sql: this.#sql, wakeBy: this.#wakeBy }, job, now) > 0;
	}

	/** Ends a running job of a closed account. Answers given so far stay charged: the owner ended it, we did not fail. */
	abandonJob({ jobId, now }: { jobId: string; now: number }): JobRecord {
		return this.#end(this.requireJob(jobId), { status: 'failed', now, error: 'The account was deleted' });
	}

	/** Tells of a job that ended otherwise than by a method of this class. */
	tellEnd({ jobId, now }: { jobId: string; now: number }): void {
		this.#surroundings.ended(this.record(this.requireJob(jobId)), now);
	}

	/** Records that the operators' listing knows how these jobs ended: they are due when their results are deleted. */
	listed(jobIds: readonly string[]): void {
		this.#sql.rows(
			`UPDATE jobs SET wakeAt = purgeAt WHERE purged = 0 AND wakeAt < purgeAt
				AND jobId IN (SELECT value FROM json_each(?))`,
			JSON.stringify(jobIds),
		);
	}

	/** Records that the blobs of an ended job are deleted. Its parts go, too. */
	purged(jobId: string): void {
		this.#sql.rows('DELETE FROM parts WHERE jobId = ?', jobId);
		this.#sql.update('jobs', { jobId }, { purged: true, wakeAt: null });
	}

	/** Null also if the account was never opened, as its object has no tables then. */
	findStored(jobId: string): StoredJob | null {
		const row = this.#account.exists
			? this.#sql.first<StoredJob & Planned>('SELECT * FROM jobs WHERE jobId = ?', jobId)
			: null;
		if (row === null) return null;
		const { wakeAt: _, purgeAt: __, purged: ___, foldedName: ____, ...job } = row;
		requireJobKind(job.kind);
		return job;
	}

	requireJob(jobId: string): StoredJob {
		const job = this.findStored(jobId);
		assert(job !== null, `job ${jobId} was opened here`);
		return job;
	}

	/** A job as operations see it. */
	record(job: StoredJob): JobRecord {
		return recordOf(this.#sql, job);
	}

	/** Has the answer to the job's Idempotency-Key forgotten in time. */
	#forgetKey({ idempotencyKey, timing }: StoredJob, now: number): void {
		const keptMs = Math.max(timing.resultsTtlMs, ANSWER_KEPT_MS);
		if (idempotencyKey !== null) expire(this.#sql, idempotencyKey, now + keptMs);
	}

	#end(
		job: StoredJob,
		end: { status: 'completed' | 'failed'; now: number; error: string | null; refunds?: boolean },
	): JobRecord {
		const { status, now, error, refunds = false } = end;
		const { jobId, timing } = job;
		const kept = endCharges(this.#account, job, this.record(job), { status, now, refunds });
		const purgeAt = now + timing.resultsTtlMs;
		// The alarm tells the operators' listing, as soon as it would have sent the next message.
		const wakeAt = Math.min(purgeAt, now + timing.redriveAfterMs);
		const totals = totalsOf(this.#sql, jobId);
		this.#sql.update('jobs', { jobId }, { status, endedAt: now, error, purgeAt, wakeAt, kept, totals });
		this.#forgetKey(job, now);
		const answer = this.record(this.requireJob(jobId));
		this.#surroundings.ended(answer, now);
		this.#wakeBy(wakeAt);
		// Its parts leave room; a completed job's left theirs before.
		if (status === 'failed') sendNext({ sql: this.#sql, wakeBy: this.#wakeBy }, now);
		return answer;
	}
}
