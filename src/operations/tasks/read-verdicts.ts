import type { Pagination } from '../../core/jobs/pages.ts';
import { renderVerdict } from '../../core/jobs/render-verdict.ts';
import type { Verdict } from '../../core/jobs/render-verdict.ts';
import { readRows } from '../jobs/steps/stored-results.ts';
import type { ReadResultsRequest, ReadResultsServices } from '../jobs/steps/stored-results.ts';

/** A page of a completed task's results. */
export async function readVerdicts(
	services: ReadResultsServices,
	request: ReadResultsRequest,
): Promise<{ results: readonly Verdict[]; pagination: Pagination }> {
	const { rows, pagination } = await readRows(services, request);
	return { results: rows.map(renderVerdict), pagination };
}
