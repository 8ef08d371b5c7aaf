import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { RouteClass } from '../mail-operators/operator-row.ts';
import { displayNameOf } from '../mail-operators/operators.ts';
import type { CoverageItem } from './breakdown.ts';
import { provesCatchAll } from './evidence.ts';
import type { CatchAllEvidence } from './evidence.ts';
import { differenceOf } from './reply-difference.ts';
import { finding } from './table.ts';
import type { Finding } from './table.ts';

type RouteEvidence = Pick<CatchAllEvidence, 'mail' | 'invented' | 'control' | 'lists'>;

/** The findings about the mail route, the server's answers and the domain on our lists. */
export function measureRoute(evidence: RouteEvidence): {
	readonly findings: readonly Finding[];
	readonly measured: ReadonlySet<CoverageItem>;
} {
	const { mail, lists } = evidence;
	const listed = listFindings(lists);
	if (mail.kind !== 'hosts' || mail.probe.kind !== 'heard') return { findings: listed, measured: new Set() };
	const route = routeFinding(mail.probe.operator, provesCatchAll(evidence.invented));
	return { findings: [route, ...listed, ...replyFindings(evidence)], measured: new Set(['mx_route']) };
}

const ROUTE_TEXTS: Readonly<Record<RouteClass, string>> = {
	validating:
		'refuses unknown recipients unless the domain set up a catch-all, so what it accepts goes to somebody.',
	hosting: 'is a hosting company, where accepting everybody usually means that a mailbox collects it.',
	microsoft365: 'accepts everybody for some domains with a catch-all, and for others that bounce later.',
	seg_callahead: 'asks the mail server behind it before it accepts, and that one accepts everybody too.',
	seg: 'accepts every recipient for this domain, so its acceptance is not evidence.',
	blind: 'accepts every recipient while asked, existing or not, so its acceptance is not evidence.',
	unknown: 'accepts every recipient for this domain, and nothing is known of how it does so.',
};

function routeFinding(operator: MailOperator | null, acceptsInvented: boolean): Finding {
	const name = operator === null ? null : (operator.gateway ?? operator.smtpProvider ?? operator.operator);
	const subject =
		name === null ? "The domain's own or an unknown mail server" : `The mail server (${displayNameOf(name)})`;
	const label = `provider:${name ?? 'unknown'}`;
	const routeClass = operator?.routeClass ?? 'unknown';
	// The classes are about the acceptance of invented recipients only.
	return acceptsInvented
		? finding(`route:${routeClass}`, `${subject} ${ROUTE_TEXTS[routeClass]}`, label)
		: finding('route:unknown', `${subject} did not show that it accepts invented recipients.`, label);
}

function listFindings({ disposable, suggestedDomain }: CatchAllEvidence['lists']): readonly Finding[] {
	const findings: Finding[] = [];
	if (disposable)
		findings.push(finding('disposable:yes', 'The domain belongs to a disposable mail service.'));
	if (suggestedDomain !== null) {
		const text = `The domain is one slip away from ${suggestedDomain}; such domains accept everything.`;
		findings.push(finding('typo', text, `typo:${suggestedDomain}`));
	}
	return findings;
}

const REPLY_TEXTS = {
	same: 'The server accepts this address in the same words as invented ones.',
	differs: 'The server accepts this address in other words than every invented one.',
	by_position: 'The server words its first answer differently, whichever address is asked first.',
} as const;

function replyFindings({ mail, invented, control }: RouteEvidence): readonly Finding[] {
	if (mail.kind !== 'hosts' || mail.probe.kind !== 'heard' || !provesCatchAll(invented)) return [];
	const text = `The server accepted ${invented.length} invented recipients of the domain too.`;
	const accepted = finding('randoms:accepted', text);
	const { interpretation, words } = mail.probe;
	if (interpretation.target.kind === 'accepted' && interpretation.target.certainly) {
		const exists = 'The server says of this address alone that it receives too much mail: it exists.';
		return [accepted, finding('reply:busy', exists)];
	}
	const compared = differenceOf(words, control);
	if (compared === 'uncontrolled' || compared === 'no_evidence') return [accepted];
	return [accepted, finding(`reply:${compared}`, REPLY_TEXTS[compared])];
}
