import { probabilityAt } from '../../src/core/catchall/calibration.ts';
import type { Calibration } from '../../src/core/catchall/calibration.ts';
import { textTable } from '../../src/lib/text.ts';
import { reliabilityOf } from './measure.ts';
import type { Quality } from './measure.ts';
import type { Findings } from './propose.ts';

/** The findings for people: quality of each curve, and told and observed shares by band, on what was held out. */
export function reportOf(findings: Findings, current: Calibration): string {
	const { outcomes, bounces, bands, candidates, proposal } = findings;
	const reliability = reliabilityOf(current.curve, bands).map((band) => [
		String(Math.round(100 * probabilityAt(band.points, { kind: 'identity' }))),
		String(band.outcomes),
		percent(band.told),
		...candidates.map(({ curve }) => percent(probabilityAt(band.points, curve))),
		percent(band.observed),
	]);
	const names = candidates.map(({ curve }) => curve.kind);
	return [
		`${current.scorecard}: ${outcomes} outcomes, ${bounces} of them bounces; each is held out once`,
		'',
		textTable([
			['on held-out outcomes', 'log-loss', 'ECE', ''],
			['in use', ...figures(findings.current), ''],
			...candidates.map(({ curve, quality, isBetter }) => [
				curve.kind,
				...figures(quality),
				isBetter ? 'better' : 'not better',
			]),
		]),
		'',
		textTable([
			['score', 'outcomes', 'in use says', ...names.map((name) => `${name} says`), 'delivered'],
			...reliability,
		]),
		'',
		proposal === null
			? 'No version is proposed: none is at least 1 % and two standard errors better, with no larger ECE.'
			: `Proposed: ${proposal.scorecard}+${proposal.version} (${proposal.curve.kind}), fitted to all outcomes.`,
	].join('\n');
}

/** The module that takes the place of `src/core/catchall/data/calibration.ts`. */
export function moduleOf(
	proposal: Calibration,
	about: { readonly findings: Findings; readonly seed: number; readonly exportedAt: string },
): string {
	const { findings, seed, exportedAt } = about;
	const best = findings.candidates.find(({ curve }) => curve.kind === proposal.curve.kind);
	const [before, after] = [findings.current, best?.quality ?? findings.current];
	return `import type { Calibration } from '../calibration.ts';

/**
 * The calibration in use, by \`npm run calibrate -- --seed ${seed}\`: ${findings.outcomes} outcomes, ${findings.bounces} of them bounces, exported
 * ${exportedAt}. On what was held out log-loss fell from ${figures(before)[0]} to ${figures(after)[0]}, and ECE from ${figures(before)[1]} to ${figures(after)[1]}.
 */
export const CALIBRATION: Calibration = ${JSON.stringify(proposal, null, '\t')};
`;
}

function figures({ logLoss, ece }: Quality): [string, string] {
	return [logLoss.toFixed(4), ece.toFixed(4)];
}

function percent(share: number): string {
	return `${Math.round(100 * share)} %`;
}
