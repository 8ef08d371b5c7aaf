import { describeError, log } from '../../lib/log.ts';
import type { AccountContext, Outside } from './context.ts';
import { deleteOldLines } from './credits/ledger.ts';
import { wakeJobs } from './jobs/wake.ts';
import type { JobsRound } from './jobs/wake.ts';
import { findDueMails, mailed } from './lists/mails.ts';
import { forgetEnded } from './outcomes/calls.ts';
import type { WebhookRound } from './webhooks/webhooks.ts';

/** The work of an alarm outside of the object. */
interface AlarmRound extends JobsRound {
	readonly webhooks: WebhookRound;
	/** Ids of ended jobs whose owner gets a mail. */
	readonly mails: readonly string[];
}

/** The work that is due at `now`, already planned again for later in case it fails, and when the alarm rings next. */
export function findDue(account: AccountContext, now: number): AlarmRound {
	const { credits, webhooks, wakeBy } = account;
	forgetEnded(account, now);
	const round = wakeJobs(account, now);
	const mails = credits.exists ? findDueMails(account, now) : [];
	const oldLinesAt = deleteOldLines(account, now);
	if (oldLinesAt !== null) wakeBy(oldLinesAt);
	return { ...round, mails, webhooks: webhooks.wake(now) };
}

/** How the alarm reaches its object. */
interface Ringing {
	readonly accountId: string;
	/** Does this in one transaction. */
	readonly perform: (work: () => void) => Promise<void>;
}

/** Tells the operators' listing of jobs that ended. A slow database must not hold up what else is due: never await this. */
export async function listEnded(
	{ jobs }: Pick<AccountContext, 'jobs'>,
	outside: Pick<Outside, 'listJobs'>,
	{ accountId, perform }: Ringing,
	{ toList }: Pick<AlarmRound, 'toList'>,
): Promise<void> {
	if (toList.length === 0) return;
	try {
		await outside.listJobs(accountId, toList);
		await perform(() => jobs.listed(toList.map(({ jobId }) => jobId)));
	} catch (error) {
		log('jobs_not_listed', { account: accountId, jobs: toList.length, ...describeError(error) }, 'warn');
	}
}

/** Carries out what is due and records it. Whatever fails here was planned again beforehand. */
export async function carryOut(
	account: AccountContext,
	outside: Outside,
	{ accountId, perform }: Ringing,
	{ parts, expired, stuck, damaged, mails, webhooks: { tell, tellLow } }: AlarmRound,
): Promise<void> {
	const { jobs, webhooks } = account;
	const warn = (event: string, about: object, error: unknown): void =>
		log(event, { account: accountId, ...about, ...describeError(error) }, 'warn');
	for (const { since, ...job } of stuck)
		log('job_stuck', { account: accountId, ...job, since: new Date(since).toISOString() });
	for (const { jobId, error } of damaged)
		log('job_damaged', { account: accountId, jobId, ...describeError(error) });
	try {
		for (const [queue, some] of Map.groupBy(parts, (part) => part.queue))
			await outside.sendParts(
				queue,
				some.map(({ jobId, part }) => ({ accountId, jobId, part })),
			);
	} catch (error) {
		warn('parts_not_sent', { parts: parts.length }, error);
	}
	for (const jobId of expired) {
		try {
			await outside.deleteBlobs(jobId);
			await perform(() => jobs.purged(jobId));
		} catch (error) {
			warn('blobs_not_deleted', { jobId }, error);
		}
	}
	for (const { webhookId, url, disabledBecause } of tell) {
		if (disabledBecause === null || disabledBecause === 'owner') continue;
		try {
			await outside.tellDisabled({ accountId, webhookId, url, because: disabledBecause });
			await perform(() => webhooks.told(webhookId));
		} catch (error) {
			warn('owner_not_told', { webhook: webhookId }, error);
		}
	}
	for (const jobId of mails) {
		try {
			const job = jobs.findJob(jobId);
			if (job !== null) await outside.tellDone({ accountId, job });
			await perform(() => mailed(account, jobId));
		} catch (error) {
			warn('list_mail_not_sent', { jobId }, error);
		}
	}
	if (tellLow !== null) {
		const { againAt, ...low } = tellLow;
		try {
			await outside.tellCreditsLow({ accountId, ...low });
			await perform(() => webhooks.toldLow(againAt));
		} catch (error) {
			warn('owner_not_told', { about: 'low credits' }, error);
		}
	}
}
