import type { AccountPort } from '../../accounts/object-port.ts';
import { ROWS_PER_PAGE } from '../../../core/jobs/pages.ts';
import { answeredAgain, listed } from '../../../core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../../core/jobs/report/listed-row.ts';
import { TaskVerdicts } from '../../../core/jobs/task-verdicts.ts';
import { ServiceError } from '../../../errors.ts';
import type { AccountRef } from '../../accounts/port.ts';
import type { JobRecord } from '../port.ts';
import { finalRow, readPage, totalOf } from './stored-results.ts';
import type { ReadResultsServices } from './stored-results.ts';

export interface ListedRowsServices extends ReadResultsServices {
	readonly accounts: (accountId: string) => Pick<AccountPort, 'findJob'>;
}

// A Worker may hold six connections, and the list that asked again is read beside its source.
const READ_AHEAD = 3;
// Lists that ask again the rows of one that asks again: each is read beside the one before.
const DEPTH_MAX = 3;

/**
 * All rows of a completed list in its order, each with what a catch-all check or a list that asked again found out about
 * it. A few stored pages are in memory at a time. Throws as `readPage` does.
 */
export async function* listedRows(
	services: ListedRowsServices,
	account: AccountRef,
	job: JobRecord,
	depth = 1,
): AsyncGenerator<ListedRow, void, undefined> {
	const verdicts = await readTaskVerdicts(services, job);
	const later = depth < DEPTH_MAX ? answersTo(services, account, job, depth) : null;
	let next = await later?.next();
	try {
		for await (const lines of pagesOf(services, job)) {
			for (const line of lines) {
				const row = finalRow(line);
				const own = listed(row, verdicts?.of(row[0]) ?? null);
				if (next?.done !== false || next.value.place !== row[0]) yield own;
				else {
					yield answeredAgain(own, next.value.row);
					next = await later?.next();
				}
			}
		}
	} finally {
		await later?.return();
	}
}

/** The list that asked a list's unknown addresses again. Null: none is completed, or its results are not kept. */
export async function findAnswers(
	{ accounts, clock }: ListedRowsServices,
	{ accountId }: AccountRef,
	{ answersJobId }: JobRecord,
): Promise<JobRecord | null> {
	const again = answersJobId === null ? null : await accounts(accountId).findJob(answersJobId);
	return (again?.resultsExpiresAt ?? 0) > clock.now() ? again : null;
}

/** The verdicts of the last catch-all check of a list. Null: none is kept. */
export async function readTaskVerdicts(
	{ jobBlobs }: Pick<ReadResultsServices, 'jobBlobs'>,
	{ verdictsTaskId }: JobRecord,
): Promise<TaskVerdicts | null> {
	if (verdictsTaskId === null) return null;
	const [places, verdicts] = await Promise.all([
		jobBlobs.readSummary(verdictsTaskId, 'places'),
		jobBlobs.readSummary(verdictsTaskId, 'verdicts'),
	]);
	// They may have just expired.
	return places === null || verdicts === null ? null : new TaskVerdicts(places, verdicts);
}

/** The rows of the list that asked again, each with its place in the first list; none if they are deleted. */
async function* answersTo(
	services: ListedRowsServices,
	account: AccountRef,
	job: JobRecord,
	depth: number,
): AsyncGenerator<{ readonly place: number; readonly row: ListedRow }, void, undefined> {
	const again = await findAnswers(services, account, job);
	const text = again === null ? null : await services.jobBlobs.readSummary(again.jobId, 'places');
	if (again === null || text === null) return;
	const places = JSON.parse(text) as readonly number[];
	let at = 0;
	try {
		for await (const row of listedRows(services, account, again, depth + 1)) {
			const place = places[at];
			at += 1;
			if (place !== undefined) yield { place, row };
		}
	} catch (error) {
		// Deleted while it was read: the first answers stand.
		if (!(error instanceof ServiceError && error.code === 'results_expired')) throw error;
	}
}

/** The stored pages of the whole list, a few read ahead of the consumer. */
async function* pagesOf(
	{ jobBlobs }: ReadResultsServices,
	job: JobRecord,
): AsyncGenerator<readonly string[], void, undefined> {
	const pages = Math.ceil(totalOf(job, 'all') / ROWS_PER_PAGE);
	for (let first = 0; first < pages; first += READ_AHEAD) {
		const some = Array.from({ length: Math.min(READ_AHEAD, pages - first) }, (_, at) => first + at);
		yield* await Promise.all(some.map((page) => readPage(jobBlobs, job, 'all', page)));
	}
}
