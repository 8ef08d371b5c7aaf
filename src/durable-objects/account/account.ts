import { DurableObject } from 'cloudflare:workers';
import { EMPTY_BALANCE, available, grant, withdraw } from '../../core/credits/balance.ts';
import type { Balance } from '../../core/credits/balance.ts';
import { dayOf } from '../../core/credits/usage.ts';
import { DEFAULT_LIMITS } from '../../core/rate-limit/policy.ts';
import type { Limits } from '../../core/rate-limit/policy.ts';
import { assert } from '../../lib/assert.ts';
import { describeError, log } from '../../lib/log.ts';
import type {
	AccountStore,
	AccountView,
	CreateKeyResult,
	DayOfKey,
	GrantResult,
	LedgerPage,
	NewKey,
} from '../../operations/accounts/port.ts';
import type {
	Admission,
	Admissions,
	AdmitRequest,
	SettleRequest,
	Settled,
} from '../../operations/verify/port.ts';
import type {
	ClaimResult,
	JobInspection,
	JobRecord,
	JobStore,
	OpenJobRequest,
	OpenJobResult,
} from '../../operations/jobs/port.ts';
import { decideAdmission, refuseStranger } from './credits/admission.ts';
import { requireState, viewOfBalance, withTransaction } from './credits/books.ts';
import { AccountJobs } from './jobs/jobs.ts';
import type { Round, Step } from './jobs/jobs.ts';
import { createKey, revokeKey, showAccount, usageSince } from './keys.ts';
import { listLedger } from './credits/ledger.ts';
import { carryOut, outsideOf } from './outside.ts';
import type { Outside } from './outside.ts';
import {
	RESERVATION_LIFETIME_MS,
	findWaiting,
	releaseStale,
	settleReservation,
} from './credits/reservations.ts';
import type { AccountState } from './credits/row.ts';
import { close, readStanding, suspend } from './standing.ts';
import { AccountStorage } from './storage.ts';
import { Sql } from '../sql.ts';

// With a space, which no operator's id has.
const INITIAL_GRANT_ID = 'initial grant';

/**
 * Everything of one account that must happen one after the other: keys, windows, credits, jobs. Each method is one
 * synchronous transaction, so a crash leaves either all of it or nothing, and a retry with the same id changes nothing.
 */
export class Account extends DurableObject implements AccountStore, Admissions, JobStore {
	readonly #sql: Sql;
	readonly #storage: AccountStorage;
	readonly #jobs: AccountJobs;
	/** When the alarm will ring, epoch ms. Setting it costs a row, so it is only set where none is due. */
	#alarmAt: number | null = null;
	/** The clock, the queue and the bucket of the alarm. A property of the instance, which RPC can't reach. */
	outside: Outside;

	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env);
		this.outside = outsideOf(env);
		this.#sql = new Sql(ctx.storage.sql);
		this.#storage = new AccountStorage(this.#sql);
		this.#jobs = new AccountJobs(this.#storage, this.#sql);
		void ctx.blockConcurrencyWhile(async () => {
			this.#alarmAt = await ctx.storage.getAlarm();
			if (this.#storage.exists) this.#atomic(() => this.#storage.migrate());
		});
	}

	/** Rows written since the object woke up: what a verification costs. Not part of the RPC surface's promises. */
	get rowsWritten(): number {
		return this.#sql.rowsWritten;
	}

	/** Opens the account with its first key and credits. */
	async open(request: { now: number; initialCredits: number; key: NewKey | null }): Promise<void> {
		const { now, initialCredits, key } = request;
		this.#atomic(() => {
			this.#storage.migrate();
			if (this.#storage.read() !== null) return;
			const empty: AccountState = {
				balance: EMPTY_BALANCE,
				transactions: 0,
				lastTransactionAt: null,
				open: [],
				settledBefore: 0,
				limits: {},
				windows: {},
				today: { day: dayOf(now), keys: {} },
			};
			if (key !== null) this.#storage.writeKey({ ...key, createdAt: now, revokedAt: null });
			if (initialCredits === 0) this.#storage.write(empty);
			else
				this.#recordGrant(empty, grant(EMPTY_BALANCE, initialCredits), {
					id: INITIAL_GRANT_ID,
					credits: initialCredits,
					now,
				});
		});
	}

	/** The one step in: key not revoked, then usage, then window, then the reservation. */
	async admit(request: AdmitRequest): Promise<Admission> {
		const admission = this.#admit(request);
		if (admission.kind !== 'admitted') return admission;
		if (request.reservation !== null) await this.#wakeBy(this.#releaseOf(request.now));
		return request.jobId === undefined ? admission : { ...admission, job: this.#jobs.findJob(request.jobId) };
	}

	/** The one step out: charges a definite answer, refunds an `unknown`, frees what failed. */
	async settle(request: SettleRequest): Promise<Settled> {
		return this.#atomic(() => settleReservation(this.#storage, request));
	}

	/** Adds credits, or takes some back when `credits` is negative. A repeated id changes nothing. */
	async grant({ id, credits, now }: { id: string; credits: number; now: number }): Promise<GrantResult> {
		return this.#atomic(() => {
			const state = requireState(this.#storage);
			const earlier = this.#storage.findGrant(id);
			if (earlier !== null && earlier !== credits) return { kind: 'mismatch', credits: earlier };
			if (earlier !== null) return { kind: 'repeated', balance: viewOfBalance(state) };
			if (readStanding(this.#sql).closedAt !== null) return { kind: 'closed' };
			const balance = credits < 0 ? withdraw(state.balance, -credits) : grant(state.balance, credits);
			if (balance === null) return { kind: 'insufficient_credits', available: available(state.balance) };
			const next = this.#recordGrant(state, balance, { id, credits, now });
			return { kind: 'granted', balance: viewOfBalance(next) };
		});
	}

	/** Replaces the given limits and tells all that hold now. */
	async setLimits(limits: Partial<Limits>): Promise<Limits> {
		return this.#atomic(() => {
			const state = requireState(this.#storage);
			const next = { ...state, limits: { ...state.limits, ...limits } };
			this.#storage.write(next);
			return { ...DEFAULT_LIMITS, ...next.limits };
		});
	}

	async createKey(request: Parameters<AccountStore['createKey']>[0]): Promise<CreateKeyResult> {
		return this.#atomic(() => createKey(this.#books, request));
	}

	async revokeKey({ keyId, now }: { keyId: string; now: number }): Promise<boolean> {
		return this.#atomic(() => revokeKey(this.#storage, keyId, now));
	}

	async show(): Promise<AccountView> {
		return showAccount(this.#sql, this.#storage);
	}

	async listLedger(request: Parameters<AccountStore['listLedger']>[0]): Promise<LedgerPage> {
		return listLedger(this.#books, request);
	}

	async usageSince(from: string): Promise<readonly DayOfKey[]> {
		return usageSince(this.#storage, from);
	}

	async suspend({ at }: { at: number | null }): Promise<void> {
		requireState(this.#storage);
		this.#atomic(() => suspend(this.#books, at));
	}

	async close({ now }: { now: number }): Promise<void> {
		if (!this.#storage.exists) return;
		this.#atomic(() => close(this.#books, now));
		await this.#wakeBy(now);
	}

	get #books() {
		return { sql: this.#sql, storage: this.#storage, jobs: this.#jobs };
	}

	async openJob(request: OpenJobRequest): Promise<OpenJobResult> {
		return this.#step(() =>
			// Credits that come back after the end must not begin anything.
			readStanding(this.#sql).closedAt === null
				? this.#jobs.openJob(request)
				: { answer: { kind: 'insufficient_credits', available: 0 }, wakeAt: null },
		);
	}

	async findJob(jobId: string): Promise<JobRecord | null> {
		return this.#jobs.findJob(jobId);
	}

	async findAnswer(
		request: Parameters<JobStore['findAnswer']>[0],
	): Promise<Awaited<ReturnType<JobStore['findAnswer']>>> {
		return this.#jobs.findAnswer(request);
	}

	async listJobs(
		request: Parameters<JobStore['listJobs']>[0],
	): Promise<{ jobs: readonly JobRecord[]; total: number }> {
		return this.#jobs.listJobs(request);
	}

	async tasksOf(jobId: string): Promise<readonly JobRecord[]> {
		return this.#jobs.tasksOf(jobId);
	}

	async claimPart(request: Parameters<JobStore['claimPart']>[0]): Promise<ClaimResult> {
		return this.#step(() => this.#jobs.claimPart(request));
	}

	async renewPart(request: Parameters<JobStore['renewPart']>[0]): Promise<boolean> {
		return this.#step(() => this.#jobs.renewPart(request));
	}

	async settlePart(
		request: Parameters<JobStore['settlePart']>[0],
	): Promise<{ job: JobRecord; ready: boolean }> {
		return this.#step(() => this.#jobs.settlePart(request));
	}

	async postponePart(request: Parameters<JobStore['postponePart']>[0]): Promise<boolean> {
		return this.#step(() => this.#jobs.postponePart(request));
	}

	async completeJob(request: Parameters<JobStore['completeJob']>[0]): Promise<JobRecord> {
		return this.#step(() => this.#jobs.completeJob(request));
	}

	async failJob(request: Parameters<JobStore['failJob']>[0]): Promise<JobRecord> {
		return this.#step(() => this.#jobs.failJob(request));
	}

	async inspectJob(request: Parameters<JobStore['inspectJob']>[0]): Promise<JobInspection | null> {
		return this.#jobs.inspectJob(request);
	}

	async retryJob(request: Parameters<JobStore['retryJob']>[0]): Promise<boolean> {
		return this.#step(() => this.#jobs.retryJob(request));
	}

	/**
	 * The heartbeat: frees reservations whose Worker died, sends lost and due parts, deletes expired blobs. The next
	 * ringing is set before anything outside is tried, so that no failure of it can end the heartbeat.
	 */
	override async alarm(info?: AlarmInvocationInfo): Promise<void> {
		const now = this.outside.now();
		const soonest = Math.max(now, (info?.scheduledTime ?? 0) + 1);
		this.#alarmAt = null;
		let round: Round;
		try {
			const due = this.#atomic(() => {
				const oldest = releaseStale(this.#storage, now);
				const jobs = this.#jobs.wake(now);
				const release = oldest === null ? Infinity : oldest + RESERVATION_LIFETIME_MS;
				return { round: jobs.answer, wakeAt: Math.min(release, jobs.wakeAt ?? Infinity) };
			});
			({ round } = due);
			if (due.wakeAt !== Infinity) await this.#wakeBy(Math.max(due.wakeAt, soonest));
		} catch (error) {
			// The platform gives up after six tries; credits must not stay locked because of a bad hour.
			log('account_alarm_failed', { account: this.ctx.id.name, ...describeError(error) });
			await this.#wakeBy(soonest + 60_000);
			return;
		}
		const accountId = this.ctx.id.name;
		assert(accountId !== undefined, 'accounts are found by name');
		await carryOut(this.outside, accountId, round, (jobId) => this.#atomic(() => this.#jobs.purged(jobId)));
	}

	/** When to look at a reservation that nobody settled. One that a clock far behind ours made has its time, too. */
	#releaseOf(madeAt: number): number {
		const now = this.outside.now();
		return (madeAt + RESERVATION_LIFETIME_MS > now ? madeAt : now) + RESERVATION_LIFETIME_MS;
	}

	/** All of it or nothing; nothing of what was undone is remembered. */
	#atomic<T>(work: () => T): T {
		try {
			return this.ctx.storage.transactionSync(work);
		} catch (error) {
			this.#storage.forget();
			throw error;
		}
	}

	async #step<T>(work: () => Step<T>): Promise<T> {
		const { answer, wakeAt } = this.#atomic(work);
		// Nothing is awaited in between, so the platform stores the alarm and the rows together or not at all.
		if (wakeAt !== null) await this.#wakeBy(wakeAt);
		return answer;
	}

	#admit(request: AdmitRequest): Admission {
		const visit = this.#storage.exists ? this.#storage.readVisit(request) : null;
		if (visit === null) return refuseStranger(request);
		const { admission, next, spilled } = decideAdmission(visit, request);
		if (next === null) return admission;
		const { today } = visit.state;
		// Without a transaction, which takes as long as the writing: one statement is all or nothing by itself, nobody comes
		// in between what is read and what is written, and nothing is left to go wrong after it.
		if (spilled === null && next.today.day === today.day) this.#storage.write(next);
		else
			this.#atomic(() => {
				if (next.today.day !== today.day) this.#storage.archiveDay(today);
				this.#storage.write(next);
				if (spilled !== null) this.#storage.insertLine({ ...spilled, kind: 'verification' });
			});
		return admission;
	}

	#recordGrant(
		state: AccountState,
		balance: Balance,
		{ id, credits, now }: { id: string; credits: number; now: number },
	): AccountState {
		assert(findWaiting(state, { id, at: now }) === null, 'a line of the ledger has a name of its own');
		const next = withTransaction({ ...state, balance }, now);
		this.#storage.write(next);
		this.#storage.insertGrant(id, credits);
		const kind = credits < 0 ? 'adjustment' : 'grant';
		this.#storage.insertLine({ at: now, id, kind, keyId: null, credits, closedAt: now });
		return next;
	}

	async #wakeBy(at: number): Promise<void> {
		if (this.#alarmAt !== null && this.#alarmAt <= at) return;
		this.#alarmAt = at;
		await this.ctx.storage.setAlarm(at);
	}
}
