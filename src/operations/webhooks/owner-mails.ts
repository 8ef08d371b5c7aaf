import { creditsLowMail, webhookDisabledMail } from '../../core/identity/mails.ts';
import { listDoneMail } from '../../core/jobs/done-mail.ts';
import { isTestAccount } from '../../core/keys/api-key.ts';
import type { Services } from '../../services.ts';
import type { JobRecord } from '../jobs/port.ts';
import type { Mail, Mailer } from '../people/port.ts';
import type { DisabledWebhook, LowBalance } from './port.ts';

// The mails that the account's alarm sends to the owner. Each throws where it can't be sent.

interface OwnerMailServices {
	readonly directory: Pick<Services['directory'], 'findAccount'>;
	readonly mailer: Pick<Mailer, 'send'>;
	/** One of our own addresses; null: they are not configured. */
	readonly linkTo: (path: string) => string | null;
}

/** The account of test keys has no owner, and a deleted account has none any more: its address is empty. */
async function mailOwner(
	{ directory, mailer }: OwnerMailServices,
	accountId: string,
	mail: Omit<Mail, 'to'>,
): Promise<void> {
	if (isTestAccount(accountId)) return;
	const to = (await directory.findAccount(accountId))?.email ?? '';
	if (to !== '') await mailer.send({ to, ...mail });
}

/** A list ended. */
export async function tellDone(
	services: OwnerMailServices,
	{ accountId, job }: { readonly accountId: string; readonly job: JobRecord },
): Promise<void> {
	await mailOwner(services, accountId, listDoneMail(job, services.linkTo(`/dashboard/jobs/${job.jobId}`)));
}

/** The balance has fallen below the threshold. */
export async function tellCreditsLow(services: OwnerMailServices, request: LowBalance): Promise<void> {
	const { accountId, balance, below } = request;
	const add = services.linkTo('/dashboard/credits/add');
	const change = services.linkTo('/dashboard/credits#low-balance');
	const links = add === null || change === null ? null : { add, change };
	await mailOwner(services, accountId, creditsLowMail({ balance, below, links }));
}

/** An endpoint gets no more events. */
export async function tellDisabled(services: OwnerMailServices, request: DisabledWebhook): Promise<void> {
	const { accountId, webhookId, url, because } = request;
	const link = services.linkTo(`/dashboard/webhooks/${webhookId}`);
	await mailOwner(services, accountId, webhookDisabledMail(url, because, link));
}
