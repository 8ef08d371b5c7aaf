import { isTestAccount } from '../../../core/keys/api-key.ts';
import type { Services } from '../../../services.ts';
import type { Mail, Mailer } from '../port.ts';

/** The services of mails that the account's alarm sends. */
export interface OwnerMailServices {
	readonly directory: Pick<Services['directory'], 'findAccount'>;
	readonly mailer: Pick<Mailer, 'send'>;
	/** Our own address; null: not configured. */
	readonly publicUrl: string | null;
}

/**
 * Sends a mail to the account's owner, and throws where it can't be sent. The account of test keys has no owner, and a
 * deleted account has none any more: its address is empty.
 */
export async function mailOwner(
	{ directory, mailer }: OwnerMailServices,
	accountId: string,
	mail: Omit<Mail, 'to'>,
): Promise<void> {
	if (isTestAccount(accountId)) return;
	const to = (await directory.findAccount(accountId))?.email ?? '';
	if (to !== '') await mailer.send({ to, ...mail });
}
