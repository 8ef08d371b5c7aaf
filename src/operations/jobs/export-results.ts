import { RESULT_COLUMNS, resultCells } from '../../core/csv/result-columns.ts';
import { EXTENSION } from '../../core/csv/download-name.ts';
import { inPieces, writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { renderVerdict } from '../../core/jobs/task-verdicts.ts';
import { renderWith } from './read-job.ts';
import type { IndexedResult } from './read-job.ts';
import { readTaskScores, requireResults, streamRows } from './steps/stored-results.ts';
import type { ReadResultsServices } from './steps/stored-results.ts';
import { streamOf } from '../../lib/streams.ts';
import type { JobRecord } from './port.ts';

export interface Download {
	readonly fileName: string;
	/** If the results expire meanwhile, the stream fails rather than ending early. */
	readonly body: ReadableStream<Uint8Array>;
}

/** The results, after their first row was read: an error at the start is reported before the first octet is sent. */
export async function begun<Row>(
	results: AsyncGenerator<Row, void, undefined>,
): Promise<AsyncGenerator<Row, void, undefined>> {
	const first = await results.next();
	return (async function* rest() {
		if (first.done === true) return;
		yield first.value;
		yield* results;
	})();
}

/** The names of the columns. */
export const EXPORT_HEAD: CsvRow = ['email', ...RESULT_COLUMNS, 'index'];

/** The cells of a row of results. */
export function exportCells(result: IndexedResult): CsvRow {
	return [result.email, ...resultCells(result), result.index];
}

/** One row per address, below the names of the columns. */
async function* plainRows(results: AsyncIterable<IndexedResult>): AsyncGenerator<CsvRow, void, undefined> {
	yield EXPORT_HEAD;
	for await (const result of results) yield exportCells(result);
}

/** In ASCII letters, digits, dots, dashes and underscores. */
export function fileNameOf(name: string, list: ResultList, extension: string): string {
	const base = name
		.replace(EXTENSION, '')
		.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
		.replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, '')
		.slice(0, 80);
	const suffix = list === 'all' ? '' : `-${list.replace('_', '-')}`;
	return `${base === '' ? 'list' : base}-results${suffix}.${extension}`;
}

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * The results of a completed job for programs, streamed: one row per address in the job's order, as CSV or with a JSON
 * object a line, also of a list that came as a file. Throws as `readResults` does.
 */
export async function exportResults(
	services: ReadResultsServices,
	request: { readonly job: JobRecord; readonly list: ResultList; readonly format: ExportFormat },
): Promise<Download> {
	const { job, list, format } = request;
	requireResults(job, services.clock.now());
	const fileName = fileNameOf(job.name ?? job.jobId, list, format);
	const results = await begun(resultsOf(services, job, list));
	const text =
		format === 'csv' ? writeCsv(plainRows(results)) : inPieces(results, (row) => `${JSON.stringify(row)}\n`);
	return { fileName, body: streamOf(text) };
}

async function* resultsOf(
	services: ReadResultsServices,
	job: JobRecord,
	list: ResultList,
): AsyncGenerator<IndexedResult, void, undefined> {
	const scores = await readTaskScores(services, job);
	for await (const row of streamRows(services, job, list)) yield renderWith(scores, row);
}

/** The results of a completed task as CSV, streamed. On an error the stream fails rather than ending early. */
export function downloadVerdicts(
	services: ReadResultsServices,
	{ task, list }: { readonly task: JobRecord; readonly list: ResultList },
): ReadableStream<Uint8Array> {
	requireResults(task, services.clock.now());
	return streamOf(writeCsv(verdictRows(services, task, list)));
}

async function* verdictRows(
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
