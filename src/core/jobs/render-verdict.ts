import { assert } from '../../lib/assert.ts';
import type { Breakdown } from '../catchall/breakdown.ts';
import type { CatchAllVerdict } from '../verification/result.ts';
import type { Status } from '../verification/sub-status.ts';
import { judgementOf, verdictOf } from './stored-row.ts';
import type { FinalRow } from './stored-row.ts';

/** A row of a catch-all task's results. */
export interface Verdict {
	readonly email: string;
	/** 0-100, whole. */
	readonly score: number;
	readonly verdict: CatchAllVerdict;
	/** Whether the domain still accepts every recipient; null: not known. */
	readonly is_actually_catchall: boolean | null;
	readonly breakdown: Breakdown;
}

/** The status under which each verdict is counted and listed. */
export const STATUS_OF_VERDICT = {
	valid: 'deliverable',
	invalid: 'undeliverable',
	unknown: 'unknown',
} as const satisfies Record<CatchAllVerdict, Status>;

/** The result as the API returns it. */
export function renderVerdict(row: FinalRow): Verdict {
	const [, email, subStatus, , catchAll] = row;
	const judgement = judgementOf(row);
	assert(judgement !== null, 'every row of a task has a score');
	const { score, breakdown } = judgement;
	return { email, score, verdict: verdictOf(subStatus), is_actually_catchall: catchAll, breakdown };
}
