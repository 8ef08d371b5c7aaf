import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScoreWaterfall } from '../../../src/dashboard/charts/score-waterfall.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { breakdown } from '../../support/dashboard/samples.ts';

const SECTIONS = ['domain_triage', 'domain_age', 'mailbox', 'smtp', 'public_evidence', 'list'] as const;

/** The two columns of figures, row by row, of the breakdown with these effects. */
async function rowsOf(base: number, effects: readonly number[]) {
	const sections = SECTIONS.map((name, at) => [name, { score: effects[at] ?? 0, signals: [] }] as const);
	const score = effects.reduce((sum, one) => sum + one, base);
	const shown = { ...breakdown, base, explanations: [], ...Object.fromEntries(sections) };
	const html = await htmlOf(<ScoreWaterfall breakdown={shown} score={score} />);
	const cells = [...html.matchAll(/data-label="(Effect|Score)"[^>]*>(?:<div>)?([^<]*)/g)];
	const column = (head: string): readonly number[] =>
		cells
			.filter(([, label]) => label === head)
			.map(([, , text = '']) => Number(text.replace('−', '-').replace('+', '')));
	return { effects: column('Effect'), scores: column('Score'), html, score };
}

test('no step of a score leaves the scale, and the steps still add up', async () => {
	const some = fc.tuple(
		fc.nat(100),
		fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 5, maxLength: 5 }),
		fc.nat(100),
	);
	await fc.assert(
		fc.asyncProperty(some, async ([base, first, score]) => {
			const rest = first.reduce((sum, one) => sum + one, base);
			const { effects, scores } = await rowsOf(base, [...first, score - rest]);
			expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
			expect(Math.max(...scores)).toBeLessThanOrEqual(100);
			expect(effects.reduce((sum, one) => sum + one, base)).toBe(score);
		}),
		{ numRuns: 50 },
	);
});

test('a step that the end of the scale cuts says so', async () => {
	const { html, scores } = await rowsOf(70, [16, 16, 0, 0, 0, -15]);
	expect(scores).toEqual([70, 86, 100, 100, 100, 100, 87, 87]);
	expect(html.match(/but a score stays between 0 and 100/g)).toHaveLength(2);
	expect((await rowsOf(70, [10, 10, -5, 0, 0, 0])).html).not.toContain('stays between');
});
