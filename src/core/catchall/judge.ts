import { subStatusOfCatchAll } from '../verification/decide.ts';
import type { CatchAllVerdict } from '../verification/render.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';
import { COVERAGE_MIN, coverageOf, makeBreakdown } from './breakdown.ts';
import type { Breakdown, Override } from './breakdown.ts';
import { isDoubtfulDomain } from './evidence.ts';
import type { CatchAllEvidence, InventedReading } from './evidence.ts';
import { findGate } from './gates.ts';
import type { Ruling } from './gates.ts';
import { measureRoute } from './route-signals.ts';
import { scoreInList } from './scorecard.ts';
import type { Scored, Signal } from './scorecard.ts';
import {
	AGE_NOT_TOLD,
	because,
	DOMAIN_ALONE,
	DOUBTFUL_DOMAIN,
	findDoubt,
	isMailboxSpokenFor,
	TOO_LITTLE,
} from './unknown-rules.ts';

/** The configured limits of the verdicts. `invalidBelow` is less than `validFrom`. */
export interface VerdictThresholds {
	/** Scores from this one up are `valid`, 1-100. */
	readonly validFrom: number;
	/** Scores below this one are `invalid`, 0-99; those between the two limits are `unknown`. */
	readonly invalidBelow: number;
}

/** The limits of a service that configures none. */
export const DEFAULT_THRESHOLDS: VerdictThresholds = { validFrom: 88, invalidBelow: 45 };

/** The judgement of an address on a catch-all domain. */
export interface Judgement {
	/** 0-100, whole. It never contradicts the verdict. */
	readonly score: number;
	readonly verdict: CatchAllVerdict;
	/** Its status corresponds to the verdict: deliverable, undeliverable or unknown. */
	readonly subStatus: SubStatus;
	/** True: the domain accepts invented recipients; false: it refuses them; null: not known. */
	readonly isCatchAll: boolean | null;
	/** The label of the rule that decided; null: the signals alone did. */
	readonly rule: string | null;
	/** The sum of the signals' points if only they, or the lack of a reason for the mailbox, decided; else null. */
	readonly countedPoints: number | null;
	readonly breakdown: Breakdown;
}

/**
 * Gates first, then reasons for doubt, then the scorecard. The signals are always scored: where a rule decides, the
 * breakdown shows what it changed.
 */
export function judgeAddress(evidence: CatchAllEvidence, thresholds: VerdictThresholds): Judgement {
	const route = measureRoute(evidence);
	const signals = [...route.signals, ...evidence.signals];
	const scored = scoreInList(signals, (score) => rangeOf(verdictOn(score, thresholds), thresholds));
	const coverage = coverageOf(new Set([...route.measured, ...evidence.measured]));
	const ruling =
		findGate(evidence) ??
		findDoubt(evidence) ??
		(coverage < COVERAGE_MIN ? TOO_LITTLE : null) ??
		(verdictOn(scored.score, thresholds) === 'valid' ? findFlattery(evidence, signals) : null);
	return rule(scored, coverage, ruling, { isCatchAll: readCatchAll(evidence.invented), thresholds });
}

/** The reason why a score that is high enough for `valid` can't make the address `valid`, or null. */
function findFlattery(evidence: CatchAllEvidence, signals: readonly Signal[]): Ruling | null {
	if (isDoubtfulDomain(evidence.lists)) return DOUBTFUL_DOMAIN;
	if (!isMailboxSpokenFor(evidence, signals)) return DOMAIN_ALONE;
	return evidence.ageNotTold ? AGE_NOT_TOLD : null;
}

/**
 * The judgement of an address that we asked no mail server about: the signals of its name and its list, and the
 * reason why there is no other evidence.
 */
export function judgeUnasked(
	signals: readonly Signal[],
	why: SubStatusOf<'unknown'>,
	thresholds: VerdictThresholds,
): Judgement {
	const coverage = coverageOf(new Set(['mailbox']));
	const scored = scoreInList(signals, (score) => rangeOf(verdictOn(score, thresholds), thresholds));
	return rule(scored, coverage, because(why), { isCatchAll: null, thresholds });
}

/** The signals' own score and verdict, or those of the ruling. */
function rule(
	scored: Scored,
	coverage: number,
	ruling: Ruling | null,
	{ isCatchAll, thresholds }: { isCatchAll: boolean | null; thresholds: VerdictThresholds },
): Judgement {
	if (ruling === null) {
		const verdict = verdictOn(scored.score, thresholds);
		const breakdown = makeBreakdown(scored, coverage, null);
		return {
			score: scored.score,
			verdict,
			subStatus: subStatusOfCatchAll(verdict),
			isCatchAll,
			rule: null,
			countedPoints: scored.points,
			breakdown,
		};
	}
	const { verdict, subStatus, section, label, text } = ruling;
	const score = settle(ruling, scored.score, thresholds);
	const override: Override = { section, label, text, score };
	return {
		score,
		verdict,
		subStatus,
		isCatchAll,
		rule: label,
		countedPoints: ruling === DOMAIN_ALONE ? scored.points : null,
		breakdown: makeBreakdown(scored, coverage, override),
	};
}

/** The verdict on a score where no rule applies. */
export function verdictOn(score: number, { validFrom, invalidBelow }: VerdictThresholds): CatchAllVerdict {
	if (score >= validFrom) return 'valid';
	return score < invalidBelow ? 'invalid' : 'unknown';
}

/** The ruling's score, or the signals', moved into the verdict's range. */
function settle({ verdict, score }: Ruling, counted: number, thresholds: VerdictThresholds): number {
	const [least, most] = rangeOf(verdict, thresholds);
	return Math.min(most, Math.max(least, score ?? counted));
}

/** The lowest and the highest score with this verdict. */
function rangeOf(
	verdict: CatchAllVerdict,
	{ validFrom, invalidBelow }: VerdictThresholds,
): readonly [least: number, most: number] {
	switch (verdict) {
		case 'valid':
			return [validFrom, 100];
		case 'invalid':
			// With `invalidBelow` at 0 no score is in the range of `invalid`; the lowest must do.
			return [0, Math.max(0, invalidBelow - 1)];
		case 'unknown':
			return [invalidBelow, validFrom - 1];
	}
}

function readCatchAll(invented: readonly InventedReading[]): boolean | null {
	if (invented.includes('accepted')) return true;
	return invented.length > 0 && invented.every((reading) => reading === 'no_such_mailbox') ? false : null;
}
