import { assert } from '../../lib/assert.ts';
import type { CatchAllVerdict } from '../verification/result.ts';
import { judgementOf, verdictOf } from './stored-row.ts';
import type { FinalRow } from './stored-row.ts';

/** The score that a catch-all task gave to an address. */
export interface CatchAllScore {
	/** 0-100, whole. */
	readonly score: number;
	readonly verdict: CatchAllVerdict;
}

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
