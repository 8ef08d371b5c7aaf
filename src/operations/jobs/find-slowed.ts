import { domainOf } from '../../core/address/parse-address.ts';
import { decodeRows, isDeferred } from '../../core/jobs/stored-row.ts';
import type { Services } from '../../services.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';

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

/**
 * The domain at which the probers slow the account, by the part of a running job that answered last; null: there is none. The
 * probers are asked only where that may be: addresses wait for our turn, and a mailbox of their domain does not exist.
 */
export async function findSlowed(
	{ accounts, jobBlobs, probers }: Pick<Services, 'accounts' | 'jobBlobs' | 'probers'>,
	{ accountId }: AccountRef,
	{ job }: { readonly job: JobRecord },
): Promise<SlowedDomain | null> {
	const { jobId, status, waiting } = job;
	const part =
		status === 'processing' && waiting > 0 ? await accounts(accountId).newestPart({ jobId }) : null;
	const text = part === null ? null : await jobBlobs.readAttempt(jobId, part.part, part.attempt);
	if (text === null) return null;
	const rows = decodeRows(text);
	const unasked = rows.filter((row) => isDeferred(row) && row[4] === 0);
	const open = Map.groupBy(unasked, ([, email]) => domainOf(email));
	const mayBe = rows.some((row) => row[2] === 'rejected_email' && open.has(domainOf(row[1])));
	if (!mayBe) return null;
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
