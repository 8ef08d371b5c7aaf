import { DurableObject } from 'cloudflare:workers';
import { EMPTY_BALANCE, available, grant, reserve, settle, withdraw } from '../core/credits/balance.ts';
import type { Balance } from '../core/credits/balance.ts';
import { countOutcome, countRequest, dayOf } from '../core/credits/usage.ts';
import { DEFAULT_LIMITS } from '../core/rate-limit/policy.ts';
import type { Category, Limits } from '../core/rate-limit/policy.ts';
import { admit, viewOf } from '../core/rate-limit/window.ts';
import { assert } from '../lib/assert.ts';
import { equalInConstantTime } from '../lib/constant-time.ts';
import { describeError, log } from '../lib/log.ts';
import type { AccountDesk, CreateKeyResult, DayOfKey, LedgerPage } from '../operations/account-desk-port.ts';
import type {
	AccountStore,
	AccountView,
	AdmitRequest,
	Admission,
	GrantResult,
	NewKey,
	SettleRequest,
	Settled,
} from '../operations/accounts-port.ts';
import type {
	ClaimResult,
	JobInspection,
	JobRecord,
	JobStore,
	OpenJobRequest,
	OpenJobResult,
} from '../operations/jobs-port.ts';
import { requireState, runningDay, viewOfBalance, withTransaction } from './account-books.ts';
import { AccountJobs } from './account-jobs.ts';
import type { Round, Step } from './account-jobs.ts';
import { createKey, revokeKey, showAccount, usageSince } from './account-keys.ts';
import { listLedger } from './account-ledger.ts';
import { carryOut, outsideOf } from './account-outside.ts';
import type { Outside } from './account-outside.ts';
import { close, isShut, readStanding, suspend } from './account-standing.ts';
import { AccountStorage } from './account-storage.ts';
import type { AccountState, LedgerLine } from './account-storage.ts';
import { Sql } from './sql.ts';

// The longest call is cut off after 30 seconds: what is still open after five minutes died with its Worker.
const RESERVATION_LIFETIME_MS = 5 * 60_000;
// With a space, which no operator's id has.
const INITIAL_GRANT_ID = 'initial grant';

/**
 * Everything of one account that must happen one after the other: keys, windows, credits, jobs. Each method is one
 * synchronous transaction, so a crash leaves either all of it or nothing, and a retry with the same id changes nothing.
 */
export class Account extends DurableObject implements AccountStore, AccountDesk, JobStore {
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
			if (this.#storage.exists) this.ctx.storage.transactionSync(() => this.#storage.migrate());
		});
	}

	/** Rows written since the object woke up: what a verification costs. Not part of the RPC surface's promises. */
	get rowsWritten(): number {
		return this.#sql.rowsWritten;
	}

	/** Opens the account with its first key and credits. */
	async open(request: { now: number; initialCredits: number; key: NewKey | null }): Promise<void> {
		const { now, initialCredits, key } = request;
		this.ctx.storage.transactionSync(() => {
			this.#storage.migrate();
			if (this.#storage.read() !== null) return;
			const empty: AccountState = {
				balance: EMPTY_BALANCE,
				transactions: 0,
				lastTransactionAt: null,
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
		const admission = this.ctx.storage.transactionSync(() => this.#admit(request));
		if (admission.kind !== 'admitted') return admission;
		if (request.reservation !== null) await this.#wakeBy(request.now + RESERVATION_LIFETIME_MS);
		return request.jobId === undefined ? admission : { ...admission, job: this.#jobs.findJob(request.jobId) };
	}

	/** The one step out: charges a definite answer, refunds an `unknown`, frees what failed. */
	async settle(request: SettleRequest): Promise<Settled> {
		return this.ctx.storage.transactionSync(() => {
			const line = this.#storage.findLine(request.reservation.at, request.reservation.id);
			const state = requireState(this.#storage);
			assert(line !== null, `reservation ${request.reservation.id} was made here`);
			if (line.closedAt !== null) return { charged: line.charged ?? 0, balance: viewOfBalance(state) };
			const { next, charged } = this.#closed(state, line, request.outcome, request.now);
			this.#storage.write(next);
			return { charged, balance: viewOfBalance(next) };
		});
	}

	/** Adds credits, or takes some back when `credits` is negative. A repeated id changes nothing. */
	async grant({ id, credits, now }: { id: string; credits: number; now: number }): Promise<GrantResult> {
		return this.ctx.storage.transactionSync(() => {
			const state = requireState(this.#storage);
			const earlier = this.#storage.findGrant(id);
			if (earlier !== null && earlier !== credits) return { kind: 'mismatch', credits: earlier };
			if (earlier !== null) return { kind: 'repeated', balance: viewOfBalance(state) };
			const balance = credits < 0 ? withdraw(state.balance, -credits) : grant(state.balance, credits);
			if (balance === null) return { kind: 'insufficient_credits', available: available(state.balance) };
			const next = this.#recordGrant(state, balance, { id, credits, now });
			return { kind: 'granted', balance: viewOfBalance(next) };
		});
	}

	/** Replaces the given limits and tells all that hold now. */
	async setLimits(limits: Partial<Limits>): Promise<Limits> {
		return this.ctx.storage.transactionSync(() => {
			const state = requireState(this.#storage);
			const next = { ...state, limits: { ...state.limits, ...limits } };
			this.#storage.write(next);
			return { ...DEFAULT_LIMITS, ...next.limits };
		});
	}

	async createKey(request: Parameters<AccountDesk['createKey']>[0]): Promise<CreateKeyResult> {
		return this.ctx.storage.transactionSync(() => createKey(this.#books, request));
	}

	async revokeKey({ keyId, now }: { keyId: string; now: number }): Promise<boolean> {
		return this.ctx.storage.transactionSync(() => revokeKey(this.#storage, keyId, now));
	}

	async show(): Promise<AccountView> {
		return showAccount(this.#sql, this.#storage);
	}

	async listLedger(request: Parameters<AccountDesk['listLedger']>[0]): Promise<LedgerPage> {
		return listLedger(this.#books, request);
	}

	async usageSince(from: string): Promise<readonly DayOfKey[]> {
		return usageSince(this.#storage, from);
	}

	async suspend({ at }: { at: number | null }): Promise<void> {
		requireState(this.#storage);
		this.ctx.storage.transactionSync(() => suspend(this.#sql, at));
	}

	async close({ now }: { now: number }): Promise<void> {
		if (!this.#storage.exists) return;
		this.ctx.storage.transactionSync(() => close(this.#books, now));
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
			const due = this.ctx.storage.transactionSync(() => {
				const oldest = this.#releaseStale(now);
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
		await carryOut(this.outside, accountId, round, (jobId) =>
			this.ctx.storage.transactionSync(() => this.#jobs.purged(jobId)),
		);
	}

	async #step<T>(work: () => Step<T>): Promise<T> {
		const { answer, wakeAt } = this.ctx.storage.transactionSync(work);
		// Nothing is awaited in between, so the platform stores the alarm and the rows together or not at all.
		if (wakeAt !== null) await this.#wakeBy(wakeAt);
		return answer;
	}

	#admit(request: AdmitRequest): Admission {
		const { category, now, windowMs, reservation } = request;
		const state = this.#storage.exists ? this.#storage.read() : null;
		// Never opened: nothing is written for it.
		if (state === null)
			return { kind: 'unauthenticated', window: viewOf(null, DEFAULT_LIMITS[category], windowMs, now) };
		const earlier = reservation === null ? null : this.#storage.findLine(now, reservation.id);
		const view = (at: AccountState) =>
			viewOf(at.windows[category] ?? null, limitOf(at, category), windowMs, now);
		if (earlier !== null)
			return { kind: 'admitted', window: view(state), balance: viewOfBalance(state), job: null };

		assert(now >= state.settledBefore, 'a reservation is not made in a time that is closed already');

		const key = this.#storage.findKey(request.keyId);
		const known =
			request.secretHash === null ||
			(key !== null && equalInConstantTime(key.secretHash, request.secretHash));
		const isValid = known && (key?.revokedAt ?? null) === null && !isShut(this.#sql);
		const entered = admit(state.windows[category] ?? null, limitOf(state, category), windowMs, now);
		const windows = { ...state.windows, [category]: entered.window };
		// Nothing is stored for a refused request: a flood of them must not cost a row each.
		if (!entered.admitted) {
			return { kind: isValid ? 'rate_limited' : 'unauthenticated', window: view({ ...state, windows }) };
		}
		const today = runningDay(this.#storage, state.today, now);
		const counted = { ...state, windows, today: known ? countRequest(today, request.keyId, now) : today };
		if (!isValid) {
			this.#storage.write(counted);
			return { kind: 'unauthenticated', window: view(counted) };
		}
		const balance = reservation === null ? counted.balance : reserve(counted.balance, reservation.credits);
		if (balance === null) {
			this.#storage.write(counted);
			return { kind: 'insufficient_credits', window: view(counted), available: available(counted.balance) };
		}
		const next = { ...counted, balance };
		this.#storage.write(next);
		if (reservation !== null) {
			const line = {
				at: now,
				id: reservation.id,
				kind: 'verification',
				keyId: request.keyId,
				closedAt: null,
			};
			this.#storage.insertLine({ ...line, credits: reservation.credits });
		}
		return { kind: 'admitted', window: view(next), balance: viewOfBalance(next), job: null };
	}

	#recordGrant(
		state: AccountState,
		balance: Balance,
		{ id, credits, now }: { id: string; credits: number; now: number },
	): AccountState {
		const next = withTransaction({ ...state, balance }, now);
		this.#storage.write(next);
		this.#storage.insertGrant(id, credits);
		const kind = credits < 0 ? 'adjustment' : 'grant';
		this.#storage.insertLine({ at: now, id, kind, keyId: null, credits, closedAt: now });
		return next;
	}

	/** Closes a ledger line and gives the state that follows, which the caller writes. */
	#closed(
		state: AccountState,
		line: LedgerLine,
		outcome: SettleRequest['outcome'],
		now: number,
	): { next: AccountState; charged: number } {
		const isRefund = outcome === 'unknown';
		const charged = isRefund || outcome === 'failed' ? 0 : line.credits;
		this.#storage.closeLine(line, { charged, outcome, closedAt: now });
		const refunded = isRefund ? line.credits : 0;
		const balance = settle(state.balance, { reserved: line.credits, charged, refunded });
		if (outcome === 'failed') return { next: { ...state, balance }, charged };
		const today = runningDay(this.#storage, state.today, now);
		const counted = line.keyId === null ? today : countOutcome(today, line.keyId, outcome, charged);
		return { next: withTransaction({ ...state, balance, today: counted }, now), charged };
	}

	#releaseStale(now: number): number | null {
		let state = this.#storage.exists ? this.#storage.read() : null;
		if (state === null) return null;
		const staleBefore = now - RESERVATION_LIFETIME_MS;
		const open = this.#storage.openReservations(state.settledBefore);
		const stale = open.filter((line) => line.at <= staleBefore);
		for (const line of stale) state = this.#closed(state, line, 'failed', now).next;
		const oldest = open.find((line) => line.at > staleBefore)?.at ?? null;
		// Not up to the oldest open one: a request from another place may be older than that and still on its way.
		const settledBefore = Math.max(state.settledBefore, staleBefore);
		if (stale.length > 0 || settledBefore !== state.settledBefore)
			this.#storage.write({ ...state, settledBefore });
		return oldest;
	}

	async #wakeBy(at: number): Promise<void> {
		if (this.#alarmAt !== null && this.#alarmAt <= at) return;
		this.#alarmAt = at;
		await this.ctx.storage.setAlarm(at);
	}
}

function limitOf(state: AccountState, category: Category): number {
	return state.limits[category] ?? DEFAULT_LIMITS[category];
}
