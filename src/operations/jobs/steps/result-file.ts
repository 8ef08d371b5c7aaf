import { RESULT_COLUMNS, resultCells } from '../../../core/csv/result-columns.ts';
import type { CsvRow } from '../../../core/csv/write.ts';
import type { ResultList } from '../../../core/jobs/pages.ts';
import type { FinalRow } from '../../../core/jobs/stored-row.ts';
import type { RowsWithVerdicts } from './verdicts-beside.ts';

export type Results = AsyncGenerator<FinalRow, void, undefined>;

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

/** One row per address, below the names of the columns. */
export async function* plainRows(
	results: Results,
	rendered: RowsWithVerdicts,
): AsyncGenerator<CsvRow, void, undefined> {
	yield ['email', ...RESULT_COLUMNS];
	for await (const row of results) yield [row[1], ...resultCells(await rendered.render(row))];
}

/** In ASCII letters, digits, dots, dashes and underscores. */
export function fileNameOf(name: string, list: ResultList, extension: string): string {
	const base = name
		.replace(/\.(?:csv|txt|tsv)$/i, '')
		.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
		.replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, '')
		.slice(0, 80);
	const suffix = list === 'all' ? '' : `-${list.replace('_', '-')}`;
	return `${base === '' ? 'list' : base}-results${suffix}.${extension}`;
}
