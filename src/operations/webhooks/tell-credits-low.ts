import { creditsLowMail } from '../../core/identity/mails.ts';
import { isTestAccount } from '../../core/keys/api-key.ts';
import type { LowBalance } from './port.ts';
import type { TellDisabledServices } from './tell-disabled.ts';

/**
 * Tells the owner by mail that the balance has fallen below the threshold. Throws where the mail can't be sent. Credits
 * of test keys are nobody's, and the directory knows no test accounts.
 */
export async function tellCreditsLow(services: TellDisabledServices, request: LowBalance): Promise<void> {
	const { accountId, balance, below } = request;
	if (isTestAccount(accountId)) return;
	const account = await services.directory.findAccount(accountId);
	// Its owner deleted the account since.
	if (account === null || account.email === '') return;
	const { publicUrl } = services;
	const links =
		publicUrl === null
			? null
			: {
					add: new URL('/dashboard/credits/add', publicUrl).href,
					change: new URL('/dashboard/credits#low-balance', publicUrl).href,
				};
	await services.mailer.send({ to: account.email, ...creditsLowMail({ balance, below, links }) });
}
