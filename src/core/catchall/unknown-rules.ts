import { decideUnknown } from '../verification/decide.ts';
import { SUB_STATUSES } from '../verification/sub-status.ts';
import type { SubStatusOf } from '../verification/sub-status.ts';
import { provesCatchAll, provesNoCatchAll } from './evidence.ts';
import type { CatchAllEvidence, MailProbe, InventedReading } from './evidence.ts';
import type { Ruling } from './gates.ts';
import type { Signal, SignalGroup } from './scorecard.ts';

type Heard = Extract<MailProbe, { kind: 'heard' }>;
type Reason = SubStatusOf<'unknown'>;

// Points of evidence about the mailbox (a published address) that outweigh a provider that accepts everything.
const PUBLIC_POINTS_MIN = 15;

/** The first reason why the verdict must be `unknown` whatever the signals say, or null. Gates are checked before. */
export function findDoubt(evidence: CatchAllEvidence): Ruling | null {
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

/** The domain is disposable or misspelt: it may be gone tomorrow, or it is not the domain that was meant. */
export const DOUBTFUL_DOMAIN: Ruling = unresolved(
	'doubtful_domain',
	"The domain is disposable or one slip away from a large provider's, which no other evidence makes up for.",
);

/** A domain of a few days looks as well kept as an old one, so a high score needs the age where a registry has it. */
export const AGE_NOT_TOLD: Ruling = unresolved(
	'age_not_told',
	'The registry did not tell us in time how old the domain is, and a new domain can look as good as this one. Ask again later.',
);

/** Only the domain's signals favour the address, and a well-kept domain says nothing about one mailbox. */
export const DOMAIN_ALONE: Ruling = unresolved(
	'domain_alone',
	'The domain makes a good impression, but nothing that was found speaks for this very mailbox.',
);

// The name and its neighbours are weighed together: a known name that differs from all others is no reason.
const REASONS_FOR_A_MAILBOX: readonly (readonly SignalGroup[])[] = [
	['mailbox', 'pattern'],
	['smtp'],
	['footprint'],
];

/**
 * Whether anything speaks for the very mailbox: its name and its neighbours', other words of the server than for invented
 * recipients, or a publication. A well-kept domain, its operator and its other outcomes don't.
 * @param signals All signals of the address, those of the route too.
 */
export function isMailboxSpokenFor({ mail }: CatchAllEvidence, signals: readonly Signal[]): boolean {
	const probe = mail.kind === 'hosts' && mail.probe.kind === 'heard' ? mail.probe : null;
	const target = probe?.interpretation.target;
	if (target?.kind === 'accepted' && target.certainly) return true;
	return REASONS_FOR_A_MAILBOX.some((groups) => {
		const points = signals.filter(({ group }) => groups.includes(group)).map((signal) => signal.points);
		return points.reduce((sum, one) => sum + one, 0) > 0;
	});
}

function doubtOfTarget({ interpretation, operator, viaBackup }: Heard): Ruling | null {
	const { target } = interpretation;
	switch (target.kind) {
		case 'unknown':
			// A block, a limit, a deferral or silence is about us, the network or the moment, never about the mailbox.
			return because(decideUnknown(target.why, operator));
		case 'full':
			return unresolved('mailbox_full', 'The mailbox is full at the moment.');
		case 'rejected':
			// Invented recipients were blocked or limited (else a gate would have decided), and perhaps this address was,
			// too.
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
	if (provesNoCatchAll(invented)) return DOUBTFUL_DOMAIN;
	if (invented.includes('no_such_mailbox')) {
		// If only one was asked and it was refused, this contradicts the answer that made the domain a catch-all.
		return unresolved('randoms_disagree', 'The domain does not answer alike about all invented recipients.');
	}
	const acceptsAll = operator?.ownDomainsOnly === true && invented.includes('accepted');
	if (operator?.recipients === 'accepts_everything' || acceptsAll) {
		// Operators that are known to accept everything are not asked about invented recipients.
		const certainly = interpretation.target.kind === 'accepted' && interpretation.target.certainly;
		return certainly || isPublished(evidence) ? null : because('accepts_everything');
	}
	if (provesCatchAll(invented)) return null;
	return unresolved('unconfirmed', 'It takes two accepted invented recipients to call a domain catch-all.');
}

function isDeferral(reading: InventedReading): boolean {
	return reading === 'greylisted' || reading === 'temporary';
}

function isPublished({ signals }: CatchAllEvidence): boolean {
	const points = signals
		.filter(({ group }) => group === 'footprint')
		.reduce((sum, signal) => sum + signal.points, 0);
	return points >= PUBLIC_POINTS_MIN;
}

/** The ruling for a doubt that has its own sub_status; the result shows that sub_status's reason. */
export function because(subStatus: Reason): Ruling {
	const text = `${SUB_STATUSES[subStatus].reason}.`;
	return { ...unresolved(subStatus, text), subStatus };
}

function unresolved(name: string, text: string): Ruling {
	return {
		verdict: 'unknown',
		score: null,
		subStatus: 'catch_all_unresolved',
		section: 'smtp',
		label: `unknown:${name}`,
		text,
	};
}
