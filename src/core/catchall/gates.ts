import type { SubStatus } from '../verification/sub-status.ts';
import type { CatchAllVerdict } from '../verification/render.ts';
import { isDoubtfulDomain, provesNoCatchAll } from './evidence.ts';
import type { CatchAllEvidence } from './evidence.ts';
import { decides, OWN_OUTCOME_TEXTS, OWN_RULES } from '../outcomes/outcome.ts';

/** The decision of a rule that overrides the signals. */
export interface Ruling {
	readonly verdict: CatchAllVerdict;
	/** 0-100; null: the signals' score, moved into the range of the verdict. */
	readonly score: number | null;
	readonly subStatus: SubStatus;
	/** The section of the breakdown that takes the difference to the signals' score. */
	readonly section: 'smtp' | 'list';
	readonly label: string;
	readonly text: string;
}

/** The ruling of the first gate that applies, or null. The order of the gates matters. */
export function findGate(evidence: CatchAllEvidence): Ruling | null {
	return (
		noMail(evidence) ??
		recipientRefused(evidence) ??
		ownOutcome(evidence) ??
		notCatchAll(evidence) ??
		mailboxFull(evidence)
	);
}

function noMail({ mail, registrationEnded }: CatchAllEvidence): Ruling | null {
	switch (mail.kind) {
		case 'no_such_domain':
			return noMailBecause('no_domain', 'invalid_domain', 'The domain does not exist any more.');
		case 'null_mx':
			return noMailBecause('null_mx', 'does_not_accept_mail', 'The domain says that it accepts no mail.');
		case 'no_mail_host':
			return noMailBecause('no_mx', 'no_mx_records', 'The domain has no mail server.');
		case 'undetermined':
			break;
		case 'hosts':
			if (mail.probe.kind === 'unroutable')
				return noMailBecause('no_mx', 'unroutable_mx', 'None of its mail servers has a public address.');
	}
	return registrationEnded
		? noMailBecause('domain_expired', 'catch_all_invalid', 'The registry is deleting the domain.')
		: null;
}

function noMailBecause(name: string, subStatus: SubStatus, text: string): Ruling {
	return { verdict: 'invalid', score: 0, subStatus, section: 'smtp', label: `gate:${name}`, text };
}

/**
 * The server refused this very recipient. One accepted invented recipient is enough to show that it accepts others;
 * where all invented ones were refused, this is an ordinary unknown user. Where the invented ones met a block or a
 * limit, the address may have met it, too.
 */
function recipientRefused({ mail, invented }: CatchAllEvidence): Ruling | null {
	if (mail.kind !== 'hosts' || mail.probe.kind !== 'heard') return null;
	const { target } = mail.probe.interpretation;
	if (target.kind !== 'rejected') return null;
	const refused = {
		verdict: 'invalid',
		score: 2,
		section: 'smtp',
		label: 'gate:recipient_rejected',
	} as const;
	if (invented.includes('accepted')) {
		const text = 'The server refuses this address and accepts invented ones.';
		return { ...refused, subStatus: 'catch_all_invalid', text };
	}
	if (invented.includes('blocked') || invented.includes('rate_limited')) return null;
	const text = 'The server says that this mailbox does not exist or is disabled.';
	return { ...refused, subStatus: target.why, text };
}

function notCatchAll({ mail, invented, lists }: CatchAllEvidence): Ruling | null {
	if (mail.kind !== 'hosts' || mail.probe.kind !== 'heard') return null;
	if (mail.probe.interpretation.target.kind !== 'accepted' || !provesNoCatchAll(invented)) return null;
	if (isDoubtfulDomain(lists)) return null;
	return {
		verdict: 'valid',
		score: 97,
		subStatus: 'accepted_email',
		section: 'smtp',
		label: 'gate:not_catch_all',
		text: 'The server accepts this address and refuses invented ones: it is no catch-all.',
	};
}

/**
 * The outcome of the account's own message. It outweighs a server's acceptance, because it happened later, but not
 * evidence that no mail can arrive now.
 */
function ownOutcome({ ownOutcome: outcome, lists }: CatchAllEvidence): Ruling | null {
	if (outcome === null || !decides(outcome, isDoubtfulDomain(lists))) return null;
	const { kind } = outcome;
	const shared = { section: 'list', label: OWN_RULES[kind], text: `${OWN_OUTCOME_TEXTS[kind]}.` } as const;
	return kind === 'hard_bounce'
		? { verdict: 'invalid', score: 2, subStatus: 'catch_all_invalid', ...shared }
		: { verdict: 'valid', score: 98, subStatus: 'catch_all_valid', ...shared };
}

/** A permanent "mailbox full" (5xx): mail bounces. A temporary one (4xx) is only a doubt (see unknown-rules). */
function mailboxFull({ mail }: CatchAllEvidence): Ruling | null {
	if (mail.kind !== 'hosts' || mail.probe.kind !== 'heard') return null;
	const { target, replyCode } = mail.probe.interpretation;
	if (target.kind !== 'full' || replyCode?.startsWith('5') !== true) return null;
	return {
		verdict: 'invalid',
		score: 3,
		subStatus: 'catch_all_invalid',
		section: 'smtp',
		label: 'gate:mailbox_full',
		text: 'The server refuses mail for this mailbox for good, because it is full.',
	};
}
