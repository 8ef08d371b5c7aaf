import { makeBreakdown } from '../../src/core/catchall/breakdown.ts';
import type { Judgement } from '../../src/core/catchall/judge.ts';
import { scoreSignals } from '../../src/core/catchall/scorecard.ts';
import { statusOf } from '../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';

/** The judgement of a deep check whose rules give this sub_status. */
export function judgementOf(subStatus: SubStatus): Judgement {
	const verdict = {
		deliverable: 'valid',
		undeliverable: 'invalid',
		unknown: 'unknown',
		risky: 'unknown',
	} as const;
	const score = { deliverable: 95, undeliverable: 2, unknown: 60, risky: 60 }[statusOf(subStatus)];
	const rule = { section: 'smtp', label: `gate:${subStatus}`, text: 'The test says so.', score } as const;
	const breakdown = makeBreakdown(scoreSignals([]), 1, rule);
	const decided = { verdict: verdict[statusOf(subStatus)], subStatus, rule: rule.label, countedPoints: null };
	return { score, ...decided, isCatchAll: true, breakdown };
}
