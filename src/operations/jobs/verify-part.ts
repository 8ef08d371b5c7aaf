import type { AccountPort } from '../accounts/object-port.ts';
import { faultPauseMs } from '../../core/jobs/open-row.ts';
import { describeError, log } from '../../lib/log.ts';
import { completeJob, INPUT_GONE } from './complete.ts';
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

/**
 * Works on one part of a job. Every step may be repeated: another message takes the same steps and finds them done. Throws
 * where it can't go on; the account then sends the part again once its lease has ended.
 */
export async function verifyPart(
	services: VerifyPartServices,
	account: AccountRef,
	{ jobId, part }: { readonly jobId: string; readonly part: number },
): Promise<void> {
	const { accountId } = account;
	const jobs = services.accounts(accountId);
	const lease = { jobId, part, token: services.newId('lease') };
	const claim = await jobs.claimPart({ ...lease, leaseMs: LEASE_MS, now: services.clock.now() });
	if (claim.kind === 'held' || claim.kind === 'gone') return;
	if (claim.kind === 'done') return completeJob(services, account, { jobId });
	const renewing = { jobs, lease, mostMs: RENEW_AFTER_MS[claim.isSmall ? 'small' : 'list'] };
	const worked = await renewingMeanwhile(services, renewing, (lost) =>
		workOrPutOff(services, { accountId, ...lease, claim, leaseMs: LEASE_MS, lost }),
	);
	if (worked.kind === 'later' || worked.kind === 'lost') return;
	if (worked.kind === 'gone') {
		await jobs.failJob({ jobId, now: services.clock.now(), error: INPUT_GONE });
		return;
	}
	// Listed again with the first part, in case the database was out when the job was created; it may still be.
	if (part === 0 && !worked.ready) await Promise.allSettled([services.listJob(accountId, worked.job)]);
	if (worked.ready) await completeJob(services, account, { jobId });
}

/** Works on the part, and gives it back until later if it had no answer. */
async function workOrPutOff(services: VerifyPartServices, inHand: PartInHand): Promise<Worked> {
	const worked = await workOnPart(services, inHand).catch((error: unknown): Worked => {
		// An outage of the bucket or the account; faults on the way to mail servers are handled by `workOnPart`.
		if (!isOutage(error)) throw error;
		const now = services.clock.now();
		const { silentSince, retryDelaysMs } = inHand.claim;
		return { kind: 'later', until: now + faultPauseMs(silentSince, now, retryDelaysMs) };
	});
	const { accountId, jobId, part, token } = inHand;
	const given = { jobId, part, token, now: services.clock.now() };
	if (worked.kind === 'later')
		await services.accounts(accountId).postponePart({ ...given, until: worked.until });
	return worked;
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
