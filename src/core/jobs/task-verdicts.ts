import { assert } from '../../lib/assert.ts';
import type { Breakdown } from '../catchall/breakdown.ts';
import { verdictOf } from '../verification/sub-status.ts';
import type { CatchAllVerdict } from '../verification/sub-status.ts';
import { judgementOf } from './stored-row.ts';
import type { FinalRow } from './stored-row.ts';

/** The scores of a task by the places of its rows in the list that it checked. A verdict follows from its score. */
export type TaskScores = ReadonlyMap<number, number>;

export function decodeScores(text: string): TaskScores {
	return new Map(JSON.parse(text) as readonly (readonly [number, number])[]);
}

/** How many addresses got each score, 0 to 100, by verdict. */
export type ScoreCounts = Readonly<Record<CatchAllVerdict, readonly number[]>>;

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

/** The result as the API returns it. */
export function renderVerdict(row: FinalRow): Verdict {
	const [, email, , , catchAll] = row;
	const judgement = judgementOf(row);
	assert(judgement !== null, 'every row of a task has a score');
	const { score, breakdown } = judgement;
	return { email, score, verdict: verdictOf(score), is_actually_catchall: catchAll, breakdown };
}
