import type { Pagination } from '../../core/jobs/pages.ts';
import type { VerificationResult } from '../../core/verification/result.ts';
import { readRows } from './steps/stored-results.ts';
import { RowsWithVerdicts } from './steps/verdicts-beside.ts';
import type { ReadResultsRequest, ReadResultsServices } from './steps/stored-results.ts';

/** A page of a completed job's results (spec §3, rules 1 and 2): at most two blobs are read, and two of a catch-all task. */
export async function readResults(
	services: ReadResultsServices,
	request: ReadResultsRequest,
): Promise<{ results: readonly ({ index: number } & VerificationResult)[]; pagination: Pagination }> {
	const { rows, pagination } = await readRows(services, request);
	return { results: await new RowsWithVerdicts(services, request.job).renderAll(rows), pagination };
}
