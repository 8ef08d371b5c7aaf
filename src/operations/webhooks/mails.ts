import { creditsLowMail, webhookDisabledMail } from '../../core/identity/mails.ts';
import { mailOwner } from '../people/steps/mail-owner.ts';
import type { OwnerMailServices } from '../people/steps/mail-owner.ts';
import type { DisabledWebhook, LowBalance } from './port.ts';

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
