import type { AccountRef } from '../accounts/port.ts';
import type { WebhookView } from './port.ts';
import { requireWebhook } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

/** One endpoint. Throws `ServiceError` `webhook_not_found`. */
export async function showWebhook(
	services: WebhookServices,
	account: AccountRef,
	request: { readonly webhookId: string },
): Promise<WebhookView> {
	const { webhooks } = await services.accounts(account.accountId).listWebhooks();
	return requireWebhook(webhooks.find(({ webhookId }) => webhookId === request.webhookId) ?? null);
}
