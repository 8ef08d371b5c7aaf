import { isLiveAccount, testAccountOf } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import type { JobStatus } from '../jobs/port.ts';
import type { People } from '../people/port.ts';
import type { AccountRef } from './port.ts';
import { audit } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

export interface RelistServices extends ManageServices {
	readonly people: Pick<People, 'findByAccount' | 'remove'>;
}

/** A job behind which a later call goes on. */
export interface RelistPlace {
	readonly accountId: string;
	readonly jobId: string;
}

export interface RelistAccountRequest {
	/** Where the owner is written to, which the account itself does not know; null: as it is listed. */
	readonly email: string | null;
	/** Where the last call stopped; null: at the beginning. */
	readonly after: RelistPlace | null;
}

export interface Relisted {
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
	/** Jobs and tasks that were written by this call. */
	readonly jobs: number;
	/** Null: that was all. */
	readonly next: RelistPlace | null;
}

const JOBS_A_PAGE = 100;
const PAGES_A_CALL = 10;

/**
 * Writes again what the database lists of an account: the account, and its jobs, some at a time. Of a closed one it deletes
 * what the database has of its owner. A repetition changes nothing. Throws `ServiceError` `account_not_found`.
 */
export async function relistAccount(
	services: RelistServices,
	account: AccountRef,
	request: RelistAccountRequest,
): Promise<Relisted> {
	const { accountId } = account;
	const { email, after } = request;
	// The object itself is asked: both places that name it may be lost.
	const facts = isLiveAccount(accountId)
		? await services.accounts(accountId).auditBooks({ now: services.clock.now() })
		: null;
	if (facts === null) throw new ServiceError('account_not_found', 'There is no such account');
	const { suspendedAt, closedAt } = facts;
	if (after === null) await relist(services, accountId, { email, suspendedAt, closedAt });
	if (closedAt !== null) return { suspendedAt, closedAt, jobs: 0, next: null };
	return { suspendedAt, closedAt, ...(await relistJobs(services, accountId, after)) };
}

async function relist(
	services: RelistServices,
	accountId: string,
	known: { readonly email: string | null } & Pick<Relisted, 'suspendedAt' | 'closedAt'>,
): Promise<void> {
	const { accountRegister, directory, people } = services;
	await audit(services, 'account.relist', accountId, {});
	await accountRegister.enter(accountId);
	const createdAt = (await accountRegister.enteredAt(accountId)) ?? services.clock.now();
	await directory.relistAccount({ id: accountId, createdAt, ...known });
	const owner = known.closedAt === null ? null : await people.findByAccount(accountId);
	if (owner !== null) await people.remove(owner, known.closedAt ?? createdAt);
}

async function relistJobs(
	{ accounts, clock, directory }: RelistServices,
	liveId: string,
	after: RelistPlace | null,
): Promise<Pick<Relisted, 'jobs' | 'next'>> {
	const testId = testAccountOf(liveId);
	let accountId = after?.accountId === testId ? testId : liveId;
	let last = after?.jobId ?? null;
	let jobs = 0;
	for (let pages = 0; pages < PAGES_A_CALL; pages += 1) {
		const request = { after: last, most: JOBS_A_PAGE, now: clock.now() };
		const page = await accounts(accountId).auditJobs(request);
		// The table of jobs takes no other words.
		const listed = page.map(({ status, ...job }) => ({ ...job, status: status as JobStatus }));
		if (listed.length > 0) await directory.listJobs(accountId, listed);
		jobs += page.length;
		last = page.at(-1)?.jobId ?? last;
		if (page.length === JOBS_A_PAGE) continue;
		if (accountId === testId) return { jobs, next: null };
		[accountId, last] = [testId, ''];
	}
	return { jobs, next: { accountId, jobId: last ?? '' } };
}
