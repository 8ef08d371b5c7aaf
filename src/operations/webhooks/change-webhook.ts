import type { WebhookEventType } from '../../core/webhooks/events.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { WebhookView } from './port.ts';
import { requireEndpointUrl, requireWebhook, tooManyWebhooks } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

export interface ChangeWebhookRequest {
	readonly webhookId: string;
	/** What is left out stays. */
	readonly url?: string | undefined;
	readonly events?: readonly WebhookEventType[] | undefined;
	readonly enabled?: boolean | undefined;
}

/** Changes an endpoint. What waits for it is sent to its new URL; disabling it ends what waits. */
export async function changeWebhook(
	services: WebhookServices,
	account: AccountRef,
	request: ChangeWebhookRequest,
): Promise<WebhookView> {
	if (request.url !== undefined) requireEndpointUrl(services, request.url);
	const now = services.clock.now();
	const changed = requireWebhook(
		await services.accounts(account.accountId).changeWebhook({ ...request, now }),
	);
	if ('kind' in changed) throw tooManyWebhooks(changed);
	return changed;
}
