import { makeBreakdown } from '../catchall/breakdown.ts';
import type { Judgement, VerdictThresholds } from '../catchall/judge.ts';
import { scoreSignals } from '../catchall/scorecard.ts';
import { subStatusOfCatchAll } from '../verification/decide.ts';
import type { CatchAllVerdict } from '../verification/render.ts';

// Signals of a made-up domain, so that a breakdown has contents.
const SIGNALS = [
	{
		group: 'auth',
		label: 'dmarc:reject',
		points: 3,
		text: 'The domain tells receivers to reject forged mail (DMARC)',
	},
	{ group: 'age', label: 'age:15y', points: 3, text: 'The domain has been registered for 15 years' },
] as const;
const COVERAGE = 0.94;
const TEXT = 'A test key: the word before the @ asks for this verdict';

/** The judgement of an address on a made-up catch-all domain, with the verdict that its word asks for. */
export function judgeForTest(verdict: CatchAllVerdict, thresholds: VerdictThresholds): Judgement {
	const score = scoreFor(verdict, thresholds);
	const rule = `test:${verdict}`;
	const override = { section: 'smtp', label: rule, text: TEXT, score } as const;
	const breakdown = makeBreakdown(scoreSignals(SIGNALS), COVERAGE, override);
	const subStatus = subStatusOfCatchAll(verdict);
	return { score, verdict, subStatus, isCatchAll: true, rule, countedPoints: null, breakdown };
}

/** In the middle of the verdict's range. */
function scoreFor(verdict: CatchAllVerdict, { validFrom, invalidBelow }: VerdictThresholds): number {
	if (verdict === 'valid') return Math.floor((validFrom + 100) / 2);
	return verdict === 'invalid' ? Math.floor(invalidBelow / 2) : Math.floor((invalidBelow + validFrom) / 2);
}
