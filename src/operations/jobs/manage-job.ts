import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { AccountPort, AccountRef, Admitted } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import { describeError, log } from '../../lib/log.ts';
import { completeJob } from './complete.ts';
import type { CompleteJobServices } from './complete.ts';
import { mayAnswerLater } from '../../core/jobs/deferral.ts';
import { createJob } from './start.ts';
import type { StartServices } from './start.ts';
import { requireResults, streamRows } from './steps/stored-results.ts';
import type { Services } from '../../services.ts';

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
			{ details: { status } },
		);
	const now = services.clock.now();
	await services.accounts(account.accountId).deleteResults({ jobId, now });
}

const NAME_MAX = 255;
const SUFFIX = ', asked again';

/**
 * Makes a list of its own of those addresses of a list whose result is `unknown` and may have an answer later. A list is
 * asked again once, however often this is called. Throws `ServiceError` as `readResults` and `createJob` do, and
 * `nothing_unknown`.
 */
export async function askAgain(
	services: StartServices,
	account: Admitted,
	{ job }: { readonly job: JobRecord },
): Promise<{ jobId: string }> {
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

/** A job with the parts that still drive it, as operators see it. */
export type OperatedJob = { readonly accountId: string } & NonNullable<
	Awaited<ReturnType<AccountPort['inspectJob']>>
>;

type OperateJobServices = Pick<Services, 'clock' | 'directory' | 'actor' | 'accounts'>;

/** A job with the parts that still drive it. */
export async function showJob(
	services: OperateJobServices,
	{ jobId }: { readonly jobId: string },
): Promise<OperatedJob> {
	return inspect(services, jobId, await accountOf(services, jobId));
}

/** Sends every open part of a job again, at once. Repeating this is harmless. */
export async function retryJob(
	services: OperateJobServices,
	{ jobId }: { readonly jobId: string },
): Promise<OperatedJob> {
	const accountId = await accountOf(services, jobId);
	await audit(services, 'job.retry', accountId, { jobId });
	const retried = await services.accounts(accountId).retryJob({ jobId, now: services.clock.now() });
	const found = await inspect(services, jobId, accountId);
	if (!retried) throw new ServiceError('job_ended', `The job is ${found.job.status}: nothing is left to do`);
	return found;
}

/** Why a job fails whose answers are settled and can't be read any more. */
const ANSWERS_DAMAGED = 'Stored answers of it are damaged';

/**
 * Ends a job early, as its owner could; one whose record or whose stored answers are damaged fails, and costs nothing. One
 * that is completed stays as it is.
 */
export async function endJob(
	services: OperateJobServices & CompleteJobServices,
	{ jobId }: { readonly jobId: string },
): Promise<OperatedJob> {
	const accountId = await accountOf(services, jobId);
	const account = services.accounts(accountId);
	await audit(services, 'job.end', accountId, { jobId });
	if (!(await account.endDamaged({ jobId, now: services.clock.now() }))) {
		const job = await account.findJob(jobId);
		if (job === null) throw notFound();
		const { status } = await finishJob(services, { accountId }, { job });
		if (status === 'processing') await completeOrFail(services, accountId, jobId);
	}
	return inspect(services, jobId, accountId);
}

/** Completes a job that is finished. Its results can't be made of damaged answers, however often it is tried. */
async function completeOrFail(
	services: CompleteJobServices,
	accountId: string,
	jobId: string,
): Promise<void> {
	try {
		await completeJob(services, { accountId }, { jobId });
	} catch (error) {
		// The bucket or the account is out: the alarm completes the job.
		if (error instanceof ServiceError) throw error;
		const now = services.clock.now();
		await services.accounts(accountId).failJob({ jobId, now, error: ANSWERS_DAMAGED });
	}
}

/** By the operators' listing. */
async function accountOf({ directory }: OperateJobServices, jobId: string): Promise<string> {
	const accountId = await directory.findJobAccount(jobId);
	if (accountId === null) throw notFound();
	return accountId;
}

async function inspect(
	{ accounts, clock }: OperateJobServices,
	jobId: string,
	accountId: string,
): Promise<OperatedJob> {
	const found = await accounts(accountId).inspectJob({ jobId, now: clock.now() });
	if (found === null) throw notFound();
	return { accountId, ...found };
}

function notFound(): ServiceError {
	return new ServiceError('job_not_found', 'There is no such job');
}
