import type { LowCredits, SentEventType, WebhookEventType } from '../../core/webhooks/events.ts';
import type { DeliveryFault } from '../../core/webhooks/delivery.ts';

/** An account has at most this many endpoints: each of them may hold a connection of its object's. */
export const WEBHOOKS_MAX = 5;

/** Why a call about an endpoint is refused, in the API's words. */
export type WebhookRefusal = 'webhook_not_found' | 'webhook_disabled' | 'delivery_not_found';

/** Why nothing is sent: its owner said so, it answered 410, or nothing arrived for days. */
export type DisabledBecause = 'owner' | 'gone' | 'failing';

/** An endpoint that gets events. Times are epoch milliseconds. */
export interface WebhookView {
	readonly webhookId: string;
	readonly url: string;
	readonly events: readonly WebhookEventType[];
	readonly createdAt: number;
	readonly disabledAt: number | null;
	readonly disabledBecause: DisabledBecause | null;
	/** Since when no attempt has succeeded; null: the last one did. */
	readonly failingSince: number | null;
	/** Until when the secret from before the last rotation signs too. */
	readonly formerSecretUntil: number | null;
}

/** The account's wishes for news about low credits. */
export interface CreditsLowView extends LowCredits {
	/** Whether the owner gets a mail, too. */
	readonly mails: boolean;
}

/** A balance that has fallen below the threshold, in credits. */
export interface LowBalance {
	readonly accountId: string;
	readonly balance: number;
	readonly below: number;
}

/** An event on its way to one endpoint. Times are epoch milliseconds. */
export interface DeliveryView {
	/** The `webhook-id`: the same at each attempt, and for each endpoint. */
	readonly id: string;
	readonly kind: SentEventType;
	readonly status: 'waiting' | 'delivered' | 'failed';
	/** When it happened. */
	readonly at: number;
	/** Attempts begun. */
	readonly attempts: number;
	/** When the next attempt is due; null: none is. */
	readonly dueAt: number | null;
	readonly lastAt: number | null;
	/** The status of the last answer; null: there was none, `fault` says why. */
	readonly lastCode: number | null;
	readonly fault: DeliveryFault | null;
}

/** The callback of a job: a URL, and a secret for an account that has none yet. */
export interface Callback {
	readonly url: string;
	/** Sealed. */
	readonly secret: string;
}

/** The sealed secret of an endpoint, or of the callbacks of an account's jobs. The former one signs too for a day after a renewal. */
export interface SigningSecret {
	readonly secret: string;
	readonly formerSecret: string | null;
	readonly formerSecretUntil: number | null;
}

/** An endpoint that was disabled, though not by its owner. */
export interface DisabledWebhook {
	readonly accountId: string;
	readonly webhookId: string;
	readonly url: string;
	readonly because: Exclude<DisabledBecause, 'owner'>;
}

/** One attempt to deliver an event. */
export interface OutgoingDelivery {
	readonly webhookId: string;
	readonly url: string;
	/** Sealed, the current one first. */
	readonly secrets: readonly string[];
	readonly eventId: string;
	readonly body: string;
	/** When the attempt begins, epoch ms: part of what is signed. */
	readonly now: number;
}
