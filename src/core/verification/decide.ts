import type { MailOperator } from '../mail-operators/operators.ts';
import type { CatchAllVerdict } from './render.ts';
import type { Heard } from './finding.ts';
import type { SubStatus, SubStatusOf } from './sub-status.ts';

/** Null: the domain accepts every recipient, so the catch-all score decides. */
type Decision = { readonly subStatus: SubStatus; readonly catchAll: boolean | null } | null;

/**
 * Decides the outcome. Undeliverable takes precedence over risky, risky over deliverable; doubt is `unknown`.
 *
 * @param operator the one that runs the host; null: unknown
 * @param likelyTypo the domain is one typing error from a large provider's
 */
export function decide(
	{ interpretation, viaBackup }: Pick<Heard, 'interpretation' | 'viaBackup'>,
	operator: MailOperator | null,
	likelyTypo: boolean,
): Decision {
	const { target, invented } = interpretation;
	const catchAll = invented === 'rejected' ? false : null;
	switch (target.kind) {
		case 'rejected':
			// The server refuses this address but accepts invented ones: a catch-all with a known exception.
			return invented === 'accepted'
				? { subStatus: 'catch_all_invalid', catchAll: true }
				: { subStatus: target.why, catchAll };
		case 'full':
			return { subStatus: 'mailbox_full', catchAll };
		case 'unknown':
			return { subStatus: decideUnknown(target.why, operator), catchAll: null };
		case 'accepted': {
			const accepted = { subStatus: likelyTypo ? 'possible_typo' : 'accepted_email', catchAll } as const;
			if (target.certainly) return accepted;
			const everything = { subStatus: 'accepts_everything', catchAll: null } as const;
			if (operator?.routeClass === 'blind') return everything;
			// A backup host may accept what the primary host refuses later. Believe it only if it refused an invented
			// recipient.
			if (viaBackup && invented !== 'rejected') return { subStatus: 'no_connect', catchAll: null };
			if (invented !== 'accepted' && invented !== 'mixed') return accepted;
			return operator?.ownDomainsOnly === true ? everything : null;
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

/** The outcome for an address on a catch-all domain after the deep check. */
export function subStatusOfCatchAll(verdict: CatchAllVerdict): SubStatus {
	return verdict === 'unknown' ? 'catch_all_unresolved' : `catch_all_${verdict}`;
}
