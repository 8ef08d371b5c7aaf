import { PUT_OFF_MAX_MS, putOff } from '../../core/jobs/schedule.ts';
import { describeError, log } from '../../lib/log.ts';
import { completeJob } from './complete-job.ts';
import { failJob } from './fail-job.ts';
import type { CompleteJobServices } from './complete-job.ts';
import { isOutage } from './steps/examine-part.ts';
import type { ExaminePartServices } from './steps/examine-part.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobStore } from './port.ts';
import { workOnPart } from './steps/work-on-part.ts';
import type { PartInHand, Worked } from './steps/work-on-part.ts';

export interface VerifyPartServices extends CompleteJobServices, ExaminePartServices {
	readonly newId: (prefix: string) => string;
}

// A consumer that dies holds its part for this long, and no other may take it: short, and renewed by who lives.
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;

export interface VerifyPartRequest {
	readonly jobId: string;
	readonly part: number;
	/** The message came from the dead-letter queue: open rows become `unknown` without another try. */
	readonly giveUp: boolean;
}

/**
 * Works on one part of a job. Every step may be repeated: a redelivery walks the same steps and finds them done. Resolves
 * when the message can be acknowledged; what throws is delivered again.
 */
export async function verifyPart(
	services: VerifyPartServices,
	account: AccountRef,
	request: VerifyPartRequest,
): Promise<void> {
	const { accountId } = account;
	const { jobId, part, giveUp } = request;
	const jobs = services.accounts(accountId);
	const token = services.newId('lease');
	const lease = { jobId, part, token, leaseMs: LEASE_MS };
	const claim = await jobs.claimPart({ ...lease, now: services.clock.now() });
	if (claim.kind === 'held' || claim.kind === 'gone') return;
	if (claim.kind === 'done') return completeJob(services, account, { jobId });
	const inHand = {
		accountId,
		jobId,
		part,
		claim,
		leaseMs: LEASE_MS,
		giveUp: giveUp || claim.abandoned === true,
	};
	const work = workOrPutOff(services, jobs, inHand);
	const worked = await renewingMeanwhile(services, jobs, lease, work);
	if (worked.kind === 'put_off') return;
	if (worked.kind === 'gone') return failJob(services, account, { jobId });
	// Once more with the first part: where the list of jobs was out when this one came in, it shows it from now on.
	if (part === 0 && !worked.ready) await services.listJob(accountId, worked.job);
	if (worked.ready) await completeJob(services, account, { jobId });
}

/** Works on the part; where faults of ours are all that comes of it, gives it back until later. */
async function workOrPutOff(
	services: VerifyPartServices,
	jobs: JobStore,
	inHand: PartInHand,
): Promise<Worked> {
	let worked: Worked;
	try {
		worked = await workOnPart(services, jobs, inHand);
		if (worked.kind !== 'put_off') return worked;
	} catch (error) {
		// Of the store, or of the account: what faults the mail servers' side meets is known by then.
		if (!isOutage(error)) throw error;
		worked = { kind: 'put_off', until: laterThan(services.clock.now(), inHand) };
	}
	const { jobId, part, claim } = inHand;
	const { until } = worked;
	const now = services.clock.now();
	if (await jobs.postponePart({ jobId, part, token: claim.token, now, until })) return worked;
	return workOnPart(services, jobs, { ...inHand, giveUp: true });
}

function laterThan(now: number, { claim }: PartInHand): number {
	const schedule = { asked: 0, dueAt: now, putOffSince: claim.postponedSince };
	return putOff(schedule, now, { mostMs: PUT_OFF_MAX_MS, delaysMs: claim.retryDelaysMs })?.dueAt ?? now;
}

/** Keeps the lease while the work goes on. Without it another consumer may do the work as well, which changes nothing. */
async function renewingMeanwhile<T>(
	{ clock }: Pick<VerifyPartServices, 'clock'>,
	jobs: JobStore,
	lease: Omit<Parameters<JobStore['renewPart']>[0], 'now'>,
	working: Promise<T>,
): Promise<T> {
	const ended = working.then(
		() => true,
		() => true,
	);
	while (!(await Promise.race([ended, clock.sleep(RENEW_EVERY_MS).then(() => false)]))) {
		try {
			await jobs.renewPart({ ...lease, now: clock.now() });
		} catch (error) {
			log('lease_not_renewed', { jobId: lease.jobId, part: lease.part, ...describeError(error) });
		}
	}
	return working;
}
