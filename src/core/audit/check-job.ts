import { ROWS_PER_PAGE } from '../jobs/pages.ts';
import { finalRows } from '../jobs/part.ts';
import { STATUSES } from '../verification/sub-status.ts';
import type { JobFacts } from './facts.ts';
import { some, time } from './finding.ts';
import type { Flaw, Found } from './finding.ts';

// An alarm that failed for an hour, and then had much to do, is no damage.
const OVERDUE_MS = 3_600_000;
// After its horizon a job only finishes what it has begun.
const LATE_MS = 24 * 3_600_000;
/** A part that waits for longer than this has an impossible due time. */
export const FAR_MS = 48 * 3_600_000;
/** Consumers renew a lease of seconds. */
export const LEASE_FAR_MS = 3_600_000;

/** Finds faults in a job's record, its parts and its line in the ledger. */
export function checkJob(job: JobFacts, now: number): Found[] {
	const sums = [...countFlaws(job), ...stateFlaws(job), ...chargeFlaws(job)];
	return [
		...sums.map((says): Found => ({ what: 'job_sums', about: job.jobId, says })),
		...lateFlaws(job, now).map((says): Found => ({ what: 'work_late', about: job.jobId, says })),
	];
}

function countFlaws(job: JobFacts): string[] {
	const { submitted, accepted, duplicates, invalid, parts, stored, wrongParts } = job;
	const rows = finalRows(stored.counts) + stored.deferred;
	return [
		...(submitted === accepted + duplicates + invalid
			? []
			: [
					`Of ${submitted} submitted elements ${accepted} were accepted, ${duplicates} were duplicates and ${invalid} invalid`,
				]),
		...(stored.parts === parts ? [] : [`The job has ${stored.parts} parts of ${parts}`]),
		...(stored.addresses === accepted && rows === accepted
			? []
			: [`The parts have ${stored.addresses} addresses and count ${rows}; ${accepted} were accepted`]),
		...(wrongParts.length === 0 ? [] : [`These parts contradict themselves: ${some(wrongParts)}`]),
	];
}

function stateFlaws({ status, endedAt, purgeAt, purged, wakeAt, stored }: JobFacts): string[] {
	const runs = isRunning(status);
	const faults: string[] = [];
	if (runs && (endedAt !== null || purged)) faults.push('The job runs, and has an end');
	if (!runs && (endedAt === null || purgeAt === null))
		faults.push(`The job is ${status}, without the time of its end, or of the deletion of its results`);
	if (status === 'completed' && stored.deferred > 0)
		faults.push(`The job is completed, and ${stored.deferred} of its addresses are open`);
	if (!purged && wakeAt === null) faults.push('No alarm will ever look at the job again');
	return faults;
}

function chargeFlaws({ accepted, price, status, stored: { counts }, line }: JobFacts): string[] {
	if (line === 'deleted' || (line === null && accepted === 0)) return [];
	if (line === null) return ['The ledger has no line of the job'];
	const faults: string[] = [];
	if (line.credits !== accepted * price)
		faults.push(`The line reserves ${line.credits} credits for ${accepted} addresses at ${price}`);
	const runs = isRunning(status);
	if (runs !== (line.closedAt === null))
		faults.push(`The job is ${status}, and its line is ${line.closedAt === null ? 'open' : 'closed'}`);
	const definite = (finalRows(counts) - counts.unknown) * price;
	const charged = line.charged ?? 0;
	if (!runs && (status === 'completed' ? charged !== definite : charged < 0 || charged > definite))
		faults.push(`${charged} credits were charged, and the answers are worth ${definite}`);
	return faults;
}

function lateFlaws(job: JobFacts, now: number): string[] {
	const { status, createdAt, horizonMs, purged, purgeAt, farParts } = job;
	const faults: string[] = [];
	if (isRunning(status) && now > createdAt + horizonMs + LATE_MS)
		faults.push(`The job has run since ${time(createdAt)}, longer than any job may`);
	if (!purged && purgeAt !== null && now > purgeAt + OVERDUE_MS)
		faults.push(`The results were to be deleted at ${time(purgeAt)}`);
	if (farParts.length > 0) faults.push(`These parts wait for a time far from now: ${some(farParts)}`);
	return faults;
}

/** Finds faults in the names of a job's blobs, which were listed after the facts were read. */
export function checkBlobs(job: JobFacts, names: readonly string[], now: number): Found[] {
	const found = (what: Flaw, says: string): Found[] => [{ what, about: job.jobId, says }];
	if (job.purged)
		return names.length === 0
			? []
			: found('blob_left', `The job's blobs were deleted, and ${names.length} are there: ${some(names)}`);
	// Deletion begins at this time, and is recorded when it is done.
	if (job.purgeAt !== null && job.purgeAt <= now) return [];
	const there = new Set(names);
	const missing = blobsOf(job).filter((name) => !there.has(name));
	return missing.length === 0
		? []
		: found('blob_missing', `${missing.length} of the job's blobs are missing: ${some(missing)}`);
}

/** The blobs that a job must have: none if it failed or if its results were deleted. */
function blobsOf({ status, deletedAt, accepted, attempts, stored: { counts } }: JobFacts): string[] {
	if (deletedAt !== null || accepted === 0 || status === 'failed') return [];
	const stored = attempts.flatMap((attempt, part) => (attempt > 0 ? [`parts/${part}.${attempt}`] : []));
	if (isRunning(status)) return ['input', ...stored];
	const lists = [
		['all', accepted],
		...STATUSES.map((of) => [of, counts[of]] as const),
		['catch_all', counts.catchAll],
	] as const;
	const pages = lists.flatMap(([list, rows]) =>
		Array.from({ length: Math.ceil(rows / ROWS_PER_PAGE) }, (_, page) => `pages/${list}/${page}`),
	);
	return [...pages, ...stored];
}

function isRunning(status: string): boolean {
	return status === 'processing';
}
