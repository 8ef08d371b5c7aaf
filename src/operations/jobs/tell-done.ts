import { listDoneMail, mailableName } from '../../core/jobs/done-mail.ts';
import { isTestAccount } from '../../core/keys/api-key.ts';
import type { Directory } from '../accounts/directory-port.ts';
import type { Mailer } from '../people/port.ts';
import type { DoneList } from './lists-port.ts';

export interface TellDoneServices {
	readonly directory: Pick<Directory, 'findAccount'>;
	readonly mailer: Pick<Mailer, 'send'>;
	/** Our own address; null: not configured. */
	readonly publicUrl: string | null;
}

/** Tells the owner by mail that a list ended. Throws where the mail can't be sent. A deleted account has no owner. */
export async function tellDone(services: TellDoneServices, request: DoneList): Promise<void> {
	const { accountId, job } = request;
	if (isTestAccount(accountId)) return;
	const account = await services.directory.findAccount(accountId);
	if (account === null) return;
	const { publicUrl } = services;
	const link = publicUrl === null ? null : new URL(`/dashboard/jobs/${job.jobId}`, publicUrl).href;
	const ended = { ...job, name: mailableName(job.name), failed: job.status === 'failed' };
	await services.mailer.send({ to: account.email, ...listDoneMail(ended, link) });
}
