import { renderRow } from '../../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../../core/jobs/stored-row.ts';
import { TaskVerdicts } from '../../../core/jobs/task-verdicts.ts';
import type { VerificationResult } from '../../../core/verification/result.ts';
import type { JobRecord } from '../port.ts';
import type { ReadResultsServices } from './stored-results.ts';

/** Renders rows of a job, with what its last completed catch-all task says beside their own results. */
export class RowsWithVerdicts {
	readonly #jobBlobs: Pick<ReadResultsServices['jobBlobs'], 'readSummary'>;
	readonly #taskId: string | null;
	#verdicts: Promise<TaskVerdicts | null> | null = null;

	constructor({ jobBlobs }: Pick<ReadResultsServices, 'jobBlobs'>, { verdictsTaskId = null }: JobRecord) {
		this.#jobBlobs = jobBlobs;
		this.#taskId = verdictsTaskId;
	}

	async render(row: FinalRow): Promise<VerificationResult> {
		// Most rows are of other domains: a page of them needs no verdicts.
		if (row[4] !== true || this.#taskId === null) return renderRow(row);
		const verdicts = await (this.#verdicts ??= this.#read(this.#taskId));
		return renderRow(row, verdicts?.of(row[0]) ?? null);
	}

	async renderAll(rows: readonly FinalRow[]): Promise<readonly VerificationResult[]> {
		return Promise.all(rows.map((row) => this.render(row)));
	}

	/** Null: they have just expired, or an earlier version made the task. */
	async #read(taskId: string): Promise<TaskVerdicts | null> {
		const [places, verdicts] = await Promise.all([
			this.#jobBlobs.readSummary(taskId, 'places'),
			this.#jobBlobs.readSummary(taskId, 'verdicts'),
		]);
		return places === null || verdicts === null ? null : new TaskVerdicts(places, verdicts);
	}
}
