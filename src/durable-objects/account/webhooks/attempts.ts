import {
	ATTEMPTS_MAX,
	dueAfterDeath,
	isFailingTooLong,
	judgeAttempt,
} from '../../../core/webhooks/delivery.ts';
import type { DeliveryReply } from '../../../core/webhooks/delivery.ts';
import type { OutgoingDelivery } from '../../../operations/webhooks/port.ts';
import type { StoredDelivery } from './storage.ts';
import type { AccountWebhooks } from './webhooks.ts';

/** An attempt that has begun. */
export interface BegunAttempt {
	readonly sent: Omit<OutgoingDelivery, 'accountId'>;
	/** As it is stored meanwhile. */
	readonly delivery: StoredDelivery;
}

/**
 * Begins the attempt that has been due for longest; null: none is. It is counted and planned again before it is made: if
 * we die amid it the event is sent again, with the same id.
 */
export function beginAttempt(
	{ storage }: AccountWebhooks,
	{ webhookId, now, wakeBy }: { webhookId: string; now: number; wakeBy: (at: number) => void },
): BegunAttempt | null {
	const webhook = storage.findWebhook(webhookId);
	if (webhook === null) return null;
	for (;;) {
		const due = storage.nextDue(webhookId, now);
		if (due === null) return null;
		if (due.attempts >= ATTEMPTS_MAX) {
			// We died amid the last one.
			storage.writeDelivery({ ...due, status: 'failed', dueAt: null, fault: 'unfinished' });
			continue;
		}
		const attempts = due.attempts + 1;
		const dueAt = dueAfterDeath(attempts, now);
		const delivery = { ...due, attempts, dueAt, lastAt: now };
		storage.writeDelivery(delivery);
		wakeBy(dueAt);
		const { url, secrets } = webhook;
		const { eventId } = due;
		return {
			sent: { webhookId, url, secrets, eventId, body: storage.bodyOf(webhookId, eventId), now },
			delivery,
		};
	}
}

/** Records what came of an attempt. One that was overtaken (replayed, ended, removed meanwhile) changes nothing. */
export function endAttempt(
	webhooks: AccountWebhooks,
	{ delivery }: BegunAttempt,
	{ reply, now, wakeBy }: { reply: DeliveryReply; now: number; wakeBy: (at: number) => void },
): void {
	const { storage } = webhooks;
	const { webhookId, eventId, attempts } = delivery;
	const webhook = storage.findWebhook(webhookId);
	const stored = storage.findDelivery(webhookId, eventId);
	if (webhook === null || stored === null) return;
	if (stored.attempts !== attempts || stored.dueAt !== delivery.dueAt) return;
	const after = judgeAttempt(attempts, reply, now);
	if (after.kind === 'put_off') {
		storage.writeDelivery({ ...stored, attempts: attempts - 1, dueAt: after.at });
		wakeBy(after.at);
		return;
	}
	const attempt = {
		...stored,
		lastCode: reply.kind === 'answered' ? reply.code : null,
		fault: reply.kind === 'fault' ? reply.fault : null,
	};
	if (after.kind === 'delivered') {
		storage.writeDelivery({ ...attempt, status: 'delivered', dueAt: null });
		if (webhook.failingSince !== null) storage.writeWebhook({ ...webhook, failingSince: null });
		return;
	}
	const failing = { ...webhook, failingSince: webhook.failingSince ?? now };
	if (webhook.failingSince === null) storage.writeWebhook(failing);
	if (after.kind === 'retry') {
		storage.writeDelivery({ ...attempt, dueAt: after.at });
		wakeBy(after.at);
		return;
	}
	storage.writeDelivery({ ...attempt, status: 'failed', dueAt: null });
	if (after.gone) webhooks.disable(failing, 'gone', now);
	else if (isFailingTooLong(failing.failingSince, now)) webhooks.disable(failing, 'failing', now);
}
