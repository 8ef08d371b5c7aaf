import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { Signal } from './scorecard.ts';

/** What the domain's TXT records say, or null where they could not be read. */
export interface DomainPolicies {
	readonly spf: 'ok' | 'missing' | 'several' | 'sends_no_mail' | null;
	readonly dmarc: 'enforced' | 'monitored' | 'missing' | null;
}

export interface CatchAllEvidence {
	readonly localPart: string;
	readonly roleAccount: boolean;
	readonly noReply: boolean;
	readonly likelyTypo: boolean;
	readonly operator: MailOperator | null;
	readonly mailHosts: number;
	readonly implicitMx: boolean;
	readonly startTls: boolean;
	readonly policies: DomainPolicies;
}

export interface Measured {
	readonly signals: readonly Signal[];
	/** Share of the evidence that could be measured, 0-1. What is missing costs coverage, never points. */
	readonly coverage: number;
}

// What a bare acceptance is worth by who gave it: a host that refuses unknown users unless somebody configured a
// catch-all says more than a gateway that was told to accept everything.
const ROUTE_POINTS = {
	validating: 20,
	hosting: 14,
	microsoft365: 4,
	seg_callahead: 4,
	seg: 0,
	blind: 0,
	unknown: 0,
} as const satisfies Record<MailOperator['routeClass'], number>;

// Website, parking and domain age (0.15 + 0.15 + 0.10) are not looked at yet, and count as not measured.
const COVERAGE = { route: 0.25, auth: 0.15, smtpStack: 0.05, mailbox: 0.15 } as const;

/** Turns evidence into points. */
export function measure(evidence: CatchAllEvidence): Measured {
	const { operator, policies } = evidence;
	const authMeasured = policies.spf !== null && policies.dmarc !== null;
	const signals: Signal[] = [
		{ group: 'route', name: 'mail_route', points: operator === null ? 0 : ROUTE_POINTS[operator.routeClass] },
		{ group: 'mx', name: 'mx_redundancy', points: evidence.mailHosts >= 2 ? 1 : 0 },
		{ group: 'mx', name: 'mx_implicit', points: evidence.implicitMx ? -10 : 0 },
		{ group: 'smtp_stack', name: 'starttls', points: evidence.startTls ? 1 : -4 },
		{ group: 'lists', name: 'typo_domain', points: evidence.likelyTypo ? -45 : 0 },
		...authSignals(policies),
		...mailboxSignals(evidence),
	];
	const routeKnown = operator !== null && operator.routeClass !== 'unknown';
	const sum =
		(routeKnown ? COVERAGE.route : 0) +
		COVERAGE.smtpStack +
		COVERAGE.mailbox +
		(authMeasured ? COVERAGE.auth : 0);
	return { signals, coverage: Math.round(sum * 100) / 100 };
}

function authSignals({ spf, dmarc }: DomainPolicies): Signal[] {
	const spfPoints = { ok: 1, several: 0, missing: -2, sends_no_mail: -10 } as const;
	const dmarcPoints = { enforced: 2, monitored: 1, missing: -2 } as const;
	return [
		...(spf === null ? [] : [{ group: 'auth', name: 'spf', points: spfPoints[spf] } as const]),
		...(dmarc === null ? [] : [{ group: 'auth', name: 'dmarc', points: dmarcPoints[dmarc] } as const]),
	];
}

// Never a person: what people type to get past a form.
const PLACEHOLDER =
	/^(?:test\d*|testing|asdf\w*|qwerty\w*|noemail|nomail|no|none|null|na|xxx+|abc|abc123|example|fake|foo|bar|foobar|user|name|email)$/;
const HASH_LIKE = /^(?:[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const CORE_ROLE = /^(?:info|contact|office|hello|sales|support|admin)$/;

function mailboxSignals({ localPart, roleAccount, noReply }: CatchAllEvidence): Signal[] {
	const [base = '', tag] = splitTag(localPart.toLowerCase());
	const digits = base.replace(/\D/g, '').length;
	const points: [string, number][] = [];
	if (noReply) points.push(['noreply', -8]);
	else if (CORE_ROLE.test(base)) points.push(['role', 5]);
	else if (roleAccount) points.push(['role', 2]);
	if (PLACEHOLDER.test(base)) points.push(['placeholder', -35]);
	if (HASH_LIKE.test(base)) points.push(['hash_like', -35]);
	if (digits > 0 && digits === base.length) points.push(['digits', -16]);
	else if (digits >= 4) points.push(['digits', -10]);
	if (base.length === 1) points.push(['length', -10]);
	else if (base.length > 30) points.push(['length', -8]);
	if (tag !== undefined) points.push(['plus_tag', -4]);
	return points.map(([name, value]) => ({ group: 'mailbox', name, points: value }));
}

function splitTag(localPart: string): string[] {
	const plus = localPart.indexOf('+');
	return plus > 0 ? [localPart.slice(0, plus), localPart.slice(plus + 1)] : [localPart];
}
