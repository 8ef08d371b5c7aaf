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
 * Score and risk of an outcome: status and sub_status in a form that can be sorted. They never contradict the status.
 *
 * @param flagged the address has a flag that a sender should consider (role, no-reply or disposable)
 * @param catchAllScore the score of the deep check on a catch-all domain, 0-100. For an `unknown` it is only an estimate:
 * a customer who sends to everything from 80 up must not get unresolved addresses.
 */
export function rate(subStatus: SubStatus, flagged: boolean, catchAllScore: number | null): Rating {
	assert(catchAllScore === null || Number.isInteger(catchAllScore), 'a catch-all score is whole');
	switch (statusOf(subStatus)) {
		case 'deliverable':
			if (catchAllScore !== null) return { score: catchAllScore, risk: 'low' };
			return flagged ? { score: 90, risk: 'medium' } : { score: 97, risk: 'low' };
		case 'undeliverable':
			return { score: catchAllScore ?? (subStatus === 'disposable' ? 5 : 2), risk: 'high' };
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
