import type { OperatorKind, OperatorRule, RouteClass } from './operators.ts';
import { OPERATORS } from './operators.ts';

/** What a RCPT reply of this operator is worth. */
type RecipientPolicy = 'checked' | 'accepts_everything' | 'unknown';

/** Who takes the mail of a domain, and how its servers behave towards a probe. */
export interface MailOperator {
	operator: string;
	kind: OperatorKind;
	/** The public word: google, microsoft, …; null behind a gateway, unless another mail exchanger tells. */
	smtpProvider: string | null;
	/** The public word of a secure e-mail gateway: proofpoint, mimecast, … */
	gateway: string | null;
	routeClass: RouteClass;
	recipients: RecipientPolicy;
	/** How many recipients it judges honestly in one transaction; null = no limit of its own. */
	perTransaction: number | null;
	/** How long its RCPT reply may take; null = as long as anybody's. */
	rcptTimeoutMs: number | null;
}

// Consumer Outlook answers the second RCPT of a transaction with an error about us, not about the mailbox.
const PER_TRANSACTION: Readonly<Record<string, number>> = { outlook: 1 };
// SpamExperts asks the server behind it during RCPT, which takes about 30 seconds the first time.
const RCPT_TIMEOUT_MS: Readonly<Record<string, number>> = { spamexperts: 45_000 };

/** Names with a `*`, by their last two labels. */
const PATTERNS = patternsOf(OPERATORS);

/**
 * The operator behind a domain's mail exchangers, best preference first; null when none is known.
 *
 * Mixed sets are common (a gateway before Microsoft 365 that is still listed as the last resort), so:
 * `gateway` is the best gateway in the set, wherever it stands, and `smtpProvider` the best mailbox host,
 * or else the best host of another kind: either fact holds for the domain whatever the order. How the servers behave is the first host's matter,
 * since that is the one we talk to: when we do not know it, its behaviour is unknown.
 */
export function findMailOperator(mxHosts: readonly string[]): MailOperator | null {
	const rules = mxHosts.map(findRule);
	const known = rules.filter((rule) => rule !== null);
	const best = known[0];
	if (best === undefined) return null;
	const routeClass = rules[0] === best ? best.routeClass : 'unknown';
	return {
		operator: best.operator,
		kind: best.kind,
		smtpProvider: findProvider(known),
		gateway: known.find((rule) => rule.gateway !== null)?.gateway ?? null,
		routeClass,
		recipients: recipientsOf(routeClass),
		perTransaction: PER_TRANSACTION[best.operator] ?? null,
		rcptTimeoutMs: RCPT_TIMEOUT_MS[best.operator] ?? null,
	};
}

/** A mailbox host first: beside one, an inbound API or the backup of an Internet provider is a detail. */
function findProvider(rules: readonly OperatorRule[]): string | null {
	const mailbox = rules.find((rule) => rule.kind === 'mailbox');
	return (mailbox ?? rules.find((rule) => rule.provider !== null))?.provider ?? null;
}

/** The longest known ending wins: olc.protection.outlook.com before protection.outlook.com. */
function findRule(host: string): OperatorRule | null {
	let rest = host.toLowerCase().replace(/\.$/, '');
	const patterns = PATTERNS.get(lastLabelsOf(rest)) ?? [];
	while (rest !== '') {
		const name = rest;
		const rule = OPERATORS.get(name) ?? patterns.find(({ pattern }) => pattern.test(name))?.rule;
		if (rule !== undefined) return rule;
		const dot = rest.indexOf('.');
		rest = dot === -1 ? '' : rest.slice(dot + 1);
	}
	return null;
}

interface Pattern {
	readonly pattern: RegExp;
	readonly rule: OperatorRule;
}

function patternsOf(operators: ReadonlyMap<string, OperatorRule>): ReadonlyMap<string, readonly Pattern[]> {
	const withStar = [...operators].filter(([name]) => name.includes('*'));
	const byEnd = Map.groupBy(withStar, ([name]) => lastLabelsOf(name));
	return new Map(
		[...byEnd].map(([end, rows]) => [end, rows.map(([name, rule]) => ({ pattern: patternOf(name), rule }))]),
	);
}

function patternOf(name: string): RegExp {
	return new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9-]*')}$`);
}

function lastLabelsOf(name: string): string {
	return name.split('.').slice(-2).join('.');
}

function recipientsOf(routeClass: RouteClass): RecipientPolicy {
	if (routeClass === 'blind') return 'accepts_everything';
	return routeClass === 'validating' ? 'checked' : 'unknown';
}
