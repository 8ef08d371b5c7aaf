import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScoreWaterfall } from '../../../src/dashboard/parts/result-card.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { breakdown } from '../../support/dashboard/samples.ts';
import { Reasons } from '../../../src/dashboard/parts/report-picture.tsx';
import { axisFor } from '../../../src/dashboard/parts/charts.tsx';

test('a person who adds the points of a breakdown comes to its score, and no bar leaves the scale', async () => {
	const effects = fc.array(fc.integer({ min: -60, max: 60 }), { maxLength: 8 });
	await fc.assert(
		fc.asyncProperty(fc.nat(100), effects, async (base, some) => {
			const explanations = some.map((effect, at) => ({ signal: `s${at}`, effect, text: `Finding ${at}` }));
			const score = some.reduce((sum, one) => sum + one, base);
			const html = await htmlOf(
				<ScoreWaterfall breakdown={{ ...breakdown, base, explanations }} score={score} />,
			);
			const points = [...html.matchAll(/data-label="Points"[^>]*>(?:<div>)?([^<]*)/g)].map(([, text = '']) =>
				Number(text.replace('−', '-').replace('+', '')),
			);
			expect(points.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(points.at(-1));
			for (const [, x, width] of html.matchAll(/x="(-?[\d.]+)%" width="(-?[\d.]+)%?"/g)) {
				expect(Number(x)).toBeGreaterThanOrEqual(0);
				expect(Number(x) + Number(width)).toBeLessThanOrEqual(102);
			}
		}),
		{ numRuns: 50 },
	);
});

test('sections without points stand in one line', async () => {
	const html = await htmlOf(<ScoreWaterfall breakdown={breakdown} score={91} />);
	expect(html).toContain('No points: Public evidence and Your list and its history.');
});

test('the bar of a reason is as long as its share of all addresses, not of the largest reason', async () => {
	const html = await htmlOf(
		<Reasons
			report={{
				total: 200,
				reasons: [
					{ reason: 'accepted_email', count: 162 },
					{ reason: 'rejected_email', count: 38 },
				],
			}}
		/>,
	);
	const widths = [...html.matchAll(/class="fill-(\w+)" x="0%" width="([^"]+)"/g)].map(([, tone, width]) => [
		tone,
		width,
	]);
	expect(widths.filter(([tone]) => tone !== 'pending')).toEqual([
		['deliverable', '81%'],
		['undeliverable', '19%'],
	]);
});

test('an axis begins at zero, holds its largest value, and has two to six whole marks', () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e9 }), (most) => {
			const { end, marks } = axisFor(most);
			expect(marks[0]).toBe(0);
			expect(marks.at(-1)).toBe(end);
			expect(end).toBeGreaterThanOrEqual(most);
			expect(marks.length).toBeGreaterThanOrEqual(2);
			expect(marks.length).toBeLessThanOrEqual(6);
			expect(marks.every(Number.isInteger)).toBe(true);
		}),
	);
});
