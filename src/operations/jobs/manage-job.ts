import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { JobInspection, JobRecord } from './port.ts';
import { describeError, log } from '../../lib/log.ts';
import type { AccountRef, Admitted } from '../accounts/port.ts';
import { completeJob } from './complete-job.ts';
import type { CompleteJobServices } from './complete-job.ts';
import { mayAnswerLater } from '../../core/jobs/deferral.ts';
import { createJob } from './create-job.ts';
import type { LaunchJobServices } from './steps/launch-job.ts';
import { requireResults, streamRows } from './steps/stored-results.ts';
import type { Services } from '../../services.ts';

/** The services of operators' actions on jobs. */
type OperateJobsServices = Pick<Services, 'clock' | 'directory' | 'actor' | 'accounts'>;

interface OperateJobRequest {
	readonly jobId: string;
}

export interface OperatedJob extends JobInspection {
	readonly accountId: string;
}

/** The account of a job, by the operators' listing. Throws `ServiceError` `job_not_found`. */
async function requireAccountOf(
	{ directory }: Pick<OperateJobsServices, 'directory'>,
	jobId: string,
): Promise<string> {
	const accountId = await directory.findJobAccount(jobId);
	if (accountId === null) throw notFound();
	return accountId;
}

/** The error for an unknown job. */
function notFound(): ServiceError {
	return new ServiceError('job_not_found', 'There is no such job');
}

/**
 * Ends a job early: what is not answered becomes `unknown` / `not_asked` and is refunded. A job that is completed stays
 * as it is; of one that failed this throws `job_failed`. The account refunds in one step, and its alarm writes the
 * results if that fails here: the job is then still `processing`, with all rows final.
 */
export async function finishJob(
	services: CompleteJobServices,
	account: AccountRef,
	request: { readonly job: JobRecord },
): Promise<JobRecord> {
	const { jobId, status } = request.job;
	if (status === 'failed')
		throw new ServiceError('job_failed', 'The job is failed, and cost nothing', { details: { status } });
	if (status === 'completed') return request.job;
	const jobs = services.accounts(account.accountId);
	const finished = await jobs.finishJob({ jobId, now: services.clock.now() });
	try {
		await completeJob(services, account, { jobId });
		return (await jobs.findJob(jobId)) ?? finished;
	} catch (error) {
		log('finished_job_not_completed', { jobId, ...describeError(error) }, 'warn');
		return finished;
	}
}

/** Ends a job early, as its owner could; one whose record is damaged costs nothing. One that is completed stays as it is. */
export async function endJob(
	services: OperateJobsServices & CompleteJobServices,
	request: OperateJobRequest,
): Promise<OperatedJob> {
	const { jobId } = request;
	const accountId = await requireAccountOf(services, jobId);
	const account = services.accounts(accountId);
	await audit(services, 'job.end', accountId, { jobId });
	if (!(await account.endDamaged({ jobId, now: services.clock.now() }))) {
		const job = await account.findJob(jobId);
		if (job === null) throw notFound();
		await finishJob(services, { accountId }, { job });
	}
	const found = await account.inspectJob({ jobId, now: services.clock.now() });
	if (found === null) throw notFound();
	return { accountId, ...found };
}

interface RenameJobRequest {
	readonly jobId: string;
	/** At most 255 characters. */
	readonly name: string;
}

/** Gives a list another name. */
export async function renameJob(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
	request: RenameJobRequest,
): Promise<void> {
	await services.accounts(account.accountId).renameJob(request);
}

/** Sets whether the owner gets a mail when a list ends. It changes nothing for a list that has ended. */
export async function setMailWhenDone(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
	request: { readonly jobId: string; readonly wanted: boolean },
): Promise<void> {
	await services.accounts(account.accountId).setMailWhenDone(request);
}

/**
 * Deletes the list and the results of a job that has ended; its record stays with its counters. A repetition changes
 * nothing. Throws `job_not_completed` while the job runs, which would otherwise lose answers that are paid for.
 */
export async function deleteResults(
	services: Pick<Services, 'clock' | 'accounts'>,
	account: Admitted,
	request: { readonly job: JobRecord },
): Promise<void> {
	const { jobId, status } = request.job;
	if (status === 'processing')
		throw new ServiceError(
			'job_not_completed',
			'The job is processing: finish it first, or wait for its end',
			{
				details: { status },
			},
		);
	const now = services.clock.now();
	await services.accounts(account.accountId).deleteResults({ jobId, now });
}

const NAME_MAX = 255;
const SUFFIX = ', asked again';

interface AskAgainRequest {
	readonly job: JobRecord;
}

/**
 * Makes a list of its own of those addresses of a list whose result is `unknown` and may have an answer later. A list is
 * asked again once, however often this is called. Throws `ServiceError` as `readResults` and `createJob` do, and
 * `nothing_unknown`.
 */
export async function askAgain(
	services: LaunchJobServices,
	account: Admitted,
	request: AskAgainRequest,
): Promise<{ jobId: string }> {
	const { job } = request;
	requireResults(job, services.clock.now());
	const { againJobId } = job;
	if (againJobId !== null) return { jobId: againJobId };
	const emails: string[] = [];
	for await (const row of streamRows(services, job, 'unknown')) if (mayAnswerLater(row)) emails.push(row[1]);
	if (emails.length === 0)
		throw new ServiceError('nothing_unknown', 'No address of this list is likely to have an answer later');
	const { jobId } = await createJob(services, account, {
		emails,
		rescuesCatchAll: job.rescuesCatchAll,
		name: `${(job.name ?? job.jobId).slice(0, NAME_MAX - SUFFIX.length)}${SUFFIX}`,
		// With a plain space, which callers' own Idempotency-Keys do not contain as stored.
		idempotencyKey: `again ${job.jobId}`,
		sourceJobId: job.jobId,
	});
	return { jobId };
}

/** Sends every open part of a job again, at once. Repeating this is harmless. */
export async function retryJob(
	services: OperateJobsServices,
	request: OperateJobRequest,
): Promise<OperatedJob> {
	const { jobId } = request;
	const accountId = await requireAccountOf(services, jobId);
	const account = services.accounts(accountId);
	const now = services.clock.now();
	await audit(services, 'job.retry', accountId, { jobId });
	const retried = await account.retryJob({ jobId, now });
	const found = await account.inspectJob({ jobId, now });
	if (found === null) throw notFound();
	if (!retried) throw new ServiceError('job_ended', `The job is ${found.job.status}: nothing is left to do`);
	return { accountId, ...found };
}

/** A job with the parts that still drive it. */
export async function showJob(
	services: OperateJobsServices,
	request: OperateJobRequest,
): Promise<OperatedJob> {
	const { jobId } = request;
	const accountId = await requireAccountOf(services, jobId);
	const now = services.clock.now();
	const found = await services.accounts(accountId).inspectJob({ jobId, now });
	if (found === null) throw notFound();
	return { accountId, ...found };
}
