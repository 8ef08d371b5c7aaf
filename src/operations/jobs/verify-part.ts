import type { AccountPort } from '../accounts/object-port.ts';
import { putOff } from '../../core/jobs/schedule.ts';
import { describeError, log } from '../../lib/log.ts';
import { completeJob, failJob } from './complete-job.ts';
import { isOutage } from './steps/examine-part.ts';
import type { AccountRef } from '../accounts/port.ts';
import { workOnPart } from './steps/work-on-part.ts';
import type { PartInHand, Worked } from './steps/work-on-part.ts';
import type { Services } from '../../services.ts';

export type VerifyPartServices = Pick<
	Services,
	| 'clock'
	| 'accounts'
	| 'jobBlobs'
	| 'listJob'
	| 'lookUpMail'
	| 'examineAddresses'
	| 'digestsOf'
	| 'metrics'
	| 'newId'
>;

// A dead consumer blocks its part for this long, so the lease is short, and renewed by consumers that live. Each renewal
// costs, so the part of a list has longer leases the longer it has been worked on.
const LEASE_MS = 15_000;
const RENEWALS_A_LEASE = 3;
const RENEW_AFTER_MS = { first: 5_000, small: 5_000, list: 60_000 };

export interface VerifyPartRequest {
	readonly jobId: string;
	readonly part: number;
	/** The message came from the dead-letter queue: open rows become `unknown` without asking again. */
	readonly giveUp: boolean;
}

/**
 * Works on one part of a job. Every step may be repeated: a redelivery takes the same steps and finds them done.
 * Resolves when the message can be acknowledged; if it throws, the message is delivered again.
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
	const claim = await jobs.claimPart({
		jobId,
		part,
		token,
		leaseMs: LEASE_MS,
		now: services.clock.now(),
	});
	if (claim.kind === 'held' || claim.kind === 'gone') return;
	if (claim.kind === 'done') return completeJob(services, account, { jobId });
	const urgency = claim.isSmall ? 'small' : 'list';
	const lease = { jobId, part, token };
	const renewing = { jobs, lease, mostMs: RENEW_AFTER_MS[urgency] };
	const worked = await renewingMeanwhile(services, renewing, (lost) =>
		workOrPutOff(services, jobs, {
			accountId,
			jobId,
			part,
			claim,
			leaseMs: LEASE_MS,
			giveUp: giveUp || claim.abandoned === true,
			lost,
		}),
	);
	if (worked.kind === 'put_off' || worked.kind === 'waits' || worked.kind === 'lost') return;
	if (worked.kind === 'gone') return failJob(services, account, { jobId });
	// Listed again with the first part, in case the database was out when the job was created; it may still be.
	if (part === 0 && !worked.ready) await Promise.allSettled([services.listJob(accountId, worked.job)]);
	if (worked.ready) await completeJob(services, account, { jobId });
}

/** Works on the part, and puts it off if there were only faults of ours. */
async function workOrPutOff(
	services: VerifyPartServices,
	jobs: AccountPort,
	inHand: PartInHand,
): Promise<Worked> {
	let worked: Worked;
	try {
		worked = await workOnPart(services, jobs, inHand);
		if (worked.kind !== 'put_off' && worked.kind !== 'waits') return worked;
	} catch (error) {
		// An outage of the bucket or the account; faults on the way to mail servers are handled by `workOnPart`.
		if (!isOutage(error)) throw error;
		worked = { kind: 'put_off', until: laterThan(services.clock.now(), inHand) };
	}
	const { jobId, part, claim } = inHand;
	const { until } = worked;
	const now = services.clock.now();
	const waits = worked.kind === 'waits';
	if (await jobs.postponePart({ jobId, part, token: claim.token, now, until, waits })) return worked;
	return workOnPart(services, jobs, { ...inHand, giveUp: true });
}

function laterThan(now: number, { claim }: PartInHand): number {
	const schedule = { asked: 0, dueAt: now, putOffSince: claim.postponedSince };
	return putOff(schedule, now, claim.retryDelaysMs)?.dueAt ?? now;
}

interface Renewing {
	readonly jobs: AccountPort;
	readonly lease: Omit<Parameters<AccountPort['renewPart']>[0], 'now' | 'leaseMs'>;
	/** The longest pause between two renewals. */
	readonly mostMs: number;
}

/**
 * Renews the lease during the work, and tells the work when it is lost: another consumer asks the same addresses by then.
 * An account that is away gives the part to no other consumer either, so that is no loss.
 */
async function renewingMeanwhile<T>(
	{ clock }: Pick<VerifyPartServices, 'clock'>,
	{ jobs, lease, mostMs }: Renewing,
	work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
	const loss = new AbortController();
	const working = work(loss.signal);
	const ended = working.then(
		() => true,
		() => true,
	);
	let pauseMs = RENEW_AFTER_MS.first;
	while (!(await Promise.race([ended, clock.sleep(pauseMs).then(() => false)]))) {
		pauseMs = Math.min(4 * pauseMs, mostMs);
		const leaseMs = RENEWALS_A_LEASE * pauseMs;
		try {
			if (!(await jobs.renewPart({ ...lease, leaseMs, now: clock.now() }))) {
				loss.abort();
				return working;
			}
		} catch (error) {
			log('lease_not_renewed', { jobId: lease.jobId, part: lease.part, ...describeError(error) }, 'warn');
		}
	}
	return working;
}
