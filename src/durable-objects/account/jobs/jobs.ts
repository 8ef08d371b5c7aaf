import { available, reserve } from '../../../core/credits/balance.ts';
import { JOB_KINDS } from '../../../core/jobs/kinds/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds/kinds.ts';
import {
	NO_COUNTS,
	PARTS_IN_FLIGHT_MAX,
	claimPart,
	endPart,
	holds,
	isDone,
	nextSendAt,
	openPart,
	postponePart,
	renewPart,
	retryPart,
	settlePart,
	tallyDifference,
} from '../../../core/jobs/part.ts';
import { ANSWER_KEPT_MS } from '../../../core/jobs/retention.ts';
import { SMALL_JOB_BELOW } from '../../../core/jobs/deferral.ts';
import { assert } from '../../../lib/assert.ts';
import type {
	ClaimResult,
	ClaimedPart,
	JobInspection,
	JobRecord,
	JobStatus,
	PartPostponement,
	OpenJobRequest,
	OpenJobResult,
	PartClaim,
	PartSettlement,
} from '../../../operations/jobs/port.ts';
import { requireState } from '../credits/books.ts';
import { chargeRows, endCharges } from './charges.ts';
import { recordOf, viewParts } from './record.ts';
import { expire, findRemembered, keyOf, remember } from '../idempotency.ts';
import type { StoredJob, StoredPart } from './rows.ts';
import { AccountJobsStorage } from './storage.ts';
import type { CreditStorage } from '../credits/storage.ts';
import type { Sql } from '../../sql.ts';

// Longer than a lease (core/jobs/part.ts).
export const LAST_LEASE_MS = 3 * 60_000;

/**
 * The jobs of an account. Each method runs in one transaction, and repeating it changes nothing. A job's charged,
 * refunded and reserved credits are the sums over its parts, so no step can count an address twice.
 */
export class AccountJobs {
	readonly #account: CreditStorage;
	readonly #storage: AccountJobsStorage;
	readonly #sql: Sql;
	readonly #ring: (at: number) => void;
	readonly #ended: (job: JobRecord, now: number) => void;

	/**
	 * @param wakeBy has the alarm ring by then
	 * @param ended called in the transaction in which a job ends
	 */
	constructor(
		credits: CreditStorage,
		sql: Sql,
		wakeBy: (at: number) => void,
		ended: (job: JobRecord, now: number) => void,
	) {
		this.#account = credits;
		this.#ring = wakeBy;
		this.#ended = ended;
		this.#storage = new AccountJobsStorage(sql);
		this.#sql = sql;
	}

	openJob(request: OpenJobRequest): OpenJobResult {
		const { jobId, kind, now, parts, operators = [], timing, idempotency, response } = request;
		const wakeAt = now + timing.redriveAfterMs;
		const state = requireState(this.#account);
		// Checked before the key: on "replay", the Worker of a repeated call would delete its own job's input.
		const existing = this.#storage.findJob(jobId);
		if (existing !== null) {
			this.#wakeBy(jobId, wakeAt);
			return { kind: 'opened', job: this.#record(existing) };
		}
		const known = idempotency === null ? null : this.findAnswer({ kind, idempotency, now });
		if (known !== null) return known;
		const accepted = parts.reduce((sum, count) => sum + count, 0);
		const { noun, isDeep } = JOB_KINDS[kind];
		const { price = JOB_KINDS[kind].price } = request;
		assert(accepted > 0 || isDeep, 'a job has addresses');
		if (accepted > 0) {
			const balance = reserve(state.balance, accepted * price);
			if (balance === null) return { kind: 'insufficient_credits', available: available(state.balance) };
			const line = { at: now, id: jobId, kind: noun, keyId: request.keyId, credits: accepted * price };
			this.#account.insertLine(line);
			this.#account.write({ ...state, balance });
		}
		this.#storage.insertJob(request, accepted, price);
		for (const [n, count] of parts.entries()) {
			const part = openPart(count, now, timing, n < PARTS_IN_FLIGHT_MAX);
			this.#storage.writePart(jobId, { n, part, settledAt: null, operator: operators[n] ?? null });
		}
		if (idempotency !== null) {
			const { key, fingerprint } = idempotency;
			const answered = { ref: jobId, at: now, busyUntil: null, answer: response, expiresAt: null };
			remember(this.#sql, { key: keyOf(kind, key), fingerprint, ...answered });
		}
		const job = this.#requireJob(jobId);
		// A job without addresses is completed at once.
		if (accepted === 0)
			return { kind: 'opened', job: this.#end(job, { status: 'completed', now, error: null }) };
		this.#wakeBy(jobId, wakeAt);
		return { kind: 'opened', job: this.#record(job) };
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
		const job = this.#find(jobId);
		return job === null ? null : this.#record(job);
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
	listJobs({
		kind,
		status,
		page,
		pageSize,
	}: {
		kind: JobKind;
		/** Left out: any. */
		status?: JobStatus | undefined;
		page: number;
		pageSize: number;
	}): { jobs: readonly JobRecord[]; total: number } {
		if (!this.#account.exists) return { jobs: [], total: 0 };
		const jobs = this.#storage.listJobs({ kind, status }, pageSize, (page - 1) * pageSize);
		return {
			jobs: jobs.map((jobId) => this.findReadable(jobId)).filter((job) => job !== null),
			total: this.#storage.countJobs({ kind, status }),
		};
	}

	/** When the oldest running job was opened, epoch ms; null: none runs. Reads no record, so a damaged one does no harm. */
	get runsSince(): number | null {
		return this.#storage.runsSince();
	}

	/** The catch-all tasks over a job, newest first. */
	tasksOf(jobId: string): readonly JobRecord[] {
		const tasks = this.#account.exists ? this.#storage.checksOf(jobId, 'catchall') : [];
		return tasks.map((task) => this.#record(task));
	}

	claimPart(request: PartClaim): ClaimedPart | Exclude<ClaimResult, { kind: 'claimed' }> {
		const found = this.#runningPart(request);
		if (found === null) return { kind: 'gone' };
		const claim = claimPart(found.stored.part, request, found.job.timing);
		if (claim.kind !== 'claimed') return claim;
		const { attempt, abandoned, part } = claim;
		this.#storage.writePart(request.jobId, { ...found.stored, part });
		const answer = {
			kind: 'claimed',
			jobKind: found.job.kind,
			rescuesCatchAll: found.job.rescuesCatchAll,
			token: request.token,
			attempt,
			count: part.count,
			isSmall: found.job.accepted < SMALL_JOB_BELOW,
			horizon: found.job.createdAt + found.job.timing.horizonMs,
			retryDelaysMs: found.job.timing.retryDelaysMs,
			postponedSince: part.postponedSince,
		} as const;
		this.#wakeBy(request.jobId, nextSendAt(part));
		return abandoned ? { ...answer, abandoned } : answer;
	}

	// The alarm is set for the part already, and renewing a lease only postpones what it has to do.
	renewPart(request: PartClaim): boolean {
		const found = this.#runningPart(request);
		const part = found === null ? null : renewPart(found.stored.part, request);
		if (found === null || part === null) return false;
		this.#storage.writePart(request.jobId, { ...found.stored, part });
		return true;
	}

	settlePart(request: PartSettlement): { job: JobRecord; ready: boolean; held: boolean } {
		const { jobId, now, holder } = request;
		const job = this.#requireJob(jobId);
		// Its parts may be gone.
		if (job.status !== 'processing') return { job: this.#record(job), ready: false, held: false };
		const stored = this.#storage.findPart(jobId, request.part);
		assert(stored !== null, `job ${jobId} has part ${request.part}`);
		const lease = holder === undefined ? undefined : { token: holder.token, until: now + holder.leaseMs };
		const part = settlePart(stored.part, { ...request, holder: lease }, job.timing);
		if (part !== stored.part) {
			const [before, after] = [stored.part.tally, part.tally];
			const free = (after.free ?? 0) - (before.free ?? 0);
			chargeRows(this.#account, job, tallyDifference(before, after), { free, now });
			this.#storage.writePart(jobId, { ...stored, part, settledAt: now });
		}
		const record = this.#record(job);
		const ready = record.processed === record.accepted;
		const held = lease !== undefined && holds(part, lease.token);
		const wakeAt = part !== stored.part && (ready || !isDone(part)) ? nextSendAt(part) : null;
		if (!held && this.#storage.hasUnsentPart(jobId, now)) this.#wakeBy(jobId, now);
		else if (wakeAt !== null) this.#wakeBy(jobId, wakeAt);
		return { job: record, ready, held };
	}

	postponePart(request: PartPostponement): boolean {
		const found = this.#runningPart(request);
		if (found === null) return true;
		const part = postponePart(found.stored.part, request);
		if (part === null) return false;
		if (part === found.stored.part) return true;
		this.#storage.writePart(request.jobId, { ...found.stored, part });
		const { jobId, now } = request;
		this.#wakeBy(jobId, this.#storage.hasUnsentPart(jobId, now) ? now : nextSendAt(part));
		return true;
	}

	/**
	 * Ends a running job early: its open addresses are unknown and refunded, in this step; what consumers still bring
	 * changes nothing. `completeJob` has to follow, and the alarm sees to it.
	 */
	finishJob({ jobId, now }: { jobId: string; now: number }): JobRecord {
		const job = this.#requireJob(jobId);
		if (job.status !== 'processing' || job.finishedAt !== null) return this.#record(job);
		const open = this.#storage.openParts(jobId);
		for (const each of open)
			this.#storage.writePart(jobId, { ...each, part: endPart(each.part, now, job.timing), settledAt: now });
		const unknown = open.reduce((sum, { part }) => sum + part.tally.deferred, 0);
		chargeRows(this.#account, job, { ...NO_COUNTS, unknown }, { free: 0, now });
		this.#storage.setFinished(jobId, now);
		this.#wakeBy(jobId, now + job.timing.redriveAfterMs);
		return this.#record(this.#requireJob(jobId));
	}

	/** The number of each part's last attempt that is settled, in the order of the parts; 0: none is. */
	attemptsOf({ jobId }: { jobId: string }): readonly number[] {
		return this.#account.exists ? this.#storage.attemptsOf(jobId) : [];
	}

	/** Has the alarm delete the results of a job that has ended; they can't be read from now on. */
	deleteResults({ jobId, now }: { jobId: string; now: number }): JobRecord {
		const job = this.#requireJob(jobId);
		if (job.endedAt === null || job.deletedAt !== null) return this.#record(job);
		// A consumer whose last lease still runs may write after a deletion.
		const purgeAt = Math.max(now, job.endedAt + LAST_LEASE_MS);
		this.#storage.setDeleted(jobId, { deletedAt: now, purgeAt });
		this.#wakeBy(jobId, purgeAt);
		return this.#record(this.#requireJob(jobId));
	}

	/**
	 * The results are written, so they can be read, and will expire. Call this last: until then the alarm drives the job
	 * to its end, and afterwards it only deletes the job's blobs.
	 */
	completeJob({ jobId, now }: { jobId: string; now: number }): JobRecord {
		const job = this.#requireJob(jobId);
		if (job.status !== 'processing') return this.#record(job);
		const { processed, accepted } = this.#record(job);
		assert(processed === accepted, 'a job is completed when every row is final');
		return this.#end(job, { status: 'completed', now, error: null });
	}

	/** The job can't be done, and costs nothing: charges are refunded, the rest of the reservation is released. */
	failJob({ jobId, now, error }: { jobId: string; now: number; error: string }): JobRecord {
		const job = this.#requireJob(jobId);
		if (job.status !== 'processing') return this.#record(job);
		return this.#end(job, { status: 'failed', now, error, refunds: true });
	}

	/** The job and the parts that still drive it; null: there is no such job. */
	inspectJob({ jobId, now }: { jobId: string; now: number }): JobInspection | null {
		const job = this.#find(jobId);
		if (job === null) return null;
		return { job: this.#record(job), parts: viewParts(this.#storage.drivenParts(job), now) };
	}

	/** Sends all parts that still drive the job again, at once. False: there is no such job, or it has ended. */
	retryJob({ jobId, now }: { jobId: string; now: number }): boolean {
		const job = this.#find(jobId);
		const driven = job === null ? [] : this.#storage.drivenParts(job);
		for (const stored of driven)
			this.#storage.writePart(jobId, { ...stored, part: retryPart(stored.part, now) });
		if (driven.length > 0) this.#wakeBy(jobId, now);
		return driven.length > 0;
	}

	/** Ends a running job of a closed account. Answers given so far stay charged: the owner ended it, we did not fail. */
	abandonJob({ jobId, now }: { jobId: string; now: number }): JobRecord {
		return this.#end(this.#requireJob(jobId), { status: 'failed', now, error: 'The account was deleted' });
	}

	/** Tells of a job that ended otherwise than by a method of this class. */
	tellEnd({ jobId, now }: { jobId: string; now: number }): void {
		this.#ended(this.#record(this.#requireJob(jobId)), now);
	}

	/** Records that the operators' listing knows how these jobs ended. */
	listed(jobIds: readonly string[]): void {
		this.#storage.setListed(jobIds);
	}

	/** Records that the blobs of an ended job are deleted. */
	purged(jobId: string): void {
		this.#storage.markPurged(jobId);
	}

	#end(
		job: StoredJob,
		end: { status: 'completed' | 'failed'; now: number; error: string | null; refunds?: boolean },
	): JobRecord {
		const { status, now, error, refunds = false } = end;
		const { jobId, timing, idempotencyKey } = job;
		const kept = endCharges(this.#account, job, this.#record(job), { status, now, refunds });
		const purgeAt = now + timing.resultsTtlMs;
		const { counts, deferred, settledAt } = this.#storage.totals(job);
		const totals = { counts, deferred, settledAt };
		this.#storage.endJob(jobId, { status, endedAt: now, error, purgeAt, kept, totals });
		const rememberedUntil = now + Math.max(timing.resultsTtlMs, ANSWER_KEPT_MS);
		if (idempotencyKey !== null) expire(this.#sql, idempotencyKey, rememberedUntil);
		const answer = this.#record(this.#requireJob(jobId));
		this.#ended(answer, now);
		// The alarm tells the operators' listing, as soon as it would have sent the next message.
		this.#wakeBy(jobId, Math.min(purgeAt, now + timing.redriveAfterMs));
		return answer;
	}

	#runningPart({ jobId, part }: { jobId: string; part: number }): {
		job: StoredJob;
		stored: StoredPart;
	} | null {
		const job = this.#find(jobId);
		const stored = job?.status === 'processing' ? this.#storage.findPart(jobId, part) : null;
		return job === null || stored === null ? null : { job, stored };
	}

	/** Null also if the account was never opened, as its object has no tables then. */
	#find(jobId: string): StoredJob | null {
		return this.#account.exists ? this.#storage.findJob(jobId) : null;
	}

	#requireJob(jobId: string): StoredJob {
		const job = this.#find(jobId);
		assert(job !== null, `job ${jobId} was opened here`);
		return job;
	}

	/** Has the alarm look at a job by then. */
	#wakeBy(jobId: string, at: number): void {
		this.#storage.wakeBy(jobId, at);
		this.#ring(at);
	}

	/** A job as operations see it. */
	#record(job: StoredJob): JobRecord {
		return recordOf(job, this.#storage.totals(job), this.#storage);
	}
}
