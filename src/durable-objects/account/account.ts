import { isTestAccount } from '../../core/keys/api-key.ts';
import { DurableObject } from 'cloudflare:workers';
import { assert } from '../../lib/assert.ts';
import { describeError, log } from '../../lib/log.ts';
import { Sql } from '../sql.ts';
import { carryOut, findDue, listEnded } from './alarm.ts';
import { checkAccount } from './check.ts';
import type { AccountContext, Outside, RequestOf } from './context.ts';
import { admitRequest, setLimits } from './credits/admission.ts';
import { grantCredits } from './credits/grants.ts';
import { listLedger } from './credits/ledger.ts';
import { settleReservation } from './credits/reservations.ts';
import { CreditStorage } from './credits/storage.ts';
import { findRemembered, listForms } from './idempotency.ts';
import * as jobCalls from './jobs/calls.ts';
import { endDamaged } from './jobs/end-all.ts';
import { AccountJobs } from './jobs/jobs.ts';
import { renameKey, createKey, revokeKey, showAccount, showKeys, usageSince } from './keys.ts';
import { closeAccount, openAccount } from './lifetime.ts';
import * as listCalls from './lists/calls.ts';
import { planMailOf } from './lists/mails.ts';
import * as outcomeCalls from './outcomes/calls.ts';
import { PartsAtWork } from './jobs/parts-at-work.ts';
import { suspend } from './suspension.ts';
import { beginAttempt, endAttempt } from './webhooks/attempts.ts';
import * as webhookCalls from './webhooks/calls.ts';
import { WebhookPump } from './webhooks/pump.ts';
import { WebhookStorage } from './webhooks/storage.ts';
import { AccountWebhooks } from './webhooks/webhooks.ts';

/**
 * Everything of one account that must happen one after the other: keys, windows, credits, jobs. Each call is one
 * synchronous transaction, so a crash leaves either all of it or nothing, and a retry with the same id changes nothing.
 */
export class Account extends DurableObject {
	readonly #context: AccountContext;
	readonly #pump: WebhookPump;
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
		const webhooks = new AccountWebhooks({
			credits,
			storage: new WebhookStorage(sql),
			wakeBy,
			render: (event) => this.outside.renderEvent(event, isTestAccount(this.ctx.id.name ?? '')),
		});
		const jobs = new AccountJobs(credits, sql, wakeBy, (job, at) => {
			webhooks.jobEnded(job, at);
			planMailOf({ sql, wakeBy }, job, at);
		});
		const alarm = { wakeBy, alarmAt: () => this.#alarmAt };
		this.#context = { sql, credits, jobs, webhooks, partsAtWork: new PartsAtWork(), now, ...alarm };
		this.#pump = this.#newPump(webhooks, wakeBy);
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

	// Opening and closing.
	open(request: RequestOf<typeof openAccount>) {
		return this.#perform(() => openAccount(this.#context, request));
	}
	suspend(request: RequestOf<typeof suspend>) {
		return this.#perform(() => suspend(this.#context, request));
	}
	close(request: RequestOf<typeof closeAccount>) {
		return this.#perform(() => closeAccount(this.#context, request));
	}
	show() {
		return this.#perform(() => showAccount(this.#context));
	}
	check() {
		return this.#perform(() => checkAccount(this.#context));
	}

	// Keys.
	keys() {
		return this.#perform(() => showKeys(this.#context));
	}
	createKey(request: RequestOf<typeof createKey>) {
		return this.#perform(() => createKey(this.#context, request));
	}
	renameKey(request: RequestOf<typeof renameKey>) {
		return this.#perform(() => renameKey(this.#context, request));
	}
	revokeKey(request: RequestOf<typeof revokeKey>) {
		return this.#perform(() => revokeKey(this.#context, request));
	}
	usageSince(request: RequestOf<typeof usageSince>) {
		return this.#perform(() => usageSince(this.#context, request));
	}

	// Credits.
	admit(request: RequestOf<typeof admitRequest>) {
		return this.#perform(() => admitRequest(this.#context, request));
	}
	settle(request: RequestOf<typeof settleReservation>) {
		return this.#perform(() => settleReservation(this.#context, request));
	}
	findForm({ key, now }: { readonly key: string; readonly now: number }) {
		const { sql, credits } = this.#context;
		return this.#perform(() => (credits.exists ? findRemembered(sql, key, now) : null));
	}
	listForms(request: RequestOf<typeof listForms>) {
		const { sql, credits } = this.#context;
		return this.#perform(() => (credits.exists ? listForms(sql, request) : { forms: [], total: 0 }));
	}
	grant(request: RequestOf<typeof grantCredits>) {
		return this.#perform(() => grantCredits(this.#context, request));
	}
	setLimits(request: RequestOf<typeof setLimits>) {
		return this.#perform(() => setLimits(this.#context, request));
	}
	listLedger(request: RequestOf<typeof listLedger>) {
		return this.#perform(() => listLedger(this.#context, request));
	}

	// Jobs.
	openJob(request: RequestOf<typeof jobCalls.openJob>) {
		return this.#perform(() => jobCalls.openJob(this.#context, request));
	}
	findJob(request: RequestOf<AccountJobs['findJob']>) {
		return this.#perform(() => this.#context.jobs.findJob(request));
	}
	findAnswer(request: RequestOf<AccountJobs['findAnswer']>) {
		return this.#perform(() => this.#context.jobs.findAnswer(request));
	}
	listJobs(request: RequestOf<AccountJobs['listJobs']>) {
		return this.#perform(() => this.#context.jobs.listJobs(request));
	}
	tasksOf(request: RequestOf<AccountJobs['tasksOf']>) {
		return this.#perform(() => this.#context.jobs.tasksOf(request));
	}
	jobNames(request: RequestOf<typeof jobCalls.jobNames>) {
		return this.#perform(() => jobCalls.jobNames(this.#context, request));
	}
	claimPart(request: RequestOf<typeof jobCalls.claimPart>) {
		return this.#perform(() => jobCalls.claimPart(this.#context, request));
	}
	renewPart(request: RequestOf<typeof jobCalls.renewPart>) {
		return this.#perform(() => jobCalls.renewPart(this.#context, request));
	}
	settlePart(request: RequestOf<typeof jobCalls.settlePart>) {
		return this.#perform(() => jobCalls.settlePart(this.#context, request));
	}
	postponePart(request: RequestOf<typeof jobCalls.postponePart>) {
		return this.#perform(() => jobCalls.postponePart(this.#context, request));
	}
	finishJob(request: RequestOf<AccountJobs['finishJob']>) {
		return this.#perform(() => this.#context.jobs.finishJob(request));
	}
	attemptsOf(request: RequestOf<AccountJobs['attemptsOf']>) {
		return this.#perform(() => this.#context.jobs.attemptsOf(request));
	}
	newestPart(request: RequestOf<typeof jobCalls.newestPart>) {
		return this.#perform(() => jobCalls.newestPart(this.#context, request));
	}
	deleteResults(request: RequestOf<AccountJobs['deleteResults']>) {
		return this.#perform(() => this.#context.jobs.deleteResults(request));
	}
	completeJob(request: RequestOf<AccountJobs['completeJob']>) {
		return this.#perform(() => this.#context.jobs.completeJob(request));
	}
	failJob(request: RequestOf<AccountJobs['failJob']>) {
		return this.#perform(() => this.#context.jobs.failJob(request));
	}
	endDamaged(request: RequestOf<typeof endDamaged>) {
		return this.#perform(() => endDamaged(this.#context, request));
	}
	inspectJob(request: RequestOf<AccountJobs['inspectJob']>) {
		return this.#perform(() => this.#context.jobs.inspectJob(request));
	}
	retryJob(request: RequestOf<AccountJobs['retryJob']>) {
		return this.#perform(() => this.#context.jobs.retryJob(request));
	}

	// Lists.
	findLists(request: RequestOf<typeof listCalls.findLists>) {
		return this.#perform(() => listCalls.findLists(this.#context, request));
	}
	renameJob(request: RequestOf<typeof listCalls.renameJob>) {
		return this.#perform(() => listCalls.renameJob(this.#context, request));
	}
	setMailWhenDone(request: RequestOf<typeof listCalls.setMailWhenDone>) {
		return this.#perform(() => listCalls.setMailWhenDone(this.#context, request));
	}

	// Outcomes.
	findOutcomes(request: RequestOf<typeof outcomeCalls.findOutcomes>) {
		return this.#perform(() => outcomeCalls.findOutcomes(this.#context, request));
	}
	recordOutcomes(request: RequestOf<typeof outcomeCalls.recordOutcomes>) {
		return this.#perform(() => outcomeCalls.recordOutcomes(this.#context, request));
	}

	// Webhooks.
	addWebhook(request: RequestOf<typeof webhookCalls.addWebhook>) {
		return this.#perform(() => webhookCalls.addWebhook(this.#context, request));
	}
	listWebhooks() {
		return this.#perform(() => webhookCalls.listWebhooks(this.#context));
	}
	changeWebhook(request: RequestOf<typeof webhookCalls.changeWebhook>) {
		return this.#perform(() => webhookCalls.changeWebhook(this.#context, request));
	}
	removeWebhook(request: RequestOf<typeof webhookCalls.removeWebhook>) {
		return this.#perform(() => webhookCalls.removeWebhook(this.#context, request));
	}
	rotateSecret(request: RequestOf<typeof webhookCalls.rotateSecret>) {
		return this.#perform(() => webhookCalls.rotateSecret(this.#context, request));
	}
	setCreditsLow(request: RequestOf<typeof webhookCalls.setCreditsLow>) {
		return this.#perform(() => webhookCalls.setCreditsLow(this.#context, request));
	}
	creditsLow() {
		return this.#perform(() => webhookCalls.creditsLow(this.#context));
	}
	testWebhook(request: RequestOf<typeof webhookCalls.testWebhook>) {
		return this.#perform(() => webhookCalls.testWebhook(this.#context, request));
	}
	listDeliveries(request: RequestOf<typeof webhookCalls.listDeliveries>) {
		return this.#perform(() => webhookCalls.listDeliveries(this.#context, request));
	}
	replayDelivery(request: RequestOf<typeof webhookCalls.replayDelivery>) {
		return this.#perform(() => webhookCalls.replayDelivery(this.#context, request));
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
		// Not awaited: a slow endpoint must not hold up what else is due.
		this.ctx.waitUntil(this.#pump.send(round.webhooks.webhookIds));
		const ringing = { accountId, perform: (work: () => void) => this.#perform(work, soonest) };
		this.ctx.waitUntil(listEnded(this.#context, this.outside, ringing, round));
		await carryOut(this.#context, this.outside, ringing, round);
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
			const before = this.#context.sql.rowsWritten;
			const done = work();
			// Credits can only have changed where something was written.
			if (this.#context.sql.rowsWritten > before) this.#context.webhooks.noticeCredits(this.outside.now());
			return done;
		});
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
