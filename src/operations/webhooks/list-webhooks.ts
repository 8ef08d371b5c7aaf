import type { AccountRef } from '../accounts/port.ts';
import type { WebhooksView } from './port.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

/** The account's endpoints, the oldest first, and the threshold of `credits.low`. */
export async function listWebhooks(services: WebhookServices, account: AccountRef): Promise<WebhooksView> {
	return services.accounts(account.accountId).listWebhooks();
}
