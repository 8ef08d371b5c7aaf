import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { AccountContext } from '../context.ts';
import { dueMails, nextMail, planMail, setMailAt } from './storage.ts';

// A mail that could not be sent is tried again after this pause, for a day: later it is no news.
const RETRY_MS = 5 * 60_000;
const NEWS_MS = 24 * 3_600_000;
// Mails that one alarm sends.
const MAILS_MAX = 5;

type MailContext = Pick<AccountContext, 'sql' | 'wakeBy'>;

/** Plans the mail about a job's end, in the transaction in which it ends. */
export function planMailOf(
	{ sql, wakeBy }: MailContext,
	{ jobId }: Pick<JobRecord, 'jobId'>,
	now: number,
): void {
	if (planMail(sql, jobId, now)) wakeBy(now);
}

/**
 * The ids of jobs whose owner gets a mail now. Each mail is planned again first, in case we die before we record that it
 * was sent. In that moment a mail may be sent twice, which is better than never.
 */
export function findDueMails({ sql, wakeBy }: MailContext, now: number): readonly string[] {
	const due: string[] = [];
	for (const { jobId, endedAt } of dueMails(sql, now, MAILS_MAX)) {
		const isNews = now < endedAt + NEWS_MS;
		setMailAt(sql, jobId, isNews ? now + RETRY_MS : null);
		if (isNews) due.push(jobId);
	}
	const next = nextMail(sql);
	if (next !== null) wakeBy(next);
	return due;
}

/** Records that the mail was sent. */
export function mailed({ sql }: Pick<AccountContext, 'sql'>, jobId: string): void {
	setMailAt(sql, jobId, null);
}
