import { describeError, log } from '../../../lib/log.ts';
import type { DeliveryReply } from '../../../core/webhooks/delivery.ts';
import type { OutgoingDelivery } from '../../../operations/webhooks/port.ts';
import type { BegunAttempt } from './attempts.ts';

/** The steps that send an account's events: each is a transaction of its own. */
export interface PumpSteps {
	readonly begin: (webhookId: string) => Promise<BegunAttempt | null>;
	readonly deliver: (sent: Omit<OutgoingDelivery, 'accountId'>) => Promise<DeliveryReply>;
	readonly end: (attempt: BegunAttempt, reply: DeliveryReply) => Promise<void>;
}

/**
 * Sends what is due to each endpoint, one event after the other, all endpoints at once: a slow one holds up no other,
 * nor the alarm, which does not wait. Whatever fails or dies here was planned again beforehand.
 */
export class WebhookPump {
	readonly #steps: PumpSteps;
	readonly #busy = new Set<string>();
	/** The busy endpoints for which more has become due. */
	readonly #again = new Set<string>();

	constructor(steps: PumpSteps) {
		this.#steps = steps;
	}

	/** Begins to send to these endpoints, unless that goes on already. Resolves when nothing more is due. */
	async send(webhookIds: readonly string[]): Promise<void> {
		for (const webhookId of webhookIds) if (this.#busy.has(webhookId)) this.#again.add(webhookId);
		const idle = webhookIds.filter((webhookId) => !this.#busy.has(webhookId));
		await Promise.all(idle.map((webhookId) => this.#sendTo(webhookId)));
	}

	async #sendTo(webhookId: string): Promise<void> {
		this.#busy.add(webhookId);
		try {
			do {
				this.#again.delete(webhookId);
				for (;;) {
					const attempt = await this.#steps.begin(webhookId);
					if (attempt === null) break;
					await this.#steps.end(attempt, await this.#steps.deliver(attempt.sent));
				}
			} while (this.#again.has(webhookId));
		} catch (error) {
			log('webhooks_not_sent', { webhook: webhookId, ...describeError(error) }, 'warn');
		} finally {
			this.#busy.delete(webhookId);
		}
	}
}
