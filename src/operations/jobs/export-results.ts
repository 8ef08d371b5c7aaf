import { writeCsv } from '../../core/csv/write.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { streamOf } from '../../lib/streams.ts';
import type { JobRecord } from './port.ts';
import { begun, fileNameOf, plainRows } from './steps/result-file.ts';
import type { Download, Results } from './steps/result-file.ts';
import { requireResults, streamRows } from './steps/stored-results.ts';
import type { ReadResultsServices } from './steps/stored-results.ts';
import { RowsWithVerdicts } from './steps/verdicts-beside.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportResultsRequest {
	readonly job: JobRecord;
	readonly list: ResultList;
	readonly format: ExportFormat;
}

const CHUNK_CHARS = 16 * 1024;

/**
 * The results of a completed job for programs, streamed: one row per address in the job's order, as CSV or with a JSON
 * object a line, also of a list that came as a file. Throws as `readResults` does.
 */
export async function exportResults(
	services: ReadResultsServices,
	request: ExportResultsRequest,
): Promise<Download> {
	const { job, list, format } = request;
	requireResults(job, services.clock.now());
	const fileName = fileNameOf(job.name ?? job.jobId, list, format);
	const results = await begun(streamRows(services, job, list));
	const rendered = new RowsWithVerdicts(services, job);
	const text = format === 'csv' ? writeCsv(plainRows(results, rendered)) : jsonLines(results, rendered);
	return { fileName, body: streamOf(text) };
}

/** In pieces of about 16 KB. */
async function* jsonLines(
	results: Results,
	rendered: RowsWithVerdicts,
): AsyncGenerator<string, void, undefined> {
	let piece = '';
	for await (const row of results) {
		piece += `${JSON.stringify(await rendered.render(row))}\n`;
		if (piece.length < CHUNK_CHARS) continue;
		yield piece;
		piece = '';
	}
	if (piece !== '') yield piece;
}
