import { assert } from '../../lib/assert.ts';
import { CATCH_ALL_VERDICTS } from '../verification/result.ts';
import type { CatchAllVerdict } from '../verification/result.ts';
import { renderVerdict } from './render-verdict.ts';
import type { FinalRow } from './stored-row.ts';

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
