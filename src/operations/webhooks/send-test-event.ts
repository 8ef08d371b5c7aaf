import type { AccountRef } from '../accounts/port.ts';
import type { DeliveryView } from './port.ts';
import { requireWebhook, webhookDisabled } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

/** Sends an event to one endpoint, so that its owner sees whether it works. */
export async function sendTestEvent(
	services: WebhookServices,
	account: AccountRef,
	request: { readonly webhookId: string },
): Promise<DeliveryView> {
	const { webhookId } = request;
	const eventId = services.newId('evt');
	const now = services.clock.now();
	const sent = requireWebhook(
		await services.accounts(account.accountId).testWebhook({ webhookId, eventId, now }),
	);
	if (sent === 'disabled') throw webhookDisabled();
	return sent;
}
