import { ROWS_PER_PAGE, paginate } from '../core/jobs/pages.ts';
import type { Pagination } from '../core/jobs/pages.ts';
import { decodeRow } from '../core/jobs/stored-row.ts';
import type { PartRow } from '../core/jobs/stored-row.ts';
import type { VerificationResult } from '../core/verification/result.ts';
import type { JobRecord } from './jobs-port.ts';
import { renderFinal, requireResults, resultsExpired, totalOf } from './read-results.ts';
import type { ReadResultsServices, ResultList } from './read-results.ts';

/**
 * The rows of a completed job whose address contains a text, whatever its case: a page of them, in the list's order.
 * Reads all of the list, one stored page at a time. Throws as `readResults` does.
 */
export async function searchResults(
	services: ReadResultsServices,
	job: JobRecord,
	ask: {
		readonly text: string;
		readonly page: number;
		readonly limit: number;
		readonly list: ResultList;
	},
): Promise<{ results: readonly VerificationResult[]; pagination: Pagination }> {
	requireResults(job, services.clock.now());
	const { page, limit, list } = ask;
	const wanted = ask.text.toLowerCase();
	const first = (page - 1) * limit;
	const found: PartRow[] = [];
	let matches = 0;
	for (let blob = 0; blob < Math.ceil(totalOf(job, list) / ROWS_PER_PAGE); blob += 1) {
		const text = await services.jobBlobs.readPage(job.jobId, list, blob);
		if (text === null) throw resultsExpired();
		for (const row of matching(text, wanted)) {
			if (matches >= first && matches < first + limit) found.push(row);
			matches += 1;
		}
	}
	return { results: found.map(renderFinal), pagination: paginate(matches, page, limit) };
}

/** Most lines do not hold the text at all, and need no parsing to say so. */
function* matching(text: string, wanted: string): Generator<PartRow> {
	// JSON writes a quotation mark and a backslash differently, so a text with one is looked for in every row.
	const isPlain = !/["\\]/.test(wanted);
	for (const line of text.split('\n')) {
		if (isPlain && !line.toLowerCase().includes(wanted)) continue;
		const row = decodeRow(line);
		if (row[1].toLowerCase().includes(wanted)) yield row;
	}
}
