import { requireKind } from '../../core/jobs/kinds.ts';
import type { Pagination, ResultList } from '../../core/jobs/pages.ts';
import { sha256Hex } from '../../lib/digest.ts';
import type { Admitted } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import { findEarlier, launchJob } from './steps/launch-job.ts';
import type { CreatedJob, LaunchJobServices } from './steps/launch-job.ts';
import { readRows, requireResults, streamRows } from './steps/stored-results.ts';
import type { ReadResultsRequest, ReadResultsServices } from './steps/stored-results.ts';
import { renderVerdict } from '../../core/jobs/task-verdicts.ts';
import type { Verdict } from '../../core/jobs/task-verdicts.ts';
import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { streamOf } from '../../lib/streams.ts';
import type { Services } from '../../services.ts';

interface CreateTaskRequest {
	readonly sourceJobId: string;
	readonly name: string | null;
	readonly idempotencyKey: string | null;
	/** The call of the API; left out: a page makes it. */
	readonly requestId?: string;
}

/**
 * Starts a catch-all task over the catch-all rows of a completed job. The rows and the facts about the whole list are
 * copied, so that the job's results may expire meanwhile. A repeated request gets its first answer in any case; for a new
 * one this throws where there is no prober.
 */
export async function createTask(
	services: LaunchJobServices & Pick<Services, 'requireProber'>,
	account: Admitted,
	request: CreateTaskRequest,
): Promise<CreatedJob> {
	const { sourceJobId, name, idempotencyKey, requestId = null } = request;
	const { clock, jobBlobs } = services;
	const jobs = services.accounts(account.accountId);
	const idempotency =
		idempotencyKey === null
			? null
			: { key: idempotencyKey, fingerprint: sha256Hex(JSON.stringify([sourceJobId, name])) };
	const earlier = await findEarlier(services, account, { kind: 'catchall', idempotency });
	if (earlier !== null) return earlier;
	services.requireProber();
	const source = requireKind(await jobs.findJob(sourceJobId), 'verification');
	requireResults(source, clock.now());
	const addresses: string[] = [];
	for await (const [, email] of streamRows(services, source, 'catch_all')) addresses.push(email);
	const facts = addresses.length === 0 ? null : await jobBlobs.readSummary(sourceJobId, 'facts');
	return launchJob(services, account, {
		kind: 'catchall',
		sourceJobId,
		name,
		rescuesCatchAll: false,
		mailWhenDone: false,
		submitted: addresses.length,
		duplicates: 0,
		invalid: 0,
		addresses,
		idempotency,
		requestId,
		keepBeside: async (taskId) => {
			if (facts !== null) await jobBlobs.putSummary(taskId, 'facts', facts);
		},
	});
}

/** A page of a completed task's results. */
export async function readVerdicts(
	services: ReadResultsServices,
	request: ReadResultsRequest,
): Promise<{ results: readonly Verdict[]; pagination: Pagination }> {
	const { rows, pagination } = await readRows(services, request);
	return { results: rows.map(renderVerdict), pagination };
}

/** The results of a completed task as CSV, streamed. On an error the stream fails rather than ending early. */
export function downloadVerdicts(
	services: ReadResultsServices,
	request: { readonly task: JobRecord; readonly list: ResultList },
): ReadableStream<Uint8Array> {
	const { task, list } = request;
	requireResults(task, services.clock.now());
	return streamOf(writeCsv(rowsOf(services, task, list)));
}

async function* rowsOf(
	services: ReadResultsServices,
	task: JobRecord,
	list: ResultList,
): AsyncGenerator<CsvRow, void, undefined> {
	yield ['Email', 'Score', 'Verdict'];
	for await (const row of streamRows(services, task, list)) {
		const { email, score, verdict } = renderVerdict(row);
		yield [email, score, verdict];
	}
}
