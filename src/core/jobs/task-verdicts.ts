import type { CatchAllScore, FinalRow } from './stored-row.ts';
import { assert } from '../../lib/assert.ts';
import { CATCH_ALL_VERDICTS } from '../verification/render.ts';
import type { CatchAllVerdict } from '../verification/render.ts';
import { judgementOf, verdictOf } from './stored-row.ts';
import type { Breakdown } from '../catchall/breakdown.ts';
import type { Status } from '../verification/sub-status.ts';

const LETTERS = { valid: 'v', invalid: 'i', unknown: 'u' } as const satisfies Record<CatchAllVerdict, string>;
const VERDICTS: Readonly<Record<string, CatchAllVerdict>> = { v: 'valid', i: 'invalid', u: 'unknown' };

/** Collects the verdicts of a task, in the order of its rows. */
export class VerdictRecorder {
	readonly #scores: number[] = [];
	#letters = '';

	see(row: FinalRow): void {
		const judgement = judgementOf(row);
		assert(judgement !== null, 'every row of a task has a score');
		this.#scores.push(judgement.score);
		this.#letters += LETTERS[verdictOf(row[2])];
	}

	encode(): string {
		return JSON.stringify([this.#scores, this.#letters]);
	}
}

/** The verdicts of a task by the rows of the job that it checked. */
export class TaskVerdicts {
	/** Indices of the job's rows, rising. */
	readonly #places: readonly number[];
	readonly #scores: readonly number[];
	readonly #letters: string;

	/** @param places the index in the job of each row of the task, as JSON; `verdicts`: what `VerdictRecorder` wrote */
	constructor(places: string, verdicts: string) {
		this.#places = JSON.parse(places) as readonly number[];
		[this.#scores, this.#letters] = JSON.parse(verdicts) as readonly [readonly number[], string];
		assert(this.#places.length === this.#scores.length, 'every row of a task has its place in the job');
	}

	/** Null: the task did not check this row. */
	of(index: number): CatchAllScore | null {
		let [low, high] = [0, this.#places.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#places[middle] ?? Infinity) < index) low = middle + 1;
			else high = middle;
		}
		if (this.#places[low] !== index) return null;
		const [score, verdict] = [this.#scores[low], VERDICTS[this.#letters[low] ?? '']];
		assert(score !== undefined && verdict !== undefined, 'a verdict is stored for every place');
		return { score, verdict };
	}
}

/** How many addresses of a task got each score, 0 to 100, by verdict. */
export type ScoreCounts = Readonly<Record<CatchAllVerdict, readonly number[]>>;

const SCORES = 101;

/** Counts the scores of a task, row by row. */
export class ScoreCounter {
	readonly counts: Record<CatchAllVerdict, number[]> = {
		valid: Array.from({ length: SCORES }, () => 0),
		invalid: Array.from({ length: SCORES }, () => 0),
		unknown: Array.from({ length: SCORES }, () => 0),
	};

	count(row: FinalRow): void {
		const { score, verdict } = renderVerdict(row);
		const counts = this.counts[verdict];
		assert(counts[score] !== undefined, 'a score is a whole number from 0 to 100');
		counts[score] += 1;
	}

	/** The counts as JSON. */
	encode(): string {
		return JSON.stringify(this.counts);
	}
}

/** Reads what `encode` wrote. */
export function decodeScores(text: string): ScoreCounts {
	const counts: unknown = JSON.parse(text);
	assert(isScoreCounts(counts), 'stored scores are counts of 101 scores for each verdict');
	return counts;
}

function isScoreCounts(value: unknown): value is ScoreCounts {
	if (typeof value !== 'object' || value === null) return false;
	return CATCH_ALL_VERDICTS.every((verdict) => {
		const counts: unknown = (value as Record<string, unknown>)[verdict];
		return Array.isArray(counts) && counts.length === SCORES;
	});
}

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
