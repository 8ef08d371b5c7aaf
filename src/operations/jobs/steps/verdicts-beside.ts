import { renderRow } from '../../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../../core/jobs/stored-row.ts';
import type { TaskVerdicts } from '../../../core/jobs/task-verdicts.ts';
import type { VerificationResult } from '../../../core/verification/result.ts';
import type { JobRecord } from '../port.ts';
import { readTaskVerdicts } from './listed-rows.ts';
import type { ReadResultsServices } from './stored-results.ts';

/** Renders rows of a job, with what its last completed catch-all task says beside their own results. */
export class RowsWithVerdicts {
	readonly #services: Pick<ReadResultsServices, 'jobBlobs'>;
	readonly #job: JobRecord;
	#verdicts: Promise<TaskVerdicts | null> | null = null;

	constructor(services: Pick<ReadResultsServices, 'jobBlobs'>, job: JobRecord) {
		this.#services = services;
		this.#job = job;
	}

	/** `index`: the position among the accepted addresses, from 0. */
	async render(row: FinalRow): Promise<{ index: number } & VerificationResult> {
		const [index, , , , isCatchAll] = row;
		// Most rows are of other domains: a page of them needs no verdicts.
		if (isCatchAll !== true) return { index, ...renderRow(row) };
		const verdicts = await (this.#verdicts ??= readTaskVerdicts(this.#services, this.#job));
		return { index, ...renderRow(row, verdicts?.of(index) ?? null) };
	}

	async renderAll(rows: readonly FinalRow[]): Promise<readonly ({ index: number } & VerificationResult)[]> {
		return Promise.all(rows.map((row) => this.render(row)));
	}
}
