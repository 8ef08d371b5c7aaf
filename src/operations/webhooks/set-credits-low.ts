import type { AccountRef } from '../accounts/port.ts';
import type { WebhookServices } from './steps/require-webhook.ts';

export interface SetCreditsLowRequest {
	/** The account is told when its balance falls below; null: it is not. */
	readonly below: number | null;
	/** Whether the owner is told by mail, too; left out: as before. */
	readonly mails?: boolean;
}

/** Sets the threshold of `credits.low`. */
export async function setCreditsLow(
	services: WebhookServices,
	account: AccountRef,
	request: SetCreditsLowRequest,
): Promise<void> {
	const now = services.clock.now();
	await services.accounts(account.accountId).setCreditsLow({ ...request, now });
}
