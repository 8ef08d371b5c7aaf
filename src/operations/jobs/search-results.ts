import { ROWS_PER_PAGE, belongsTo, paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import type { FinalRow } from '../../core/jobs/stored-row.ts';
import type { VerificationResult } from '../../core/verification/result.ts';
import { finalRow, readPage, requireResults, totalOf } from './steps/stored-results.ts';
import type { ReadResultsRequest, ReadResultsServices } from './steps/stored-results.ts';
import { RowsWithVerdicts } from './steps/verdicts-beside.ts';

export interface SearchResultsRequest extends ReadResultsRequest {
	readonly text: string;
}

export interface FoundResults {
	readonly results: readonly VerificationResult[];
	readonly pagination: Pagination;
	/** Matches in the whole job, shown where there are more than under the filter. */
	readonly inAll: number;
}

/**
 * Finds the rows of a completed job whose address contains a text, ignoring case: a page of those in one of its lists,
 * in the job's order. Reads the whole job, one stored page at a time. Throws as `readResults` does.
 */
export async function searchResults(
	services: ReadResultsServices,
	request: SearchResultsRequest,
): Promise<FoundResults> {
	const { job, text, page, limit, list } = request;
	requireResults(job, services.clock.now());
	const wanted = text.toLowerCase();
	const first = (page - 1) * limit;
	const found: FinalRow[] = [];
	let matches = 0;
	let inAll = 0;
	for (let blob = 0; blob < Math.ceil(totalOf(job, 'all') / ROWS_PER_PAGE); blob += 1) {
		for (const row of matching(await readPage(services.jobBlobs, job, 'all', blob), wanted)) {
			inAll += 1;
			if (!belongsTo(row, list)) continue;
			if (matches >= first && matches < first + limit) found.push(row);
			matches += 1;
		}
	}
	const results = await new RowsWithVerdicts(services, job).renderAll(found);
	return { results, pagination: paginate(matches, page, limit), inAll };
}

/** The matching rows. Most lines do not contain the text, so they need no parsing. */
function* matching(lines: readonly string[], wanted: string): Generator<FinalRow> {
	// JSON escapes quotation marks and backslashes, so for a text with one every row is parsed.
	const isPlain = !/["\\]/.test(wanted);
	for (const line of lines) {
		if (isPlain && !line.toLowerCase().includes(wanted)) continue;
		const row = finalRow(line);
		if (row[1].toLowerCase().includes(wanted)) yield row;
	}
}
