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
 * Makes the function that sends what is due to a target, one thing after the other; it resolves when nothing more is due. All
 * targets are sent to at once: a slow one holds up no other, nor the alarm, which does not wait for endpoints. Where a
 * target is busy already, that work finds what has become due. Whatever fails or dies here was planned again beforehand.
 */
export function pumpOf({ begin, send, end }: Steps): (target: string) => Promise<void> {
	const busy = new Set<string>();
	return async (target) => {
		if (busy.has(target)) return;
		busy.add(target);
		try {
			for (let attempt = await begin(target); attempt !== null; attempt = await begin(target))
				await end(attempt, await send(attempt));
		} catch (error) {
			log('outbox_not_sent', { target, ...describeError(error) }, 'warn');
		} finally {
			busy.delete(target);
		}
	};
}
