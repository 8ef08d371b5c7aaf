import { judgement } from '../../src/core/catchall/breakdown.ts';
import type { Judgement } from '../../src/core/catchall/breakdown.ts';
import { statusOf } from '../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';

const SCORES = { deliverable: 85, undeliverable: 2, unknown: 60, risky: 60 } as const;

/** The judgement of a deep check whose rules give this sub_status. */
export function judgementOf(subStatus: SubStatus): Judgement {
	const score = SCORES[statusOf(subStatus)];
	const rule = { section: 'smtp', label: `gate:${subStatus}`, text: 'The test says so.' } as const;
	return judgement([], { score, subStatus, coverage: 1, isCatchAll: true, rule });
}
