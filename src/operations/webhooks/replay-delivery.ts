import { ServiceError } from '../../errors.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { DeliveryView } from './port.ts';
import { requireWebhook, webhookDisabled } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

/** Sends an event to an endpoint again, with the same id and body. */
export async function replayDelivery(
	services: WebhookServices,
	account: AccountRef,
	request: { readonly webhookId: string; readonly eventId: string },
): Promise<DeliveryView> {
	const now = services.clock.now();
	const replayed = requireWebhook(
		await services.accounts(account.accountId).replayDelivery({ ...request, now }),
	);
	if (replayed === 'disabled') throw webhookDisabled();
	if (replayed === 'no_delivery')
		throw new ServiceError('delivery_not_found', 'There is no such delivery to this webhook');
	return replayed;
}
