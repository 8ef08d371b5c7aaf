import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Signal, SignalGroup } from '../../../src/core/catchall/scorecard.ts';

// Worked examples of the scorecard, kept beside the project and not in it.
const FILE = path.join(import.meta.dirname, '../../../../shared/data/golden-vectors.json');

export const goldenVectorsAreHere = existsSync(FILE);

interface GoldenVector {
	readonly name: string;
	readonly signals: readonly Signal[];
	readonly base: number;
	readonly score: number;
	readonly verdict: string;
}

/** The vectors of the file; none where it is absent. */
export function readGoldenVectors(): readonly GoldenVector[] {
	if (!goldenVectorsAreHere) {
		console.log('Skipped: the golden vectors ../shared/data/golden-vectors.json are not here');
		return [];
	}
	const file = JSON.parse(readFileSync(FILE, 'utf8')) as {
		vectors: {
			name: string;
			signals: { group: SignalGroup; name: string; points: number }[];
			base_score: number;
			score: number;
			verdict: string;
		}[];
	};
	return file.vectors.map(({ name, signals, base_score: base, score, verdict }) => ({
		name,
		signals: signals.map(({ group, name: label, points }) => ({ group, label, points, text: label })),
		base,
		score,
		verdict,
	}));
}
