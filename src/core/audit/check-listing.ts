import type { BooksFacts, JobFacts } from './facts.ts';
import type { Found } from './finding.ts';

/** After an outage of the database, the consumer of a running job's first part lists the job again within this time. */
const LISTED_AFTER_MS = 3_600_000;

interface Standing {
	readonly suspendedAt: number | null;
	readonly closedAt: number | null;
}

/**
 * Finds an open account that is missing from the database, or from the register in the bucket. Both are written
 * before the account opens, so a missing entry is not just late.
 */
export function checkPlaces(isListed: boolean, isEntered: boolean): Found[] {
	return [
		...(isListed ? [] : [differs(null, 'The account is there, and the database does not list it')]),
		...(isEntered ? [] : [differs(null, 'The account is there, and the bucket has no entry of it')]),
	];
}

/** Finds differences between an account's state and its listing in the database. At most one is null. */
export function checkStanding(facts: BooksFacts | null, listed: Standing | null): Found[] {
	if (listed === null) return [];
	if (facts === null) return [unknown(null, 'The database lists the account, which was never opened')];
	return (['suspendedAt', 'closedAt'] as const).flatMap((key): Found[] => {
		if ((facts[key] === null) === (listed[key] === null)) return [];
		const word = key === 'suspendedAt' ? 'suspended' : 'closed';
		const [account, database] =
			facts[key] === null ? ['is not', 'lists it so'] : ['is', 'does not list it so'];
		return [differs(null, `The account ${account} ${word}, and the database ${database}`)];
	});
}

/**
 * Finds jobs whose listing differs from their state. A job that has just ended may still be listed as running, as long as
 * the alarm will look at it before its results are to be deleted: it tells the listing.
 */
export function checkListed(
	accountId: string,
	jobs: readonly JobFacts[],
	rows: readonly { readonly jobId: string; readonly accountId: string; readonly status: string }[],
	now: number,
): Found[] {
	const listed = new Map(rows.map((row) => [row.jobId, row]));
	return jobs.flatMap(({ jobId, status, createdAt, wakeAt, purgeAt }): Found[] => {
		const row = listed.get(jobId);
		const runs = status === 'processing';
		const isToTell = wakeAt !== null && purgeAt !== null && wakeAt < purgeAt;
		if (row === undefined)
			return isToTell || (runs && now < createdAt + LISTED_AFTER_MS)
				? []
				: [differs(jobId, 'The database does not list the job')];
		if (row.accountId !== accountId)
			return [differs(jobId, `The database lists the job under ${row.accountId}`)];
		if (runs || isToTell || row.status === status) return [];
		return [differs(jobId, `The job is ${status}, and the database lists it as ${row.status}`)];
	});
}

/** Finds jobs that the database lists under an account and that the account does not know. */
export function checkRows(jobIds: readonly string[], known: readonly string[], isClosed: boolean): Found[] {
	const has = new Set(known);
	return jobIds.flatMap((jobId): Found[] => {
		if (!has.has(jobId)) return [unknown(jobId, 'The database lists the job, which the account has not')];
		return isClosed ? [differs(jobId, 'The account is closed, and its job is still listed')] : [];
	});
}

function differs(about: string | null, says: string): Found {
	return { what: 'listing_differs', about, says };
}

function unknown(about: string | null, says: string): Found {
	return { what: 'listed_unknown', about, says };
}
