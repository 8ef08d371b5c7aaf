import { judgement } from '../catchall/breakdown.ts';
import type { Judgement } from '../catchall/breakdown.ts';
import { finding } from '../catchall/table.ts';
import { subStatusOfCatchAll } from '../verification/decide.ts';
import type { CatchAllVerdict } from '../verification/render.ts';

// Findings about a made-up domain, so that a breakdown has contents.
const FINDINGS = [finding('dmarc:reject'), finding('age:long', '15 years', 'age:15y')];
const COVERAGE = 0.94;
const TEXT = 'A test key: the word before the @ asks for this verdict';
const SCORES: Readonly<Record<CatchAllVerdict, number>> = { valid: 87, unknown: 50, invalid: 10 };

/** The judgement of an address on a made-up catch-all domain, with the verdict that its word asks for. */
export function judgeForTest(verdict: CatchAllVerdict): Judgement {
	const rule = { section: 'smtp', label: `test:${verdict}`, text: TEXT } as const;
	const subStatus = subStatusOfCatchAll(verdict);
	return judgement(FINDINGS, {
		score: SCORES[verdict],
		coverage: COVERAGE,
		rule,
		subStatus,
		isCatchAll: true,
	});
}
