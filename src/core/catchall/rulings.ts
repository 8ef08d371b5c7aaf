import { decides, OWN_OUTCOME_TEXTS, OWN_RULES } from '../outcomes/outcome.ts';
import { decideUnknown } from '../verification/decide.ts';
import type { CatchAllVerdict } from '../verification/render.ts';
import { SUB_STATUSES } from '../verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';
import type { RuleLine } from './breakdown.ts';
import { isDoubtfulDomain, provesCatchAll, provesNoCatchAll } from './evidence.ts';
import type { CatchAllEvidence, InventedReading, MailProbe } from './evidence.ts';
import { NOTHING_HEARD } from './table.ts';

/** The decision of a rule that outweighs the findings. */
export interface Ruling extends RuleLine {
	readonly verdict: CatchAllVerdict;
	readonly score: number;
	readonly subStatus: SubStatus;
}

type Heard = Extract<MailProbe, { kind: 'heard' }>;

/** The ruling of the first rule that applies, or null: the findings decide. The order of the rules matters. */
export function findRuling(evidence: CatchAllEvidence): Ruling | null {
	return (
		noMail(evidence) ??
		recipientRefused(evidence) ??
		ownOutcome(evidence) ??
		notCatchAll(evidence) ??
		mailboxFull(evidence) ??
		findDoubt(evidence)
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

/** A permanent "mailbox full" (5xx): mail bounces. A temporary one (4xx) is only a doubt. */
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

/** The first reason why the verdict must be `unknown` whatever was found, or null. */
function findDoubt(evidence: CatchAllEvidence): Ruling | null {
	const { mail } = evidence;
	if (mail.kind !== 'hosts') return because('dns_error');
	switch (mail.probe.kind) {
		case 'no_connect':
			return because('no_connect');
		case 'postponed':
			return because('no_capacity');
		case 'paused':
			return because(mail.probe.why);
		case 'dns_error':
			return because('dns_error');
		case 'unroutable':
			return because('no_connect');
		case 'heard':
			return doubtOfTarget(mail.probe) ?? doubtOfInvented(evidence, mail.probe);
	}
}

/** Too little of the evidence could be measured. */
export const TOO_LITTLE: Ruling = unresolved(
	'coverage',
	'Too little of the evidence could be looked at for a claim.',
);

function doubtOfTarget({ interpretation, operator, viaBackup }: Heard): Ruling | null {
	const { target } = interpretation;
	switch (target.kind) {
		case 'unknown':
			// A block, a limit, a deferral or silence is about us, the network or the moment, never about the mailbox.
			return because(decideUnknown(target.why, operator));
		case 'full':
			return unresolved('mailbox_full', 'The mailbox is full at the moment.');
		case 'rejected':
			// Invented recipients were blocked or limited (else a rule above would have decided), and perhaps this address
			// was, too.
			return null;
		case 'accepted':
			// A backup accepts what its primary may refuse later.
			return viaBackup && !target.certainly ? because('no_connect') : null;
	}
}

function doubtOfInvented(evidence: CatchAllEvidence, { interpretation, operator }: Heard): Ruling | null {
	const { invented } = evidence;
	if (invented.includes('blocked')) return because('probe_blocked');
	// This includes servers that defer only invented recipients at first contact (Mimecast). To tell a directory from
	// a greylist would take several equal rounds over many minutes, and this is one conversation.
	const deferred = invented.find(isDeferral);
	if (deferred !== undefined) {
		// A server that accepted one of them accepts all sooner or later: the doubt is about the address, not the moment.
		if (invented.includes('accepted'))
			return unresolved('put_off', 'The server put off some invented recipients and accepted others.');
		return because(deferred === 'greylisted' ? 'greylisted' : 'unavailable_smtp');
	}
	if (invented.includes('rate_limited')) return because('rate_limited');
	if (invented.includes('policy') || invented.includes('undetermined'))
		return because(decideUnknown('antispam_system', operator));
	if (provesNoCatchAll(invented))
		return unresolved(
			'doubtful_domain',
			"The domain is disposable or one slip away from a large provider's.",
		);
	if (invented.includes('no_such_mailbox')) {
		// If only one was asked and it was refused, this contradicts the answer that made the domain a catch-all.
		return unresolved('randoms_disagree', 'The domain does not answer alike about all invented recipients.');
	}
	const acceptsAll = operator?.ownDomainsOnly === true && invented.includes('accepted');
	if (operator?.recipients === 'accepts_everything' || acceptsAll) {
		// Operators that are known to accept everything are not asked about invented recipients.
		const { target } = interpretation;
		const certainly = target.kind === 'accepted' && target.certainly;
		const isPublished = evidence.findings.some(({ section }) => section === 'public_evidence');
		return certainly || isPublished ? null : because('accepts_everything');
	}
	if (provesCatchAll(invented)) return null;
	return unresolved('unconfirmed', 'It takes two accepted invented recipients to call a domain catch-all.');
}

function isDeferral(reading: InventedReading): boolean {
	return reading === 'greylisted' || reading === 'temporary';
}

/** The ruling for a doubt that has its own sub_status; the result shows that sub_status's reason. */
export function because(subStatus: SubStatusOf<'unknown'>): Ruling {
	return { ...unresolved(subStatus, `${SUB_STATUSES[subStatus].reason}.`), subStatus };
}

function unresolved(name: string, text: string): Ruling {
	return {
		verdict: 'unknown',
		score: NOTHING_HEARD,
		subStatus: 'catch_all_unresolved',
		section: 'smtp',
		label: `unknown:${name}`,
		text,
	};
}
