import { ATTEMPTS_MAX } from '../webhooks/delivery.ts';
import type { DeliveryFacts, WaitingDelivery } from './facts.ts';
import { time } from './finding.ts';
import type { Found } from './finding.ts';

/**
 * A full queue takes two thirds of a day at the slowest endpoint that we allow. A delivery overdue for longer was
 * never begun, or never ended after its last attempt.
 */
export const DELIVERY_LATE_MS = 24 * 3_600_000;
/** The longest pause is ten hours. */
export const DELIVERY_FAR_MS = 48 * 3_600_000;

/** Finds faults in the events that wait for an account's endpoints. */
export function checkDeliveries({ late, far, orphaned }: DeliveryFacts): Found[] {
	return [
		...late.map((delivery) => stuck(delivery, `was due at ${time(delivery.dueAt)}, and waits on`)),
		...far.map((delivery) =>
			stuck(delivery, `waits until ${time(delivery.dueAt)}, which is after any pause`),
		),
		...orphaned.map(({ webhookId, deliveries, isGone }): Found => {
			const state = isGone ? 'does not exist, and has' : 'is disabled, and waits for';
			return {
				what: 'delivery_stuck',
				about: webhookId,
				says: `The endpoint ${state} ${deliveries} deliveries`,
			};
		}),
	];
}

function stuck({ eventId, webhookId, attempts }: WaitingDelivery, says: string): Found {
	const tried = `after ${attempts} of ${ATTEMPTS_MAX} attempts`;
	return { what: 'delivery_stuck', about: eventId, says: `The delivery to ${webhookId} ${says}, ${tried}` };
}
