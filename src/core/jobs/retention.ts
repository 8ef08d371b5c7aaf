import { DAY_MS, HOUR_MS } from '../../lib/time.ts';

// The first unit that divides the time is used; up to two days are given in hours.
const UNITS = [
	{ name: 'day', ms: DAY_MS, from: 3 * DAY_MS },
	{ name: 'hour', ms: HOUR_MS, from: HOUR_MS },
	{ name: 'minute', ms: 60_000, from: 60_000 },
	{ name: 'second', ms: 1_000, from: 1_000 },
] as const;

/** How long results are kept, in words: `48 hours`, `30 days`, `90 seconds`. Only whole seconds can be configured. */
export function retentionInWords(keptMs: number): string {
	const { name, ms } = UNITS.find((unit) => keptMs >= unit.from && keptMs % unit.ms === 0) ?? UNITS[3];
	const count = Math.round(keptMs / ms);
	return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** How long the results of a completed job are kept, as configured when it was opened. */
export function keptInWords(job: {
	readonly completedAt: number | null;
	readonly resultsExpiresAt: number | null;
}): string {
	return retentionInWords((job.resultsExpiresAt ?? 0) - (job.completedAt ?? 0));
}

/** The prefix of all blobs of a job, which deletes them together. */
export function blobPrefixOf(jobId: string): string {
	return `jobs/${jobId}/`;
}

/** Longer than a consumer has a part without a sign of life: it may still write the job's blobs until then. */
export const LAST_LEASE_MS = 3 * 60_000;

/** By contract an answer under a key is kept so long at least, however short results are kept. */
export const ANSWER_KEPT_MS = 48 * 3_600_000;
export const ANSWER_KEPT = retentionInWords(ANSWER_KEPT_MS);
