import { assertCurve } from '../../src/core/catchall/calibration.ts';
import type { Calibration, Curve } from '../../src/core/catchall/calibration.ts';
import { Unusable, dealt, poolOf, totalOf, without } from './counts.ts';
import type { Band, Exported } from './counts.ts';
import { fitIsotonic, fitPlatt } from './fit.ts';
import { gainOf, qualityOf } from './measure.ts';
import type { Quality } from './measure.ts';
import { Random } from './random.ts';

/** With fewer outcomes, or fewer bounces among them, nothing is fitted. */
export const PLATT_FROM = { outcomes: 300, bounces: 50 };
/** With fewer, isotonic regression learns the noise. */
export const ISOTONIC_FROM = 1_000;

// Each part of the outcomes is held out once, while a curve is fitted to the others.
const PARTS = 5;
// A version is only worth its change if it loses this much less, and that is no accident.
const GAIN_MIN = 0.01;
const GAIN_ERRORS_MIN = 2;

/** A curve that was fitted to all outcomes, and the quality of such curves on outcomes that they had not seen. */
export interface Candidate {
	readonly curve: Curve;
	readonly quality: Quality;
	readonly isBetter: boolean;
}

export interface Findings {
	readonly outcomes: number;
	readonly bounces: number;
	readonly bands: readonly Band[];
	/** The quality of the calibration in use. */
	readonly current: Quality;
	readonly candidates: readonly Candidate[];
	/** The best candidate; null: none is better than the calibration in use. */
	readonly proposal: Calibration | null;
}

/**
 * Fits curves to the outcomes and measures each kind on outcomes that were held out of its fit. Throws `Unusable` for outcomes that are too few,
 * or of one account alone.
 *
 * @param seed Decides which outcomes are held out: the same one gives the same findings.
 */
export function findCalibration(exported: Exported, current: Calibration, seed: number): Findings {
	const random = new Random(seed);
	const bands = poolOf(exported, current.scorecard, random);
	const { outcomes, bounced: bounces } = totalOf(bands);
	if (outcomes < PLATT_FROM.outcomes || bounces < PLATT_FROM.bounces)
		throw new Unusable(
			`Too few outcomes of ${current.scorecard}: ${outcomes} with ${bounces} bounces; it takes ${PLATT_FROM.outcomes} with ${PLATT_FROM.bounces}`,
		);
	const parts = dealt(bands, PARTS, random);
	const before = qualityOf([{ curve: current.curve, bands }]);
	const fits: readonly ((from: readonly Band[]) => Curve)[] =
		outcomes < ISOTONIC_FROM ? [fitPlatt] : [fitPlatt, (from) => fitIsotonic(from, current.curve)];
	const candidates = fits.map((fit): Candidate => {
		const unseen = parts.map((part) => ({ curve: fit(without(bands, part)), bands: part }));
		const quality = qualityOf(unseen);
		const gain = gainOf(unseen, current.curve);
		const curve = fit(bands);
		const isBetter =
			isRising(curve) &&
			gain.mean >= GAIN_MIN * before.logLoss &&
			gain.mean >= GAIN_ERRORS_MIN * gain.error &&
			quality.ece <= before.ece;
		return { curve, quality, isBetter };
	});
	const [best] = candidates
		.filter(({ isBetter }) => isBetter)
		.toSorted((a, b) => a.quality.logLoss - b.quality.logLoss);
	const { scorecard, version } = current;
	return {
		outcomes,
		bounces,
		bands,
		current: before,
		candidates,
		proposal: best === undefined ? null : { scorecard, version: (version ?? 0) + 1, curve: best.curve },
	};
}

/** Whether the curve can be used: outcomes may contradict the scorecard so much that it falls. */
function isRising(curve: Curve): boolean {
	try {
		assertCurve(curve);
		return true;
	} catch {
		return false;
	}
}
