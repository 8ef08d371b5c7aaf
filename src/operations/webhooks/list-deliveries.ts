import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { DeliveryView } from './port.ts';
import { requireWebhook } from './steps/require-webhook.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

export interface ListDeliveriesRequest {
	readonly webhookId: string;
	/** From 1. */
	readonly page: number;
	readonly limit: number;
}

/** A page of what was and will be sent to an endpoint, newest first. */
export async function listDeliveries(
	services: WebhookServices,
	account: AccountRef,
	request: ListDeliveriesRequest,
): Promise<{ deliveries: readonly DeliveryView[]; pagination: Pagination }> {
	const { webhookId, page, limit } = request;
	const { deliveries, total } = requireWebhook(
		await services.accounts(account.accountId).listDeliveries({ webhookId, page, pageSize: limit }),
	);
	return { deliveries, pagination: paginate(total, page, limit) };
}
