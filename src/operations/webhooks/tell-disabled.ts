import { webhookDisabledMail } from '../../core/identity/mails.ts';
import { isTestAccount } from '../../core/keys/api-key.ts';
import type { Directory } from '../accounts/directory-port.ts';
import type { Mailer } from '../people/port.ts';
import type { DisabledWebhook } from './port.ts';

export interface TellDisabledServices {
	readonly directory: Pick<Directory, 'findAccount'>;
	readonly mailer: Pick<Mailer, 'send'>;
	/** Our own address; null: not configured. */
	readonly publicUrl: string | null;
}

/**
 * Tells the owner by mail that events are no longer sent to an endpoint. Throws where the mail can't be sent. Of an endpoint
 * of test keys nobody is told: no event that matters is lost, and the directory knows no test accounts.
 */
export async function tellDisabled(services: TellDisabledServices, request: DisabledWebhook): Promise<void> {
	const { accountId, webhookId, url, because } = request;
	if (isTestAccount(accountId)) return;
	const account = await services.directory.findAccount(accountId);
	if (account === null) return;
	const { publicUrl } = services;
	const link = publicUrl === null ? null : new URL(`/dashboard/webhooks/${webhookId}`, publicUrl).href;
	await services.mailer.send({ to: account.email, ...webhookDisabledMail(url, because, link) });
}
