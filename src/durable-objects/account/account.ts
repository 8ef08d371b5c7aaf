import { DurableObject } from 'cloudflare:workers';
import { isTestAccount } from '../../core/keys/api-key.ts';
import { assert } from '../../lib/assert.ts';
import { describeError, log } from '../../lib/log.ts';
import { Sql } from '../sql.ts';
import { carryOut, findDue } from './alarm.ts';
import { CALLS } from './calls.ts';
import type { Calls } from './calls.ts';
import type { AccountContext, Outside } from './context.ts';
import { CreditStorage } from './credits/storage.ts';
import { endAttempt, noticeCredits, send } from './tell/news.ts';
import { OWNER, Outbox } from './tell/outbox.ts';
import { pumpOf } from './tell/pump.ts';

/** The object with the methods that `CALLS` names: the class below adds them to its prototype. */
const WithCalls = DurableObject as unknown as new (
	...given: ConstructorParameters<typeof DurableObject>
) => DurableObject & Calls;

/**
 * Everything of one account that must happen one after the other: keys, windows, credits, jobs. Each call is one
 * synchronous transaction, so a crash leaves either all of it or nothing, and a retry with the same id changes nothing.
 */
export class Account extends WithCalls {
	static {
		for (const [name, call] of Object.entries(CALLS) as [string, (...given: unknown[]) => unknown][])
			Object.defineProperty(this.prototype, name, {
				value(this: Account, ...request: unknown[]) {
					return this.#perform(() => call(this.#context, ...request));
				},
			});
	}

	readonly #context: AccountContext;
	readonly #pump: (target: string) => Promise<void>;
	/** When the alarm will ring, epoch ms. Setting it costs a row, so it is only set where none is due. */
	#alarmAt: number | null = null;
	/** By when the transaction that is under way wants it to ring. */
	#wakeBy = Infinity;
	/** The clock, the queue and the bucket of the alarm. A property of the instance, which RPC can't reach. */
	outside: Outside;
	/** This session ends soon, and the next one begins at another bookmark. */
	#isLeaving = false;

	constructor(ctx: DurableObjectState, env: Cloudflare.Env, outside: Outside) {
		super(ctx, env);
		this.outside = outside;
		const sql = new Sql(ctx.storage.sql);
		const now = (): number => this.outside.now();
		const credits = new CreditStorage(sql, now, () => this.outside.ledgerRetentionMs());
		const wakeBy = (at: number): void => void (this.#wakeBy = Math.min(this.#wakeBy, at));
		const outbox = new Outbox(sql, wakeBy);
		const render: AccountContext['render'] = (event) =>
			this.outside.renderEvent(event, isTestAccount(this.ctx.id.name ?? ''));
		const renderAccepted: Outside['renderAccepted'] = (...about) => this.outside.renderAccepted(...about);
		const alarm = { wakeBy, alarmAt: () => this.#alarmAt };
		this.#context = { sql, credits, outbox, render, renderAccepted, now, ...alarm };
		this.#pump = pumpOf({
			begin: (target) => this.#perform(() => outbox.begin(target, now())),
			send: (attempt) => send(this.#context, this.outside, this.ctx.id.name ?? '', attempt),
			end: (attempt, reply) => this.#perform(() => endAttempt(this.#context, attempt, reply, now())),
		});
		void ctx.blockConcurrencyWhile(async () => {
			this.#alarmAt = await ctx.storage.getAlarm();
		});
	}

	/** Rows written since the object woke up: what a verification costs. Not part of the RPC surface's promises. */
	get rowsWritten(): number {
		return this.#context.sql.rowsWritten;
	}

	/** Rows read since the object woke up. Like the rows written, for those who count. */
	get rowsRead(): number {
		return this.#context.sql.rowsRead;
	}

	// Point-in-time recovery. These wait for the platform, so they are no transactions.
	/**
	 * Has the next session of the object begin at a time of the last 30 days or at a bookmark, and returns the bookmark
	 * that undoes it. Nothing changes before `restart`.
	 */
	async prepareRestore(to: { readonly at: number } | { readonly bookmark: string }) {
		const { storage } = this.ctx;
		const bookmark = 'at' in to ? await storage.getBookmarkForTime(to.at) : to.bookmark;
		const undo = await storage.onNextSessionRestoreBookmark(bookmark);
		this.#isLeaving = true;
		return { undo };
	}
	/** Ends a session that is to leave, which breaks the call; the repeated call meets the restored one and returns. */
	async restart() {
		if (this.#isLeaving) this.ctx.abort('restored to another time');
		// The platform may not know the alarm of a restored storage.
		this.#alarmAt = this.outside.now();
		await this.ctx.storage.setAlarm(this.#alarmAt);
	}

	/** The heartbeat. It sets the next ringing before it tries anything outside, so that no failure can end it. */
	override async alarm(info?: AlarmInvocationInfo): Promise<void> {
		const accountId = this.ctx.id.name;
		const now = this.outside.now();
		const soonest = Math.max(now, (info?.scheduledTime ?? 0) + 1);
		this.#alarmAt = null;
		let round: ReturnType<typeof findDue>;
		try {
			round = await this.#perform(() => findDue(this.#context, now), soonest);
		} catch (error) {
			// The platform gives up after six tries; credits must not stay locked because of a bad hour.
			log('account_alarm_failed', { account: accountId, ...describeError(error) });
			await this.#setAlarm(soonest + 60_000);
			return;
		}
		assert(accountId !== undefined, 'accounts are found by name');
		// Not awaited: a slow endpoint or database must not hold up what else is due.
		for (const target of round.targets) if (target !== OWNER) this.ctx.waitUntil(this.#pump(target));
		const ringing = { accountId, perform: (work: () => void) => this.#perform(work, soonest) };
		await carryOut(this.#context, this.outside, ringing, round);
		if (round.targets.includes(OWNER)) await this.#pump(OWNER);
	}

	/** All of it or nothing, and the alarm that it asked for, `soonest` or later. */
	async #perform<T>(work: () => T, soonest = 0): Promise<T> {
		const { sql, credits } = this.#context;
		this.#wakeBy = Infinity;
		let isDone = false;
		let answer: T;
		try {
			answer = this.ctx.storage.transactionSync(() => {
				const before = sql.rowsWritten;
				const done = work();
				// Credits can only have changed where something was written.
				if (sql.rowsWritten > before) noticeCredits(this.#context, this.outside.now());
				return done;
			});
			isDone = true;
		} finally {
			credits.holds.endTransaction(!isDone);
		}
		// Nothing is awaited in between, so the platform stores the alarm and the rows together or not at all.
		if (this.#wakeBy !== Infinity) await this.#setAlarm(Math.max(this.#wakeBy, soonest));
		return answer;
	}

	async #setAlarm(at: number): Promise<void> {
		if (this.#alarmAt !== null && this.#alarmAt <= at) return;
		this.#alarmAt = at;
		await this.ctx.storage.setAlarm(at);
	}
}
