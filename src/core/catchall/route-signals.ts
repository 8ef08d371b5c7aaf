import { displayNameOf } from '../mail-operators/operators.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { RouteClass } from '../mail-operators/operator-row.ts';
import type { SessionReport } from '../smtp/session.ts';
import type { CoverageItem } from './breakdown.ts';
import { provesCatchAll } from './evidence.ts';
import type { CatchAllEvidence } from './evidence.ts';
import { compareReplies } from './reply-difference.ts';
import type { Signal } from './scorecard.ts';

type RouteEvidence = Pick<CatchAllEvidence, 'mail' | 'invented' | 'control' | 'lists'>;

/**
 * Points for the acceptance of an invented recipient, by class of the host that accepted it. A host that refuses
 * unknown users unless a catch-all was set up says more than a gateway configured to accept everything. A blind
 * provider accepts always, so it has no weight.
 */
export const ROUTE_WEIGHTS: Readonly<Record<Exclude<RouteClass, 'blind'>, number>> = {
	validating: 20,
	hosting: 14,
	microsoft365: 4,
	seg_callahead: 4,
	seg: 0,
	unknown: 0,
};
export const MX_WEIGHTS = { several: 1, implicit: -10 };
export const STACK_WEIGHTS = { starttls: 1, noStarttls: -4, namelessBanner: -3 };
export const LIST_WEIGHTS = { disposable: -40, typo: -45 };
export const REPLY_WEIGHTS = { differs: 18, receivesTooMuch: 35 };

export interface Measured {
	readonly signals: readonly Signal[];
	readonly measured: ReadonlySet<CoverageItem>;
}

/** Signals of the mail route, the mail server and its answers, and of the lists of domains. */
export function measureRoute(evidence: RouteEvidence): Measured {
	const { mail, lists } = evidence;
	if (mail.kind !== 'hosts') return { signals: [...listSignals(lists)], measured: new Set() };
	const signals = [mxSignal(mail.hosts.length, mail.implicit), ...listSignals(lists)];
	if (mail.probe.kind !== 'heard') return { signals, measured: new Set() };
	const { report, operator } = mail.probe;
	const stack = stackSignals(report);
	return {
		signals: [
			...signals,
			routeSignal(operator, provesCatchAll(evidence.invented)),
			...stack,
			...replySignals(evidence),
		],
		measured: new Set<CoverageItem>(stack.length === 0 ? ['mx_route'] : ['mx_route', 'smtp_stack']),
	};
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

function routeSignal(operator: MailOperator | null, acceptsInvented: boolean): Signal {
	const routeClass = operator?.routeClass ?? 'unknown';
	const name = operator === null ? null : (operator.gateway ?? operator.smtpProvider ?? operator.operator);
	const subject =
		name === null ? "The domain's own or an unknown mail server" : `The mail server (${displayNameOf(name)})`;
	return {
		group: 'route',
		label: name === null ? 'provider:unknown' : `provider:${name}`,
		// The weights are for the acceptance of invented recipients only.
		points: acceptsInvented && routeClass !== 'blind' ? ROUTE_WEIGHTS[routeClass] : 0,
		text: acceptsInvented
			? `${subject} ${ROUTE_TEXTS[routeClass]}`
			: `${subject} did not show that it accepts invented recipients.`,
	};
}

function mxSignal(hosts: number, implicit: boolean): Signal {
	const group = 'mx';
	if (implicit) {
		const text = 'The domain names no mail server (MX), and its own address takes the mail.';
		return { group, label: 'mx:implicit', points: MX_WEIGHTS.implicit, text };
	}
	return hosts > 1
		? { group, label: 'mx:several', points: MX_WEIGHTS.several, text: 'Several mail servers take the mail.' }
		: { group, label: 'mx:single', points: 0, text: 'One mail server takes the mail.' };
}

function listSignals({ disposable, suggestedDomain }: CatchAllEvidence['lists']): readonly Signal[] {
	const group = 'lists';
	const signals: Signal[] = [];
	if (disposable) {
		const text = 'The domain belongs to a disposable mail service.';
		signals.push({ group, label: 'disposable:yes', points: LIST_WEIGHTS.disposable, text });
	}
	if (suggestedDomain !== null) {
		const text = `The domain is one slip away from ${suggestedDomain}; such domains accept everything.`;
		signals.push({ group, label: `typo:${suggestedDomain}`, points: LIST_WEIGHTS.typo, text });
	}
	const none = 'The domain is neither disposable nor a misspelt large provider.';
	return signals.length > 0 ? signals : [{ group, label: 'lists:none', points: 0, text: none }];
}

function stackSignals(report: SessionReport): readonly Signal[] {
	// Before EHLO was answered, the server had no occasion to offer STARTTLS.
	if (report.stage !== 'mail' && report.stage !== 'rcpt') return [];
	const group = 'smtp_stack';
	// Within TLS a server no longer offers it (RFC 3207 §4.2).
	const signals: Signal[] =
		report.secured || report.keywords.includes('STARTTLS')
			? [
					{
						group,
						label: 'starttls:yes',
						points: STACK_WEIGHTS.starttls,
						text: 'The server offers encryption.',
					},
				]
			: [
					{
						group,
						label: 'starttls:no',
						points: STACK_WEIGHTS.noStarttls,
						text: 'The server offers no encryption (STARTTLS).',
					},
				];
	if (isNameless(report)) {
		const text = 'The greeting does not name the server, as RFC 5321 asks it to.';
		signals.push({ group, label: 'banner:nameless', points: STACK_WEIGHTS.namelessBanner, text });
	}
	return signals;
}

// A host name or an address literal, with which a greeting begins (RFC 5321 §4.2).
const SERVER_NAME = /^(?:\[[^\s\]]+\]|[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?\.?)[,;:]?$/u;
const GENERIC_NAME = /^(?:e?smtp|localhost(?:\.localdomain)?)$/i;

function isNameless({ transcript }: SessionReport): boolean {
	const greeting = transcript.find((line) => line.startsWith('S: '));
	if (greeting?.startsWith('S: 220 ') !== true) return false;
	const [name = ''] = greeting.slice('S: 220 '.length).trim().split(/\s+/);
	return !SERVER_NAME.test(name) || GENERIC_NAME.test(name);
}

function replySignals({ mail, invented, control }: RouteEvidence): readonly Signal[] {
	if (mail.kind !== 'hosts' || mail.probe.kind !== 'heard' || !provesCatchAll(invented)) return [];
	const group = 'smtp';
	const text = `The server accepted ${invented.length} invented recipients of the domain too.`;
	const signals: Signal[] = [{ group, label: 'randoms:accepted', points: 0, text }];
	const { interpretation, report } = mail.probe;
	if (interpretation.target.kind === 'accepted' && interpretation.target.certainly) {
		const exists = 'The server says of this address alone that it receives too much mail: it exists.';
		signals.push({ group, label: 'reply:busy', points: REPLY_WEIGHTS.receivesTooMuch, text: exists });
		return signals;
	}
	switch (compareReplies(report, control)) {
		case 'same':
			signals.push({
				group,
				label: 'reply:same',
				points: 0,
				text: 'The server accepts this address in the same words as invented ones.',
			});
			break;
		case 'differs':
			signals.push({
				group,
				label: 'reply:differs',
				points: REPLY_WEIGHTS.differs,
				text: 'The server accepts this address in other words than every invented one.',
			});
			break;
		case 'by_position':
			signals.push({
				group,
				label: 'reply:by_position',
				points: 0,
				text: 'The server words its first answer differently, whichever address is asked first.',
			});
			break;
		case 'uncontrolled':
		case 'no_evidence':
	}
	return signals;
}
