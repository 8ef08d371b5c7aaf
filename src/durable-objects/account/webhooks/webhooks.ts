import type { StoredLow, StoredDelivery, StoredWebhook, WebhookStorage } from './storage.ts';
import { JOB_KINDS } from '../../../core/jobs/kinds.ts';
import { crossed, TEST_EVENT } from '../../../core/webhooks/events.ts';
import type { SentEventType, WebhookEventType } from '../../../core/webhooks/events.ts';
import { DELIVERIES_KEPT_MS, ENDED_MAX, WAITING_MAX } from '../../../core/webhooks/delivery.ts';
import { newId } from '../../../lib/encodings.ts';
import { assert } from '../../../lib/assert.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { DisabledBecause, LowBalance, WebhookEvent } from '../../../operations/webhooks/port.ts';
import { viewOfBalance } from '../credits/books.ts';
import type { CreditStorage } from '../credits/storage.ts';

/** The parts of the object that the webhooks of an account use. */
export interface WebhookSurroundings {
	readonly credits: CreditStorage;
	readonly storage: WebhookStorage;
	/** Has the alarm ring by then. */
	readonly wakeBy: (at: number) => void;
	/** The body of an event. */
	readonly render: (event: WebhookEvent) => string;
}

/** The alarm's work for webhooks. */
export interface WebhookRound {
	/** Endpoints with a delivery that is due. */
	readonly webhookIds: readonly string[];
	/** Disabled endpoints whose owner gets a mail now. */
	readonly tell: readonly StoredWebhook[];
	/** The owner gets a mail that credits run low; null: not now. `againAt`: when, should that fail. */
	readonly tellLow: (Omit<LowBalance, 'accountId'> & { readonly againAt: number | null }) | null;
}

// Longer than an attempt: one that is under way plans its own.
const LOOK_AGAIN_MS = 60_000;
const TELL_AGAIN_MS = 3_600_000;
/** The mail is tried for a day. The pages say it in any case. */
const TELL_MAX_MS = 24 * 3_600_000;

/**
 * The events of an account for its endpoints. An event is written in the transaction in which it happens, once for
 * each endpoint, with its body; the alarm sends it from there.
 */
export class AccountWebhooks {
	readonly storage: WebhookStorage;
	readonly #credits: CreditStorage;
	readonly #wakeBy: WebhookSurroundings['wakeBy'];
	readonly #render: WebhookSurroundings['render'];

	constructor({ credits, storage, wakeBy, render }: WebhookSurroundings) {
		this.storage = storage;
		this.#credits = credits;
		this.#wakeBy = wakeBy;
		this.#render = render;
	}

	/** Writes the event that a job or a task ended, in the transaction that ends it. */
	jobEnded(job: JobRecord, now: number): void {
		assert(job.status !== 'processing', 'a job that ended does not run');
		const type = JOB_KINDS[job.kind].events[job.status];
		this.#publish({ about: 'job', type, at: now, job }, type);
	}

	/** Writes `credits.low`, and plans the mail, where the balance has just fallen below the threshold. */
	noticeCredits(now: number): void {
		const low = this.storage.creditsLow();
		const state = low.below === null ? null : this.#credits.read();
		if (state === null || low.below === null) return;
		const balance = viewOfBalance(state);
		const next = crossed(low, balance.balance);
		if (next === null) return;
		const written = afterCrossing(next, now);
		this.storage.writeCreditsLow(written);
		if (written.tellAt !== null) this.#wakeBy(written.tellAt);
		if (next.isLow) this.#publish({ about: 'credits', at: now, balance, below: low.below }, 'credits.low');
	}

	/** Writes the test event for one endpoint. */
	test(webhook: StoredWebhook, eventId: string, now: number): void {
		const body = this.#render({ about: 'test', at: now, webhookId: webhook.webhookId });
		this.#insert(webhook, { eventId, type: TEST_EVENT, at: now, body });
	}

	/** The work that is due at `now`. Each delivery is planned again by itself when its attempt begins. */
	wake(now: number): WebhookRound {
		const webhookIds: string[] = [];
		const tell: StoredWebhook[] = [];
		for (const webhook of this.#credits.exists ? this.storage.webhooks() : []) {
			const { webhookId, tellAt } = webhook;
			const keptUntil = this.#keptUntil(webhookId, now);
			if (keptUntil !== null) this.#wakeBy(keptUntil);
			if (this.storage.nextDue(webhookId, now) !== null) {
				webhookIds.push(webhookId);
				this.#wakeBy(now + LOOK_AGAIN_MS);
			}
			const next = this.storage.nextDueAfter(webhookId, now);
			if (next !== null) this.#wakeBy(next);
			if (tellAt === null) continue;
			if (tellAt > now) {
				this.#wakeBy(tellAt);
				continue;
			}
			const again = now + TELL_AGAIN_MS;
			const isLast = again > (webhook.disabledAt ?? 0) + TELL_MAX_MS;
			this.storage.writeWebhook({ ...webhook, tellAt: isLast ? null : again });
			if (!isLast) this.#wakeBy(again);
			tell.push(webhook);
		}
		return { webhookIds, tell, tellLow: this.#wakeForLow(now) };
	}

	/**
	 * Records that the mail about low credits was sent. A mail that was planned meanwhile, for another fall, stays.
	 */
	toldLow(againAt: number | null): void {
		const low = this.storage.creditsLow();
		if (low.tellAt !== null && low.tellAt === againAt) this.storage.writeCreditsLow({ ...low, tellAt: null });
	}

	#wakeForLow(now: number): WebhookRound['tellLow'] {
		const state = this.#credits.exists ? this.#credits.read() : null;
		if (state === null) return null;
		const low = this.storage.creditsLow();
		const { isDue, next } = planMail(low, now);
		if (next !== low) this.storage.writeCreditsLow(next);
		if (next.tellAt !== null) this.#wakeBy(next.tellAt);
		if (!isDue || low.below === null) return null;
		return { balance: viewOfBalance(state).balance, below: low.below, againAt: next.tellAt };
	}

	/** Records that the mail about a disabled endpoint was sent. */
	told(webhookId: string): void {
		const webhook = this.storage.findWebhook(webhookId);
		if (webhook !== null) this.storage.writeWebhook({ ...webhook, tellAt: null });
	}

	/** Disables an endpoint and drops its waiting events. The owner gets a mail, unless it was the owner's doing. */
	disable(webhook: StoredWebhook, because: DisabledBecause, now: number): StoredWebhook {
		this.storage.endWaiting(webhook.webhookId, 'disabled');
		const tellAt = because === 'owner' ? null : now;
		const disabled = { ...webhook, disabledAt: now, disabledBecause: because, tellAt };
		this.storage.writeWebhook(disabled);
		if (tellAt !== null) this.#wakeBy(tellAt);
		return disabled;
	}

	/** Has a delivery begin anew, at once. */
	replay(delivery: StoredDelivery, now: number): void {
		this.storage.writeDelivery({ ...delivery, status: 'waiting', attempts: 0, dueAt: now, fault: null });
		this.#wakeBy(now);
	}

	/** Until when the oldest ended delivery of an endpoint is kept. Deletes those whose time is over. */
	#keptUntil(webhookId: string, now: number): number | null {
		let oldest = this.storage.oldestEnded(webhookId);
		if (oldest !== null && oldest < now - DELIVERIES_KEPT_MS) {
			this.storage.prune(webhookId, now - DELIVERIES_KEPT_MS, ENDED_MAX);
			oldest = this.storage.oldestEnded(webhookId);
		}
		return oldest === null ? null : oldest + DELIVERIES_KEPT_MS + 1;
	}

	#publish(event: WebhookEvent, type: WebhookEventType): void {
		const subscribed = this.storage
			.webhooks()
			.filter(({ disabledAt, events }) => disabledAt === null && events.includes(type));
		if (subscribed.length === 0) return;
		const written = { eventId: newId('evt'), type, at: event.at, body: this.#render(event) };
		for (const webhook of subscribed) this.#insert(webhook, written);
	}

	#insert(
		{ webhookId }: StoredWebhook,
		event: { eventId: string; type: SentEventType; at: number; body: string },
	): void {
		const tooMany = this.storage.countWaiting(webhookId) + 1 - WAITING_MAX;
		if (tooMany > 0) this.storage.endWaiting(webhookId, 'too_many', tooMany);
		this.storage.prune(webhookId, event.at - DELIVERIES_KEPT_MS, ENDED_MAX);
		this.storage.insertDelivery(webhookId, event, event.at);
		this.#wakeBy(event.at);
	}
}

/** The row after the balance has crossed the threshold: a mail for each fall, and none once it has risen again. */
export function afterCrossing(next: StoredLow, now: number): StoredLow {
	if (!next.isLow) return { ...next, tellAt: null, lowSince: null };
	return { ...next, tellAt: next.mails ? now : null, lowSince: now };
}

/** Whether the mail is due, and the row as it is written before it is sent: it is planned again in case that fails. */
export function planMail(low: StoredLow, now: number): { readonly isDue: boolean; readonly next: StoredLow } {
	if (low.tellAt === null || low.tellAt > now) return { isDue: false, next: low };
	const again = now + TELL_AGAIN_MS;
	const isLast = again > (low.lowSince ?? 0) + TELL_MAX_MS;
	return { isDue: true, next: { ...low, tellAt: isLast ? null : again } };
}
