import { decides, OWN_OUTCOME_TEXTS, OWN_RULES } from '../outcomes/outcome.ts';
import { decideUnknown } from '../verification/decide.ts';
import { SUB_STATUSES } from '../verification/sub-status.ts';
import type { Heard, InventedReading } from '../verification/finding.ts';
import type { SubStatus, SubStatusOf } from '../verification/sub-status.ts';
import type { RuleLine } from './breakdown.ts';
import { isDoubtfulDomain, provesCatchAll, provesNoCatchAll } from './evidence.ts';
import type { CatchAllEvidence } from './evidence.ts';
import { NOTHING_HEARD } from './table.ts';

/** The decision of a rule that outweighs the findings. The verdict follows from the score. */
export interface Ruling extends RuleLine {
	readonly score: number;
	readonly subStatus: SubStatus;
}

const gate = (name: string, score: number, subStatus: SubStatus, text: string): Ruling => {
	return { section: 'smtp', label: `gate:${name}`, score, subStatus, text };
};
const unresolved = (name: string, text: string): Ruling => {
	const subStatus = 'catch_all_unresolved';
	return { section: 'smtp', label: `unknown:${name}`, score: NOTHING_HEARD, subStatus, text };
};

/** The ruling for a doubt that has its own sub_status; the result shows that sub_status's reason. */
export function because(subStatus: SubStatusOf<'unknown'>): Ruling {
	return { ...unresolved(subStatus, `${SUB_STATUSES[subStatus].reason}.`), subStatus };
}

const NO_MAIL = {
	no_such_domain: gate('no_domain', 0, 'invalid_domain', 'The domain does not exist any more.'),
	null_mx: gate('null_mx', 0, 'does_not_accept_mail', 'The domain says that it accepts no mail.'),
	no_mail_host: gate('no_mx', 0, 'no_mx_records', 'The domain has no mail server.'),
	unroutable: gate('no_mx', 0, 'unroutable_mx', 'None of its mail servers has a public address.'),
};
/** Too little of the evidence could be measured. */
export const TOO_LITTLE = unresolved(
	'coverage',
	'Too little of the evidence could be looked at for a claim.',
);
const EXPIRED = gate('domain_expired', 0, 'catch_all_invalid', 'The registry is deleting the domain.');

/** The ruling of the first rule that applies, or null: the findings decide. The order of the rules matters. */
export function findRuling(evidence: CatchAllEvidence): Ruling | null {
	const { route, heard, registrationEnded } = evidence;
	const answer = route.kind === 'hosts' ? (heard ?? { kind: 'dns_error' as const }) : route;
	const ended = registrationEnded ? EXPIRED : null;
	const unheard = (why: SubStatusOf<'unknown'>): Ruling => ended ?? findOwn(evidence) ?? because(why);
	switch (answer.kind) {
		case 'no_such_domain':
		case 'null_mx':
		case 'no_mail_host':
		case 'unroutable':
			return NO_MAIL[answer.kind];
		case 'heard':
			return ended ?? findRefusal(answer) ?? findOwn(evidence) ?? decideHeard(evidence, answer);
		case 'paused':
			return unheard(answer.why);
		case 'postponed':
			return unheard('no_capacity');
		case 'no_connect':
			return unheard('no_connect');
		case 'dns_error':
		case 'undetermined':
			return unheard('dns_error');
	}
}

const REFUSED_ALONE = 'The server refuses this address and accepts invented ones.';
const REFUSED = 'The server says that this mailbox does not exist or is disabled.';

/**
 * The server refused this very recipient. One accepted invented recipient is enough to show that it accepts others;
 * where all invented ones were refused, this is an ordinary unknown user. Where the invented ones met a block or a
 * limit, the address may have met it, too.
 */
function findRefusal({ interpretation: { target }, readings: invented }: Heard): Ruling | null {
	if (target.kind !== 'rejected') return null;
	if (invented.includes('accepted')) return gate('recipient_rejected', 2, 'catch_all_invalid', REFUSED_ALONE);
	if (invented.includes('blocked') || invented.includes('rate_limited')) return null;
	return gate('recipient_rejected', 2, target.why, REFUSED);
}

/**
 * The outcome of the account's own message. It outweighs a server's acceptance, because it happened later, but not
 * evidence that no mail can arrive now.
 */
function findOwn({ ownOutcome, lists }: CatchAllEvidence): Ruling | null {
	if (ownOutcome === null || !decides(ownOutcome, isDoubtfulDomain(lists))) return null;
	const text = `${OWN_OUTCOME_TEXTS[ownOutcome]}.`;
	const shared = { section: 'list', label: OWN_RULES[ownOutcome], text } as const;
	return ownOutcome === 'hard_bounce'
		? { score: 2, subStatus: 'catch_all_invalid', ...shared }
		: { score: 98, subStatus: 'catch_all_valid', ...shared };
}

const NO_CATCH_ALL = 'The server accepts this address and refuses invented ones: it is no catch-all.';
const FULL_FOR_GOOD = 'The server refuses mail for this mailbox for good, because it is full.';

function decideHeard(
	{ lists, findings }: CatchAllEvidence,
	{ interpretation, readings: invented, operator, viaBackup }: Heard,
): Ruling | null {
	const { target, replyCode } = interpretation;
	if (target.kind === 'unknown') {
		// A block, a limit, a deferral or silence is about us, the network or the moment, never about the mailbox.
		return because(decideUnknown(target.why, operator));
	}
	if (target.kind === 'full') {
		// A permanent "mailbox full" (5xx): mail bounces. A temporary one (4xx) is only a doubt.
		return replyCode?.startsWith('5') === true
			? gate('mailbox_full', 3, 'catch_all_invalid', FULL_FOR_GOOD)
			: unresolved('mailbox_full', 'The mailbox is full at the moment.');
	}
	const certainly = target.kind === 'accepted' && target.certainly;
	if (target.kind === 'accepted') {
		if (provesNoCatchAll(invented) && !isDoubtfulDomain(lists))
			return gate('not_catch_all', 97, 'accepted_email', NO_CATCH_ALL);
		// A backup accepts what its primary may refuse later.
		if (viaBackup && !certainly) return because('no_connect');
	}
	const doubt = doubtOfInvented(invented, operator);
	if (doubt !== null) return doubt;
	if (operator?.recipients === 'accepts_everything' || operator?.ownDomainsOnly === true) {
		// Operators that are known to accept everything are not asked about invented recipients.
		const isPublished = findings.some(({ section }) => section === 'public_evidence');
		if (operator.recipients === 'accepts_everything' || invented.includes('accepted'))
			return certainly || isPublished ? null : because('accepts_everything');
	}
	if (provesCatchAll(invented)) return null;
	return unresolved('unconfirmed', 'It takes two accepted invented recipients to call a domain catch-all.');
}

const IMPOSTOR = "The domain is disposable or one slip away from a large provider's.";
const DISAGREE = 'The domain does not answer alike about all invented recipients.';
const PUT_OFF = 'The server put off some invented recipients and accepted others.';

function doubtOfInvented(invented: readonly InventedReading[], operator: Heard['operator']): Ruling | null {
	if (invented.includes('blocked')) return because('probe_blocked');
	// This includes servers that defer only invented recipients at first contact (Mimecast). To tell a directory from
	// a greylist would take several equal rounds over many minutes, and this is one conversation.
	const deferred = invented.find((reading) => reading === 'greylisted' || reading === 'temporary');
	if (deferred !== undefined) {
		// A server that accepted one of them accepts all sooner or later: the doubt is about the address, not the moment.
		if (invented.includes('accepted')) return unresolved('put_off', PUT_OFF);
		return because(deferred === 'greylisted' ? 'greylisted' : 'unavailable_smtp');
	}
	if (invented.includes('rate_limited')) return because('rate_limited');
	if (invented.includes('policy') || invented.includes('undetermined'))
		return because(decideUnknown('antispam_system', operator));
	if (provesNoCatchAll(invented)) return unresolved('doubtful_domain', IMPOSTOR);
	// If only one was asked and it was refused, this contradicts the answer that made the domain a catch-all.
	return invented.includes('no_such_mailbox') ? unresolved('randoms_disagree', DISAGREE) : null;
}
