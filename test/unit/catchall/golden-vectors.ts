import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Signal, SignalGroup } from '../../../src/core/catchall/scorecard.ts';

interface GoldenVector {
	readonly name: string;
	readonly signals: readonly Signal[];
	readonly base: number;
	readonly score: number;
	readonly verdict: string;
}

/** Worked examples of the scorecard. */
export function readGoldenVectors(): readonly GoldenVector[] {
	const text = readFileSync(path.join(import.meta.dirname, '../../data/golden-vectors.json'), 'utf8');
	const file = JSON.parse(text) as {
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
