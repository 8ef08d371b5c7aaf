import { layOut } from '../../../src/core/jobs/pages.ts';
import type { ResultList } from '../../../src/core/jobs/pages.ts';
import type { RowCounts } from '../../../src/core/jobs/stored-row.ts';

/** Lays out a job: the pages of each list, and the counts of the rows. */
export async function laidOut(
	parts: readonly string[],
	total: number,
	rowsPerPass = 50_000,
): Promise<{ lists: Readonly<Record<ResultList, readonly string[]>>; counts: RowCounts }> {
	const lists: Record<ResultList, string[]> = {
		all: [],
		deliverable: [],
		undeliverable: [],
		risky: [],
		unknown: [],
		catch_all: [],
	};
	const counts = await layOut({
		parts: async function* read() {
			yield* parts;
		},
		total,
		rowsPerPass,
		see: () => {},
		put: async ({ list, page, rows }) => {
			lists[list][page] = rows;
		},
	});
	return { lists, counts };
}
