import type { AccountRef } from '../accounts/port.ts';
import { requireWebhook } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

/** Removes an endpoint and its deliveries. An attempt that is under way may still arrive. */
export async function removeWebhook(
	services: WebhookServices,
	account: AccountRef,
	request: { readonly webhookId: string },
): Promise<void> {
	const wasThere = await services.accounts(account.accountId).removeWebhook(request);
	requireWebhook(wasThere ? request : null);
}
