import { expect } from 'vitest';
import { SECTIONS } from '../../src/core/catchall/table.ts';
import type { Verdict } from '../../src/core/jobs/task-verdicts.ts';

/** Expects of a row that `base` plus the sections, and `base` plus the effects, are the score. */
export function expectSums({
	email,
	score,
	breakdown,
}: Pick<Verdict, 'email' | 'score' | 'breakdown'>): void {
	const { base, explanations } = breakdown;
	const sections = SECTIONS.reduce((sum, name) => sum + breakdown[name].score, base);
	const effects = explanations.reduce((sum, { effect }) => sum + effect, base);
	expect([sections, effects], email).toEqual([score, score]);
	const labels = new Set(SECTIONS.flatMap((name) => breakdown[name].signals));
	expect(
		explanations.filter(({ signal }) => !labels.has(signal)),
		email,
	).toEqual([]);
}
