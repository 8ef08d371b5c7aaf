import { makeBreakdown } from '../../src/core/catchall/breakdown.ts';
import type { Judgement } from '../../src/core/catchall/judge.ts';
import { statusOf } from '../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';

const VERDICTS = {
	deliverable: 'valid',
	undeliverable: 'invalid',
	unknown: 'unknown',
	risky: 'unknown',
} as const;
const SCORES = { deliverable: 85, undeliverable: 2, unknown: 60, risky: 60 } as const;

/** The judgement of a deep check whose rules give this sub_status. */
export function judgementOf(subStatus: SubStatus): Judgement {
	const status = statusOf(subStatus);
	const score = SCORES[status];
	const rule = { section: 'smtp', label: `gate:${subStatus}`, text: 'The test says so.' } as const;
	const breakdown = makeBreakdown([], { score, coverage: 1, rule });
	return { score, verdict: VERDICTS[status], subStatus, rule: rule.label, isCatchAll: true, breakdown };
}
