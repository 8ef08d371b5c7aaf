import { judgeAddress } from '../../../src/core/catchall/judge.ts';
import type { Judgement } from '../../../src/core/catchall/breakdown.ts';
import { makeEvidence } from './catch-all-evidence.ts';
import type { Told } from './catch-all-evidence.ts';

export const DISABLED = '550 5.2.1 mailbox disabled';
export const BLOCKED =
	'554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org';
export const GREYLISTED = '450 4.2.0 Greylisted, come back later';
export const TEMPORARY = '451 4.3.0 temporary lookup failure';
export const LIMITED = '452 4.5.3 too many recipients';
export const POLICY = '550 5.7.1 Access denied';
export const FULL = '552 5.2.2 mailbox full';
export const FULL_FOR_NOW = '452 4.2.2 over quota';
export const BUSY = '450 4.2.1 The user you are trying to contact is receiving mail too quickly';
export const THREE = (written: string | null): readonly (string | null)[] => [written, written, written];

export function judge(told: Told = {}): Judgement {
	return judgeAddress(makeEvidence(told));
}

/** Verdict, score and sub_status in one line. */
export function words({ verdict, score, subStatus }: Judgement): string {
	return `${verdict} ${score} ${subStatus}`;
}

/** The labels of the rules that set or held the score: none or one. */
export function ruleOf({ breakdown }: Judgement): readonly string[] {
	return breakdown.explanations
		.map(({ signal }) => signal)
		.filter((label) => /^(?:gate|unknown|held):/.test(label));
}
