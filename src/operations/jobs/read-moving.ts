import { domainOf } from '../../core/address/parse-address.ts';
import { decodeRows, isDeferred } from '../../core/jobs/stored-row.ts';
import type { FinalRow, PartRow } from '../../core/jobs/stored-row.ts';
import type { SubStatus } from '../../core/verification/sub-status.ts';
import type { Services } from '../../services.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';

/** An answer of a job that runs. */
export interface NewAnswer {
	readonly email: string;
	readonly reason: SubStatus;
}

/** A domain whose addresses wait, because our guard against guessing slows the account there. */
export interface SlowedDomain {
	readonly domain: string;
	/** How many names the account asked about there, and how many of them do not exist. */
	readonly asked: number;
	readonly unknown: number;
	/** How many addresses we ask about a minute. */
	readonly perMinute: number;
	/** How many addresses of the list wait for it, as far as that shows. */
	readonly open: number;
}

/** The parts of a job's page that change while it runs. */
export interface Moving {
	/** The newest answers, from the part that answered last. */
	readonly newest: readonly NewAnswer[];
	/** Null: we do not slow that part ourselves. */
	readonly slowed: SlowedDomain | null;
}

const NEWEST = 5;

/** The newest answers of a job that runs, and whether our guard against guessing slows it. */
export async function readMoving(
	services: Pick<Services, 'accounts' | 'jobBlobs' | 'probers'>,
	account: AccountRef,
	{ job }: { readonly job: JobRecord },
): Promise<Moving> {
	const { accounts, jobBlobs } = services;
	const { jobId, status } = job;
	const part = status === 'processing' ? await accounts(account.accountId).newestPart({ jobId }) : null;
	const text = part === null ? null : await jobBlobs.readAttempt(jobId, part.part, part.attempt);
	if (text === null) return { newest: [], slowed: null };
	const rows = decodeRows(text);
	const newest = rows
		.filter((row): row is FinalRow => !isDeferred(row))
		.toSorted((a, b) => b[13] - a[13])
		.slice(0, NEWEST)
		.map(([, email, reason]) => ({ email, reason }));
	return { newest, slowed: await findSlowed(services, account, { job, rows }) };
}

/**
 * The domain of these rows at which the probers slow the account. They are asked only where that may be: addresses wait for
 * our turn, and a mailbox of their domain does not exist.
 */
async function findSlowed(
	{ probers }: Pick<Services, 'probers'>,
	{ accountId }: AccountRef,
	{ job, rows }: { readonly job: JobRecord; readonly rows: readonly PartRow[] },
): Promise<SlowedDomain | null> {
	const unasked = rows.filter((row) => isDeferred(row) && row[4] === 0);
	const open = Map.groupBy(unasked, ([, email]) => domainOf(email));
	const mayBe = rows.some((row) => row[2] === 'rejected_email' && open.has(domainOf(row[1])));
	if (job.waiting === 0 || !mayBe) return null;
	const openAt = (domain: string): number => open.get(domain)?.length ?? 0;
	const [most] = (await probers.states())
		.flatMap((seen) => ('silent' in seen ? [] : seen.state.guessers))
		.filter(({ asker, domain }) => asker === accountId && openAt(domain) > 0)
		.toSorted((a, b) => openAt(b.domain) - openAt(a.domain));
	if (most === undefined) return null;
	const { domain, asked, unknown, perMinute } = most;
	// The parts are taken to be alike.
	const all = Math.round(((job.accepted - job.processed) * openAt(domain)) / unasked.length);
	return { domain, asked, unknown, perMinute, open: Math.max(openAt(domain), all) };
}
