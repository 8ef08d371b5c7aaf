import { DurableObject } from 'cloudflare:workers';
import { EMPTY_BALANCE, available, grant, reserve, settle, withdraw } from '../core/credits/balance.ts';
import type { Balance } from '../core/credits/balance.ts';
import { addUsage, countOutcome, countRequest, dayOf } from '../core/credits/usage.ts';
import type { KeyUsage, UsageToday } from '../core/credits/usage.ts';
import { DEFAULT_LIMITS } from '../core/rate-limit/policy.ts';
import type { Category, Limits } from '../core/rate-limit/policy.ts';
import { admit, viewOf } from '../core/rate-limit/window.ts';
import { assert } from '../lib/assert.ts';
import { equalInConstantTime } from '../lib/constant-time.ts';
import { log } from '../lib/log.ts';
import type {
	AccountStore,
	AccountView,
	AdmitRequest,
	Admission,
	BalanceView,
	GrantResult,
	NewKey,
	SettleRequest,
	Settled,
} from '../operations/accounts-port.ts';
import { AccountStorage } from './account-storage.ts';
import type { AccountState, LedgerLine } from './account-storage.ts';

// The longest call is cut off after 30 seconds: what is still open after five minutes died with its Worker.
const RESERVATION_LIFETIME_MS = 5 * 60_000;
const INITIAL_GRANT_ID = 'initial';

/**
 * Everything of one account that must happen one after the other: keys, windows, credits. Each method is one
 * synchronous transaction, so a crash leaves either all of it or nothing, and a retry with the same id changes nothing.
 */
export class Account extends DurableObject implements AccountStore {
	readonly #storage: AccountStorage;
	/** When the alarm will ring, epoch ms. Setting it costs a row, so it is only set where none is due. */
	#alarmAt: number | null = null;

	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env);
		this.#storage = new AccountStorage(ctx.storage.sql);
		void ctx.blockConcurrencyWhile(async () => {
			this.#alarmAt = await ctx.storage.getAlarm();
			if (this.#storage.exists) this.ctx.storage.transactionSync(() => this.#storage.migrate());
		});
	}

	/** Rows written since the object woke up: what a verification costs. Not part of the RPC surface's promises. */
	get rowsWritten(): number {
		return this.#storage.rowsWritten;
	}

	/** Opens the account with its first key and credits. */
	async open(request: { now: number; initialCredits: number; key: NewKey }): Promise<void> {
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
			this.#storage.writeKey({ ...key, createdAt: now, revokedAt: null });
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
		if (admission.kind === 'admitted' && request.reservation !== null) {
			await this.#wakeBy(request.now + RESERVATION_LIFETIME_MS);
		}
		return admission;
	}

	/** The one step out: charges a definite answer, refunds an `unknown`, frees what failed. */
	async settle(request: SettleRequest): Promise<Settled> {
		return this.ctx.storage.transactionSync(() => {
			const line = this.#storage.findLine(request.reservation.at, request.reservation.id);
			const state = this.#requireState();
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
			const state = this.#requireState();
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
			const state = this.#requireState();
			const next = { ...state, limits: { ...state.limits, ...limits } };
			this.#storage.write(next);
			return { ...DEFAULT_LIMITS, ...next.limits };
		});
	}

	async revokeKey({ keyId, now }: { keyId: string; now: number }): Promise<boolean> {
		return this.ctx.storage.transactionSync(() => {
			const key = this.#storage.exists ? this.#storage.findKey(keyId) : null;
			if (key === null) return false;
			if (key.revokedAt === null) this.#storage.writeKey({ ...key, revokedAt: now });
			return true;
		});
	}

	async show(): Promise<AccountView> {
		const state = this.#requireState();
		const usage = new Map<string, KeyUsage>(Object.entries(state.today.keys));
		for (const { keyId, usage: day } of this.#storage.archivedUsage()) {
			const known = usage.get(keyId);
			usage.set(keyId, known === undefined ? day : addUsage(known, day));
		}
		const keys = this.#storage.listKeys().map(({ id, label, createdAt, revokedAt }) => {
			return { id, label, createdAt, revokedAt, revoked: revokedAt !== null, usage: usage.get(id) ?? null };
		});
		return { balance: viewOfBalance(state), limits: { ...DEFAULT_LIMITS, ...state.limits }, keys };
	}

	/** Frees reservations whose Worker died, and rings again while any are open. */
	override async alarm(info?: AlarmInvocationInfo): Promise<void> {
		const now = Date.now();
		this.#alarmAt = null;
		try {
			const oldest = this.ctx.storage.transactionSync(() => this.#releaseStale(now));
			if (oldest !== null) await this.#wakeBy(oldest + RESERVATION_LIFETIME_MS);
		} catch (error) {
			// The platform gives up after six tries; credits must not stay locked because of a bad hour.
			log('account_alarm_failed', { account: this.ctx.id.name, error: String(error) });
			await this.#wakeBy(Math.max(now, (info?.scheduledTime ?? 0) + 1) + 60_000);
		}
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
		if (earlier !== null) return { kind: 'admitted', window: view(state), balance: viewOfBalance(state) };

		assert(now >= state.settledBefore, 'a reservation is not made in a time that is closed already');

		const key = this.#storage.findKey(request.keyId);
		const known = key !== null && equalInConstantTime(key.secretHash, request.secretHash);
		const isValid = known && key.revokedAt === null;
		const entered = admit(state.windows[category] ?? null, limitOf(state, category), windowMs, now);
		const windows = { ...state.windows, [category]: entered.window };
		// Nothing is stored for a refused request: a flood of them must not cost a row each.
		if (!entered.admitted) {
			return { kind: isValid ? 'rate_limited' : 'unauthenticated', window: view({ ...state, windows }) };
		}
		const today = this.#today(state.today, now);
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
		return { kind: 'admitted', window: view(next), balance: viewOfBalance(next) };
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
		const today = this.#today(state.today, now);
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
		const settledBefore = Math.max(state.settledBefore, oldest ?? staleBefore);
		if (stale.length > 0 || settledBefore !== state.settledBefore)
			this.#storage.write({ ...state, settledBefore });
		return oldest;
	}

	/** The running day's usage; a finished day is put away first. */
	#today(today: UsageToday, now: number): UsageToday {
		const day = dayOf(now);
		if (day <= today.day) return today;
		this.#storage.archiveDay(today);
		return { day, keys: {} };
	}

	async #wakeBy(at: number): Promise<void> {
		if (this.#alarmAt !== null && this.#alarmAt <= at) return;
		this.#alarmAt = at;
		await this.ctx.storage.setAlarm(at);
	}

	#requireState(): AccountState {
		const state = this.#storage.exists ? this.#storage.read() : null;
		assert(state !== null, 'the account was opened');
		return state;
	}
}

function limitOf(state: AccountState, category: Category): number {
	return state.limits[category] ?? DEFAULT_LIMITS[category];
}

function withTransaction(state: AccountState, now: number): AccountState {
	const lastTransactionAt = Math.max(state.lastTransactionAt ?? 0, now);
	return { ...state, transactions: state.transactions + 1, lastTransactionAt };
}

function viewOfBalance({ balance, transactions, lastTransactionAt }: AccountState): BalanceView {
	const view = {
		balance: balance.granted - balance.consumed,
		availableCredits: available(balance),
		reservedCredits: balance.reserved,
		totalPurchased: balance.granted,
		totalConsumed: balance.consumed,
		totalRefunded: balance.refunded,
		transactionCount: transactions,
		lastTransactionAt,
	};
	assert(
		view.balance === view.availableCredits + view.reservedCredits,
		'the balance is what is available or reserved',
	);
	return view;
}
