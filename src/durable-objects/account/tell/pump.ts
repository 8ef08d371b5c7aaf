import type { DeliveryReply } from '../../../core/webhooks/delivery.ts';
import { describeError, log } from '../../../lib/log.ts';
import type { Outgoing } from './outbox.ts';

/** `begin` and `end` are transactions. */
interface Steps {
	readonly begin: (target: string) => Promise<Outgoing | null>;
	readonly send: (attempt: Outgoing) => Promise<DeliveryReply>;
	readonly end: (attempt: Outgoing, reply: DeliveryReply) => Promise<void>;
}

/**
 * Sends what is due to each target, one thing after the other, all targets at once: a slow one holds up no other, nor the
 * alarm, which does not wait for endpoints. Whatever fails or dies here was planned again beforehand.
 */
export class Pump {
	readonly #steps: Steps;
	readonly #busy = new Set<string>();
	/** The busy targets for which more has become due. */
	readonly #again = new Set<string>();

	constructor(steps: Steps) {
		this.#steps = steps;
	}

	/** Begins to send to a target, unless that goes on already. Resolves when nothing more is due. */
	async send(target: string): Promise<void> {
		if (this.#busy.has(target)) {
			this.#again.add(target);
			return;
		}
		this.#busy.add(target);
		try {
			do {
				this.#again.delete(target);
				for (;;) {
					const attempt = await this.#steps.begin(target);
					if (attempt === null) break;
					await this.#steps.end(attempt, await this.#steps.send(attempt));
				}
			} while (this.#again.has(target));
		} catch (error) {
			log('outbox_not_sent', { target, ...describeError(error) }, 'warn');
		} finally {
			this.#busy.delete(target);
		}
	}
}
