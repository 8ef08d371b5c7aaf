import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { CatchAllVerdict } from './render.ts';
import type { Interpretation } from './interpret-session.ts';
import type { SubStatus, SubStatusOf } from './sub-status.ts';

/** The outcome of the conversation with a domain's mail servers. */
export interface ProbeEvidence {
	readonly interpretation: Interpretation;
	/** A host of better preference had failed before this one answered. */
	readonly viaBackup: boolean;
	readonly operator: MailOperator | null;
	/** The domain is one typing error from a large provider's. */
	readonly likelyTypo: boolean;
}

/** Null: the domain accepts every recipient, so the catch-all score decides. */
export type Decision = { readonly subStatus: SubStatus; readonly catchAll: boolean | null } | null;

/** Decides the outcome. Undeliverable takes precedence over risky, risky over deliverable; doubt is `unknown`. */
export function decide(evidence: ProbeEvidence): Decision {
	const { target, invented } = evidence.interpretation;
	switch (target.kind) {
		case 'rejected':
			// The server refuses this address but accepts invented ones: a catch-all with a known exception.
			return invented === 'accepted'
				? { subStatus: 'catch_all_invalid', catchAll: true }
				: decided(target.why, invented === 'rejected' ? false : null);
		case 'full':
			return decided('mailbox_full', invented === 'rejected' ? false : null);
		case 'unknown':
			return decided(decideUnknown(target.why, evidence.operator), null);
		case 'accepted':
			return decideAccepted(evidence, target.certainly);
	}
}

function decideAccepted(evidence: ProbeEvidence, certainly: boolean): Decision {
	const { invented } = evidence.interpretation;
	if (!certainly && evidence.operator?.routeClass === 'blind') return decided('accepts_everything', null);
	// A backup host may accept what the primary host refuses later. Believe it only if it refused an invented
	// recipient.
	if (!certainly && evidence.viaBackup && invented !== 'rejected') return decided('no_connect', null);
	if (!certainly && (invented === 'accepted' || invented === 'mixed'))
		return evidence.operator?.ownDomainsOnly === true ? decided('accepts_everything', null) : null;
	const catchAll = invented === 'rejected' ? false : null;
	return decided(evidence.likelyTypo ? 'possible_typo' : 'accepted_email', catchAll);
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
	switch (verdict) {
		case 'valid':
			return 'catch_all_valid';
		case 'invalid':
			return 'catch_all_invalid';
		case 'unknown':
			return 'catch_all_unresolved';
	}
}

function decided(subStatus: SubStatus, catchAll: boolean | null): Decision {
	return { subStatus, catchAll };
}
