import type { LowCredits } from '../../../core/webhooks/events.ts';
import type { DeliveryFault } from '../../../core/webhooks/delivery.ts';
import type { SentEventType, WebhookEventType } from '../../../core/webhooks/events.ts';
import type { SecretRef } from '../../../core/webhooks/secret.ts';
import { assert } from '../../../lib/assert.ts';
import type { DeliveryStatus, DisabledBecause } from '../../../operations/webhooks/port.ts';
import { jsonOf, numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';

/** An endpoint's row. Times are epoch milliseconds. */
export interface StoredWebhook {
	readonly webhookId: string;
	readonly url: string;
	readonly events: readonly WebhookEventType[];
	/** The current one first. */
	readonly secrets: readonly SecretRef[];
	readonly createdAt: number;
	readonly disabledAt: number | null;
	readonly disabledBecause: DisabledBecause | null;
	readonly failingSince: number | null;
	/** When the owner gets the mail that it was disabled; null: there is none to send. */
	readonly tellAt: number | null;
}

/** A delivery's row, without its body. */
export interface StoredDelivery {
	readonly webhookId: string;
	readonly eventId: string;
	readonly type: SentEventType;
	readonly at: number;
	readonly status: DeliveryStatus;
	/** Attempts begun. */
	readonly attempts: number;
	/** When a waiting delivery is due. While an attempt is under way: when it is due if we die. */
	readonly dueAt: number | null;
	readonly lastAt: number | null;
	readonly lastCode: number | null;
	readonly fault: DeliveryFault | null;
}

const DELIVERY_COLUMNS =
	'webhook_id, event_id, type, at, status, attempts, due_at, last_at, last_code, fault';

/** The SQL of the account's webhooks, without decisions. */
export class WebhookStorage {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	/** The oldest first. */
	webhooks(): StoredWebhook[] {
		return this.#sql.rows('SELECT * FROM webhooks ORDER BY created_at, webhook_id').map(webhookOf);
	}

	findWebhook(webhookId: string): StoredWebhook | null {
		const [row] = this.#sql.rows('SELECT * FROM webhooks WHERE webhook_id = ?', webhookId);
		return row === undefined ? null : webhookOf(row);
	}

	writeWebhook(webhook: StoredWebhook): void {
		this.#sql.rows(
			`INSERT OR REPLACE INTO webhooks (webhook_id, url, events, secrets, created_at, disabled_at, disabled_because,
				failing_since, tell_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			webhook.webhookId,
			webhook.url,
			JSON.stringify(webhook.events),
			JSON.stringify(webhook.secrets),
			webhook.createdAt,
			webhook.disabledAt,
			webhook.disabledBecause,
			webhook.failingSince,
			webhook.tellAt,
		);
	}

	removeWebhook(webhookId: string): void {
		this.#sql.rows('DELETE FROM webhook_deliveries WHERE webhook_id = ?', webhookId);
		this.#sql.rows('DELETE FROM webhooks WHERE webhook_id = ?', webhookId);
	}

	/** Removes all endpoints and deliveries. */
	clear(): void {
		for (const table of ['webhook_deliveries', 'webhooks']) this.#sql.rows(`DELETE FROM ${table}`);
	}

	findDelivery(webhookId: string, eventId: string): StoredDelivery | null {
		const [row] = this.#sql.rows(
			`SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE webhook_id = ? AND event_id = ?`,
			webhookId,
			eventId,
		);
		return row === undefined ? null : deliveryOf(row);
	}

	/** Newest first. */
	listDeliveries(webhookId: string, limit: number, offset: number): StoredDelivery[] {
		const query = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE webhook_id = ?
			ORDER BY at DESC, event_id DESC LIMIT ? OFFSET ?`;
		return this.#sql.rows(query, webhookId, limit, offset).map(deliveryOf);
	}

	countDeliveries(webhookId: string): number {
		return this.#count('SELECT COUNT(*) AS n FROM webhook_deliveries WHERE webhook_id = ?', webhookId);
	}

	countWaiting(webhookId: string): number {
		const query = 'SELECT COUNT(*) AS n FROM webhook_deliveries WHERE webhook_id = ? AND due_at IS NOT NULL';
		return this.#count(query, webhookId);
	}

	/** Inserts a delivery that is due at its own time. */
	insertDelivery(
		webhookId: string,
		event: { eventId: string; type: SentEventType; at: number; body: string },
		dueAt: number,
	): void {
		this.#sql.rows(
			`INSERT INTO webhook_deliveries (webhook_id, event_id, type, at, body, status, attempts, due_at)
				VALUES (?, ?, ?, ?, ?, 'waiting', 0, ?)`,
			webhookId,
			event.eventId,
			event.type,
			event.at,
			event.body,
			dueAt,
		);
	}

	writeDelivery({ webhookId, eventId, ...state }: StoredDelivery): void {
		this.#sql.rows(
			`UPDATE webhook_deliveries SET status = ?, attempts = ?, due_at = ?, last_at = ?, last_code = ?, fault = ?
				WHERE webhook_id = ? AND event_id = ?`,
			state.status,
			state.attempts,
			state.dueAt,
			state.lastAt,
			state.lastCode,
			state.fault,
			webhookId,
			eventId,
		);
	}

	bodyOf(webhookId: string, eventId: string): string {
		const [row] = this.#sql.rows(
			'SELECT body FROM webhook_deliveries WHERE webhook_id = ? AND event_id = ?',
			webhookId,
			eventId,
		);
		return row === undefined ? '' : textOf(row, 'body');
	}

	/** The delivery to an endpoint that has been due for longest. */
	nextDue(webhookId: string, now: number): StoredDelivery | null {
		const query = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries INDEXED BY due_deliveries
			WHERE webhook_id = ? AND due_at <= ? AND due_at IS NOT NULL ORDER BY due_at LIMIT 1`;
		const [row] = this.#sql.rows(query, webhookId, now);
		return row === undefined ? null : deliveryOf(row);
	}

	/** When the next delivery after `now` is due. */
	nextDueAfter(webhookId: string, now: number): number | null {
		const query = `SELECT MIN(due_at) AS at FROM webhook_deliveries INDEXED BY due_deliveries
			WHERE webhook_id = ? AND due_at > ? AND due_at IS NOT NULL`;
		const [row] = this.#sql.rows(query, webhookId, now);
		return numberOrNull(row?.['at']);
	}

	/** Ends deliveries that wait: all, or the oldest so many. */
	endWaiting(webhookId: string, fault: DeliveryFault, most: number | null = null): void {
		this.#sql.rows(
			`UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, fault = ?
				WHERE webhook_id = ? AND event_id IN (SELECT event_id FROM webhook_deliveries
					WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY at LIMIT ?)`,
			fault,
			webhookId,
			webhookId,
			most ?? -1,
		);
	}

	/** Deletes ended deliveries: those from before a time, and all but the newest so many. */
	prune(webhookId: string, before: number, most: number): void {
		this.#sql.rows(
			'DELETE FROM webhook_deliveries WHERE webhook_id = ? AND due_at IS NULL AND at < ?',
			webhookId,
			before,
		);
		this.#sql.rows(
			`DELETE FROM webhook_deliveries WHERE webhook_id = ? AND event_id IN
				(SELECT event_id FROM webhook_deliveries WHERE webhook_id = ? AND due_at IS NULL
					ORDER BY at DESC LIMIT -1 OFFSET ?)`,
			webhookId,
			webhookId,
			most,
		);
	}

	/** When the oldest ended delivery of an endpoint happened. */
	oldestEnded(webhookId: string): number | null {
		const [row] = this.#sql.rows(
			'SELECT at FROM webhook_deliveries WHERE webhook_id = ? AND due_at IS NULL ORDER BY at LIMIT 1',
			webhookId,
		);
		return row === undefined ? null : numberOf(row, 'at');
	}

	creditsLow(): StoredLow {
		const account = this.#sql.first<{ creditsLow: StoredLow }>('SELECT creditsLow FROM account');
		assert(account !== null, 'the account was opened');
		return account.creditsLow;
	}

	writeCreditsLow(creditsLow: StoredLow): void {
		this.#sql.update('account', { id: 1 }, { creditsLow });
	}

	#count(query: string, webhookId: string): number {
		const [row] = this.#sql.rows(query, webhookId);
		return row === undefined ? 0 : numberOf(row, 'n');
	}
}

function webhookOf(row: Row): StoredWebhook {
	return {
		webhookId: textOf(row, 'webhook_id'),
		url: textOf(row, 'url'),
		events: jsonOf<readonly WebhookEventType[]>(row, 'events'),
		secrets: jsonOf<readonly SecretRef[]>(row, 'secrets'),
		createdAt: numberOf(row, 'created_at'),
		disabledAt: numberOrNull(row['disabled_at']),
		// The tables' CHECKs allow no other words.
		disabledBecause: textOrNull(row, 'disabled_because') as DisabledBecause | null,
		failingSince: numberOrNull(row['failing_since']),
		tellAt: numberOrNull(row['tell_at']),
	};
}

function deliveryOf(row: Row): StoredDelivery {
	return {
		webhookId: textOf(row, 'webhook_id'),
		eventId: textOf(row, 'event_id'),
		type: textOf(row, 'type') as SentEventType,
		at: numberOf(row, 'at'),
		status: textOf(row, 'status') as DeliveryStatus,
		attempts: numberOf(row, 'attempts'),
		dueAt: numberOrNull(row['due_at']),
		lastAt: numberOrNull(row['last_at']),
		lastCode: numberOrNull(row['last_code']),
		fault: textOrNull(row, 'fault') as DeliveryFault | null,
	};
}

/** The account's row about low credits. Times are epoch milliseconds. */
export interface StoredLow extends LowCredits {
	/** The owner gets a mail, too. */
	readonly mails: boolean;
	/** When the mail is to be sent, or to be tried again; null: there is none to send. */
	readonly tellAt: number | null;
	readonly lowSince: number | null;
}
