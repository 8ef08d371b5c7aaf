import { isTestAccount } from '../../core/keys/api-key.ts';
import { DurableObject } from 'cloudflare:workers';
import { assert } from '../../lib/assert.ts';
import { newId } from '../../lib/ids.ts';
import { describeError, log } from '../../lib/log.ts';
import type { AccountPort } from '../../operations/accounts/port.ts';
import type { AccountRecovery } from '../../operations/accounts/recovery-port.ts';
import { Sql } from '../sql.ts';
import { carryOut, findDue } from './alarm.ts';
import type { AlarmRound } from './alarm.ts';
import { auditBooks } from './audit/books.ts';
import { auditJobs, knownJobs } from './audit/jobs.ts';
import { auditGrants, auditLedger } from './audit/stretch.ts';
import type { AccountContext, CallsOf, Outside } from './context.ts';
import { setLimits } from './credits/admission.ts';
import { FiledLines } from './credits/files.ts';
import { recordPiece } from './credits/filing.ts';
import { grantCredits } from './credits/grants.ts';
import { findCall } from './credits/keyed-calls.ts';
import { listLedger } from './credits/ledger.ts';
import { LedgerMarks } from './credits/marks.ts';
import { CreditStorage } from './credits/storage.ts';
import { jobCalls } from './jobs/calls.ts';
import { AccountJobs } from './jobs/jobs.ts';
import { jobNames } from './jobs/names.ts';
import { createKey, revokeKey, showAccount, showKeys, usageSince } from './keys.ts';
import { closeAccount, openAccount } from './lifetime.ts';
import { listCalls } from './lists/calls.ts';
import { mailed, planMailOf } from './lists/mails.ts';
import { outcomeCalls } from './outcomes/calls.ts';
import { admitCounted, countedJobCalls, settleCounted, takeCounted } from './questions/calls.ts';
import { PartsAtWork } from './questions/parts-at-work.ts';
import { recoveryCalls } from './recovery.ts';
import type { Recovery, RecoveryContext } from './recovery.ts';
import { migrate } from './schema.ts';
import { suspend } from './suspend.ts';
import { beginAttempt, endAttempt } from './webhooks/attempts.ts';
import { forgetVerifications, verificationCalls } from './verifications/calls.ts';
import { webhookCalls } from './webhooks/calls.ts';
import { WebhookPump } from './webhooks/pump.ts';
import { WebhookStorage } from './webhooks/storage.ts';
import { AccountWebhooks } from './webhooks/webhooks.ts';

/** Everything that can be asked of an account, besides going back in time. */
const CALLS: CallsOf<Omit<AccountPort, keyof AccountRecovery>> = {
	open: openAccount,
	admit: admitCounted,
	settle: settleCounted,
	takeCall: takeCounted,
	findCall,
	grant: grantCredits,
	setLimits,
	listLedger,
	jobNames,
	keys: showKeys,
	createKey,
	revokeKey,
	show: showAccount,
	usageSince,
	suspend,
	close: closeAccount,
	auditBooks,
	auditLedger,
	auditGrants,
	auditJobs,
	knownJobs,
	...jobCalls,
	...outcomeCalls,
	...countedJobCalls,
	...webhookCalls,
	...listCalls,
	...verificationCalls,
};

/** What the object answers to over RPC. */
export const ACCOUNT_METHODS = Object.keys({
	...CALLS,
	...recoveryCalls,
}) as readonly (keyof AccountPort)[];

type Call = (account: AccountContext, ...request: readonly unknown[]) => unknown;
type RecoveryCall = (object: RecoveryContext, ...request: readonly unknown[]) => Promise<unknown>;

/**
 * Everything of one account that must happen one after the other: keys, windows, credits, jobs. Each call is one
 * synchronous transaction, so a crash leaves either all of it or nothing, and a retry with the same id changes nothing.
 */
class AccountObject extends DurableObject {
	static {
		// On the prototype, where RPC looks for methods.
		for (const [method, call] of Object.entries(CALLS as Readonly<Record<string, Call>>)) {
			Object.defineProperty(AccountObject.prototype, method, {
				value(this: AccountObject, ...request: readonly unknown[]): Promise<unknown> {
					return this.#perform(() => call(this.#context, ...request));
				},
			});
		}
		for (const [method, call] of Object.entries(recoveryCalls as Readonly<Record<string, RecoveryCall>>)) {
			Object.defineProperty(AccountObject.prototype, method, {
				value(this: AccountObject, ...request: readonly unknown[]): Promise<unknown> {
					return call(
						{ recovery: this.recovery, session: this.#session, ring: () => this.#ring() },
						...request,
					);
				},
			});
		}
	}

	readonly #sql: Sql;
	readonly #context: AccountContext;
	readonly #pump: WebhookPump;
	/** What runs from this start to the next. */
	readonly #session = newId('ses');
	/** When the alarm will ring, epoch ms. Setting it costs a row, so it is only set where none is due. */
	#alarmAt: number | null = null;
	/** By when the transaction that is under way wants it to ring. */
	#wakeBy = Infinity;
	/** The clock, the queue and the bucket of the alarm. A property of the instance, which RPC can't reach. */
	outside: Outside;
	/** The way back in time. Like `outside`. */
	recovery: Recovery;

	constructor(ctx: DurableObjectState, env: Cloudflare.Env, outside: Outside, recovery: Recovery) {
		super(ctx, env);
		this.outside = outside;
		this.recovery = recovery;
		const sql = new Sql(ctx.storage.sql);
		const credits = new CreditStorage(sql);
		const wakeBy = (at: number): void => {
			this.#wakeBy = Math.min(this.#wakeBy, at);
		};
		this.#sql = sql;
		const now = (): number => this.outside.now();
		const ledger = { files: new FiledLines(sql), marks: new LedgerMarks(sql) };
		const webhooks = new AccountWebhooks({
			credits,
			storage: new WebhookStorage(sql),
			wakeBy,
			render: (event) => this.outside.renderEvent(event, isTestAccount(this.ctx.id.name ?? '')),
		});
		const jobs = new AccountJobs(credits, sql, (job, at) => {
			webhooks.jobEnded(job, at);
			planMailOf({ sql, wakeBy }, job, at);
		});
		const alarmAt = (): number | null => this.#alarmAt;
		const partsAtWork = new PartsAtWork();
		this.#context = { sql, credits, ...ledger, jobs, webhooks, partsAtWork, now, wakeBy, alarmAt };
		this.#pump = this.#newPump(webhooks, wakeBy);
		void ctx.blockConcurrencyWhile(async () => {
			this.#alarmAt = await ctx.storage.getAlarm();
			if (credits.exists) await this.#perform(() => migrate(sql));
		});
	}

	/** Rows written since the object woke up: what a verification costs. Not part of the RPC surface's promises. */
	get rowsWritten(): number {
		return this.#sql.rowsWritten;
	}

	/** Rows read since the object woke up. Like the rows written, for those who count. */
	get rowsRead(): number {
		return this.#sql.rowsRead;
	}

	/**
	 * The heartbeat: frees reservations whose Worker died, sends lost and due parts, deletes expired blobs, puts old lines
	 * of the ledger into files. The next ringing is set before anything outside is tried, so that no failure of it can end
	 * the heartbeat.
	 */
	override async alarm(info?: AlarmInvocationInfo): Promise<void> {
		const accountId = this.ctx.id.name;
		const now = this.outside.now();
		const soonest = Math.max(now, (info?.scheduledTime ?? 0) + 1);
		this.#alarmAt = null;
		let round: AlarmRound;
		try {
			round = await this.#perform(() => findDue(this.#context, this.outside, now), soonest);
		} catch (error) {
			// The platform gives up after six tries; credits must not stay locked because of a bad hour.
			log('account_alarm_failed', { account: accountId, ...describeError(error) });
			await this.#setAlarm(soonest + 60_000);
			return;
		}
		assert(accountId !== undefined, 'accounts are found by name');
		// Not awaited: a slow endpoint must not hold up what else is due.
		this.ctx.waitUntil(this.#pump.send(round.webhooks.webhookIds));
		const { jobs, webhooks } = this.#context;
		await carryOut(this.outside, accountId, round, {
			purged: (jobId) => this.#perform(() => jobs.purged(jobId)),
			forgotten: (ids) => this.#perform(() => forgetVerifications(this.#sql, ids)),
			told: (webhookId) => this.#perform(() => webhooks.told(webhookId)),
			mailed: (jobId) => this.#perform(() => mailed(this.#context, jobId)),
			toldLow: (againAt) => this.#perform(() => webhooks.toldLow(againAt)),
			filed: (piece) =>
				this.#perform(() => {
					recordPiece(this.#context, piece, now);
					// For the next piece, and what may be pruned now.
					this.#context.wakeBy(now);
				}, soonest),
		});
	}

	#newPump(webhooks: AccountWebhooks, wakeBy: AccountContext['wakeBy']): WebhookPump {
		return new WebhookPump({
			begin: (webhookId) =>
				this.#perform(() => beginAttempt(webhooks, { webhookId, now: this.outside.now(), wakeBy })),
			deliver: (sent) => {
				assert(this.ctx.id.name !== undefined, 'accounts are found by name');
				return this.outside.deliver({ ...sent, accountId: this.ctx.id.name });
			},
			end: (attempt, reply) =>
				this.#perform(() => endAttempt(webhooks, attempt, { reply, now: this.outside.now(), wakeBy })),
		});
	}

	/** All of it or nothing, and the alarm that it asked for, `soonest` or later. */
	async #perform<T>(work: () => T, soonest = 0): Promise<T> {
		this.#wakeBy = Infinity;
		const answer = this.ctx.storage.transactionSync(() => {
			const before = this.#sql.rowsWritten;
			const done = work();
			// Credits can only have changed where something was written.
			if (this.#sql.rowsWritten > before) this.#context.webhooks.noticeCredits(this.outside.now());
			return done;
		});
		// Nothing is awaited in between, so the platform stores the alarm and the rows together or not at all.
		if (this.#wakeBy !== Infinity) await this.#setAlarm(Math.max(this.#wakeBy, soonest));
		return answer;
	}

	/** Even if an alarm seems to be set: that of a restored storage may be one that the platform does not know. */
	async #ring(): Promise<void> {
		this.#alarmAt = this.outside.now();
		await this.ctx.storage.setAlarm(this.#alarmAt);
	}

	async #setAlarm(at: number): Promise<void> {
		if (this.#alarmAt !== null && this.#alarmAt <= at) return;
		this.#alarmAt = at;
		await this.ctx.storage.setAlarm(at);
	}
}

/** With a method for each call. */
export const Account = AccountObject as new (
	...given: ConstructorParameters<typeof AccountObject>
) => AccountObject & AccountPort;
export type Account = InstanceType<typeof Account>;
