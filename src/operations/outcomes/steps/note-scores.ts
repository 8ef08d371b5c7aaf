import type { AccountPort } from '../../accounts/object-port.ts';
import type { Address } from '../../../core/address/parse-address.ts';
import { SCORECARD } from '../../../core/catchall/scorecard.ts';
import { bandOf } from '../../../core/outcomes/band.ts';
import type { Clock } from '../../../engine/ports.ts';
import { describeError, log } from '../../../lib/log.ts';
import type { AccountRef } from '../../accounts/port.ts';
import type { DigestsOf } from './own-outcomes.ts';

export interface NoteScoresServices {
	readonly clock: Clock;
	readonly digestsOf: DigestsOf;
	readonly accounts: (accountId: string) => Pick<AccountPort, 'noteScores'>;
}

/** An address and the points of its score, where the signals alone gave it. */
export interface ScoredAddress {
	readonly address: Pick<Address, 'localPart' | 'domain'>;
	readonly points: number;
}

/** Has the account remember the bands of these addresses. A failure costs calibration a few outcomes, and nobody else. */
export async function noteScores(
	services: NoteScoresServices,
	{ accountId }: AccountRef,
	scored: readonly ScoredAddress[],
): Promise<void> {
	if (scored.length === 0) return;
	const scores = scored.map(({ address, points }) => ({
		digests: services.digestsOf(accountId, address),
		band: bandOf(points),
	}));
	try {
		const now = services.clock.now();
		await services.accounts(accountId).noteScores({ now, scorecard: SCORECARD, scores });
	} catch (error) {
		log('scores_not_noted', { account: accountId, scores: scores.length, ...describeError(error) }, 'warn');
	}
}
