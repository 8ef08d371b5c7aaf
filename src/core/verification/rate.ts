import { assert } from '../../lib/assert.ts';
import type { RiskLevel } from './result.ts';
import { statusOf } from './sub-status.ts';
import type { SubStatus } from './sub-status.ts';

export interface Rating {
	/** 0-100, whole. */
	readonly score: number;
	readonly risk: RiskLevel;
}

/**
 * Score and risk of an outcome. They repeat what status and sub_status say in a form that can be sorted, and never
 * contradict it.
 *
 * @param flagged the address carries a flag that a sender should weigh (role, no-reply or disposable)
 * @param catchAllScore on a catch-all domain whose deep check ran: its score, 0-100
 */
export function rate(subStatus: SubStatus, flagged: boolean, catchAllScore: number | null): Rating {
	if (catchAllScore !== null) {
		assert(Number.isInteger(catchAllScore), 'a catch-all score is whole');
		return { score: catchAllScore, risk: riskOfCatchAll(subStatus) };
	}
	switch (statusOf(subStatus)) {
		case 'deliverable':
			return flagged ? { score: 90, risk: 'medium' } : { score: 97, risk: 'low' };
		case 'undeliverable':
			return { score: subStatus === 'disposable' ? 5 : 2, risk: 'high' };
		case 'unknown':
			return { score: 50, risk: 'medium' };
		case 'risky':
			return riskyRating(subStatus);
	}
}

function riskyRating(subStatus: SubStatus): Rating {
	if (subStatus === 'mailbox_full') return { score: 40, risk: 'medium' };
	if (subStatus === 'possible_typo') return { score: 20, risk: 'high' };
	return { score: 50, risk: 'medium' };
}

function riskOfCatchAll(subStatus: SubStatus): RiskLevel {
	switch (statusOf(subStatus)) {
		case 'deliverable':
			return 'low';
		case 'undeliverable':
			return 'high';
		case 'risky':
		case 'unknown':
			return 'medium';
	}
}
