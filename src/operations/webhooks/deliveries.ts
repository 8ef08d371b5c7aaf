import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { DeliveryView, DisabledWebhook, LowBalance } from './port.ts';
import { requireWebhook, webhookDisabled } from './webhooks.ts';
import type { WebhookServices } from './webhooks.ts';
import { ServiceError } from '../../errors.ts';
import { creditsLowMail, webhookDisabledMail } from '../../core/identity/mails.ts';
import { mailOwner } from '../people/steps/mail-owner.ts';
import type { OwnerMailServices } from '../people/steps/mail-owner.ts';

interface ListDeliveriesRequest {
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

/** Sends the owner a mail that the balance has fallen below the threshold. Throws where the mail can't be sent. */
export async function tellCreditsLow(services: OwnerMailServices, request: LowBalance): Promise<void> {
	const { accountId, balance, below } = request;
	const { publicUrl } = services;
	const links =
		publicUrl === null
			? null
			: {
					add: new URL('/dashboard/credits/add', publicUrl).href,
					change: new URL('/dashboard/credits#low-balance', publicUrl).href,
				};
	await mailOwner(services, accountId, creditsLowMail({ balance, below, links }));
}

/** Sends the owner a mail that an endpoint gets no more events. Throws where the mail can't be sent. */
export async function tellDisabled(services: OwnerMailServices, request: DisabledWebhook): Promise<void> {
	const { accountId, webhookId, url, because } = request;
	const { publicUrl } = services;
	const link = publicUrl === null ? null : new URL(`/dashboard/webhooks/${webhookId}`, publicUrl).href;
	await mailOwner(services, accountId, webhookDisabledMail(url, because, link));
}
