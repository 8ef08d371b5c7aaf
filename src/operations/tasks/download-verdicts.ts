import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { renderVerdict } from '../../core/jobs/render-verdict.ts';
import { streamOf } from '../../lib/streams.ts';
import type { JobRecord } from '../jobs/port.ts';
import { requireResults, streamRows } from '../jobs/steps/stored-results.ts';
import type { ReadResultsServices } from '../jobs/steps/stored-results.ts';

export interface DownloadVerdictsRequest {
	readonly task: JobRecord;
	readonly list: ResultList;
}

/** The results of a completed task as CSV, streamed. On an error the stream fails rather than ending early. */
export function downloadVerdicts(
	services: ReadResultsServices,
	request: DownloadVerdictsRequest,
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
