import type { MailOperator } from '../mail-operators/operators.ts';
import { decidedBy } from './render.ts';
import type { Outcome } from './render.ts';
import type { Heard } from './finding.ts';
import { verdictOf } from './sub-status.ts';
import type { SubStatus, SubStatusOf } from './sub-status.ts';

/**
 * Decides the outcome. Undeliverable takes precedence over risky, risky over deliverable; doubt is `unknown`. Null: the
 * domain accepts every recipient, so the catch-all score decides.
 *
 * @param operator the one that runs the host; null: unknown
 * @param likelyTypo the domain is one typing error from a large provider's
 */
export function decide(
	{ interpretation, viaBackup }: Pick<Heard, 'interpretation' | 'viaBackup'>,
	operator: MailOperator | null,
	likelyTypo: boolean,
): Outcome | null {
	const { target, invented, replyCode } = interpretation;
	const heard = invented === 'rejected' ? false : null;
	const by = (subStatus: SubStatus, catchAll: boolean | null): Outcome => {
		return { ...decidedBy('smtp', subStatus), catchAll, replyCode };
	};
	switch (target.kind) {
		case 'rejected':
			// The server refuses this address but accepts invented ones: a catch-all with a known exception.
			return invented === 'accepted' ? by('catch_all_invalid', true) : by(target.why, heard);
		case 'full':
			return by('mailbox_full', heard);
		case 'unknown':
			// A block, a limit, a deferral or silence is about us, the network or the moment, never about the mailbox.
			return by(decideUnknown(target.why, operator), null);
		case 'accepted': {
			const accepted = by(likelyTypo ? 'possible_typo' : 'accepted_email', heard);
			if (target.certainly) return accepted;
			if (operator?.routeClass === 'blind') return by('accepts_everything', null);
			// A backup host may accept what the primary host refuses later. Believe it only if it refused an invented
			// recipient.
			if (viaBackup && invented !== 'rejected') return by('no_connect', null);
			if (invented !== 'accepted' && invented !== 'mixed') return accepted;
			return operator?.ownDomainsOnly === true ? by('accepts_everything', null) : null;
		}
	}
}

/** The sub_status of an unknown. A gateway that refuses for a reason we don't know is hiding its recipients. */
export function decideUnknown(
	why: SubStatusOf<'unknown'>,
	operator: MailOperator | null,
): SubStatusOf<'unknown'> {
	const refusesToSay = why === 'antispam_system' && operator !== null && operator.gateway !== null;
	return refusesToSay ? 'gateway_protected' : why;
}

/** The outcome for an address on a catch-all domain by the score of the deep check. */
export function subStatusOfCatchAll(score: number): SubStatus {
	const verdict = verdictOf(score);
	return verdict === 'unknown' ? 'catch_all_unresolved' : `catch_all_${verdict}`;
}
