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
	const says = [...countFlaws(job), ...stateFlaws(job), ...chargeFlaws(job), ...lateFlaws(job, now)];
	return says.map(([what, sentence]) => ({ what, about: job.jobId, says: sentence }));
}

type Fault = readonly [Flaw, string];

function countFlaws(job: JobFacts): Fault[] {
	const { submitted, accepted, duplicates, invalid, parts, stored, wrongParts } = job;
	const faults: Fault[] = [];
	if (submitted !== accepted + duplicates + invalid)
		faults.push([
			'job_counts',
			`Of ${submitted} submitted elements ${accepted} were accepted, ${duplicates} were duplicates and ${invalid} invalid`,
		]);
	if (stored.parts !== parts) faults.push(['job_counts', `The job has ${stored.parts} parts of ${parts}`]);
	const rows = finalRows(stored.counts) + stored.deferred;
	if (stored.addresses !== accepted || rows !== accepted)
		faults.push([
			'job_counts',
			`The parts have ${stored.addresses} addresses and count ${rows}; ${accepted} were accepted`,
		]);
	if (wrongParts.length > 0)
		faults.push(['part_wrong', `These parts contradict themselves: ${some(wrongParts)}`]);
	return faults;
}

function stateFlaws({ status, endedAt, purgeAt, purged, wakeAt, stored }: JobFacts): Fault[] {
	const runs = isRunning(status);
	const faults: string[] = [];
	if (runs && (endedAt !== null || purged)) faults.push('The job runs, and has an end');
	if (!runs && (endedAt === null || purgeAt === null))
		faults.push(`The job is ${status}, and it is not said since when, or until when its results are kept`);
	if (status === 'completed' && stored.deferred > 0)
		faults.push(`The job is completed, and ${stored.deferred} of its addresses are open`);
	if (!purged && wakeAt === null) faults.push('No alarm will ever look at the job again');
	return faults.map((sentence) => ['job_state', sentence]);
}

function chargeFlaws({ accepted, price, status, stored: { counts }, line }: JobFacts): Fault[] {
	if (line === 'deleted' || (line === null && accepted === 0)) return [];
	if (line === null) return [['job_charge', 'The ledger has no line of the job']];
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
	return faults.map((sentence) => ['job_charge', sentence]);
}

function lateFlaws(
	{ status, createdAt, horizonMs, purged, purgeAt, farParts }: JobFacts,
	now: number,
): Fault[] {
	const faults: Fault[] = [];
	if (isRunning(status) && now > createdAt + horizonMs + LATE_MS)
		faults.push(['job_late', `The job has run since ${time(createdAt)}, longer than any job may`]);
	if (!purged && purgeAt !== null && now > purgeAt + OVERDUE_MS)
		faults.push(['results_overdue', `The results were to be deleted at ${time(purgeAt)}`]);
	if (farParts.length > 0)
		faults.push(['part_far', `These parts wait for a time far from now: ${some(farParts)}`]);
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
