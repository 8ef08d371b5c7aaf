import type { OperatorKind, OperatorRow, RouteClass } from './operator-row.ts';
import { OPERATORS, wordOf } from './operators.ts';
import type { OperatorName } from './operators.ts';

/** How far this operator's RCPT replies can be trusted. */
export type RecipientPolicy = 'checked' | 'accepts_everything' | 'unknown';

/** The operator that receives the mail of a domain, and how its servers behave towards a probe. */
export interface MailOperator {
	readonly operator: OperatorName;
	readonly kind: OperatorKind;
	/** The name in results: google, microsoft, …; null behind a gateway, unless another mail exchanger shows it. */
	readonly smtpProvider: string | null;
	/** The name of a secure e-mail gateway in results: proofpoint, mimecast, … */
	readonly gateway: string | null;
	readonly routeClass: RouteClass;
	readonly recipients: RecipientPolicy;
	/** No domain of it can be a catch-all: if it accepts an invented recipient, it does not check recipients. */
	readonly ownDomainsOnly: boolean;
	/** How many recipients per transaction get honest answers; null: no limit known. */
	readonly perTransaction: number | null;
	/** The longest time that one reply may take, in milliseconds; null: no longer than the usual timeouts. */
	readonly slowestReplyMs: number | null;
	/** The time from a first contact until it accepts us, in milliseconds; null: unknown. */
	readonly askAgainAfterMs: number | null;
	/** TLS wherever it offers it; null: only where it demands it. */
	readonly tls: OperatorRow['tls'] | null;
}

/** Operators by the host names of their mail servers. */
const BY_HOST: ReadonlyMap<string, OperatorName> = new Map(hostsOf(OPERATORS));
/** Host names with a `*`, by their last two labels. */
const PATTERNS = Map.groupBy(
	[...BY_HOST]
		.filter(([host]) => host.includes('*'))
		.map(([host, name]) => ({ host, name, pattern: patternOf(host) })),
	({ host }) => lastLabelsOf(host),
);

/**
 * The operator of a domain's mail exchangers (best preference first); null when none is known.
 *
 * Mixed sets are common: a gateway, with Microsoft 365 behind it still listed as the last resort. So `gateway` is the
 * best gateway in the set. `smtpProvider` is the best mailbox host, or else the best host of another kind. Both hold
 * for the domain in any order. We talk to the first host, so the servers' behaviour is that of its operator, or
 * unknown.
 */
export function findMailOperator(mxHosts: readonly string[]): MailOperator | null {
	const names = mxHosts.map(findName);
	const known = names.filter((name) => name !== null);
	const best = known[0];
	if (best === undefined) return null;
	const row = OPERATORS[best];
	const routeClass = names[0] === best ? row.routeClass : 'unknown';
	const gateway = known.find((name) => OPERATORS[name].kind === 'gateway');
	return {
		operator: best,
		kind: row.kind,
		smtpProvider: findProvider(known),
		gateway: gateway === undefined ? null : wordOf(gateway),
		routeClass,
		recipients: recipientsOf(routeClass),
		ownDomainsOnly: names[0] === best && row.ownDomainsOnly === true,
		perTransaction: row.perTransaction ?? null,
		slowestReplyMs: row.slowestReplyMs ?? null,
		askAgainAfterMs: row.askAgainAfterMs ?? null,
		tls: row.tls ?? null,
	};
}

/** Prefers a mailbox host: next to one, an inbound API or an Internet provider's backup is a detail. */
function findProvider(names: readonly OperatorName[]): string | null {
	const providers = names.filter((name) => OPERATORS[name].kind !== 'gateway' && wordOf(name) !== null);
	const mailbox = providers.find((name) => OPERATORS[name].kind === 'mailbox');
	const best = mailbox ?? providers[0];
	return best === undefined ? null : wordOf(best);
}

/** The longest known suffix wins: olc.protection.outlook.com before protection.outlook.com. */
function findName(host: string): OperatorName | null {
	let rest = host.toLowerCase().replace(/\.$/, '');
	const patterns = PATTERNS.get(lastLabelsOf(rest)) ?? [];
	while (rest !== '') {
		const ending = rest;
		const name = BY_HOST.get(ending) ?? patterns.find(({ pattern }) => pattern.test(ending))?.name;
		if (name !== undefined) return name;
		const dot = rest.indexOf('.');
		rest = dot === -1 ? '' : rest.slice(dot + 1);
	}
	return null;
}

/** The host names of mail servers, each with its operator. */
export function hostsOf<Name extends string>(
	operators: Readonly<Record<Name, Pick<OperatorRow, 'hosts'>>>,
): readonly (readonly [host: string, operator: Name])[] {
	const names = Object.keys(operators) as Name[];
	return names.flatMap((name) => operators[name].hosts.split(' ').map((host) => [host, name] as const));
}

function patternOf(host: string): RegExp {
	return new RegExp(`^${host.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9-]*')}$`);
}

function lastLabelsOf(host: string): string {
	return host.split('.').slice(-2).join('.');
}

/** How far RCPT replies of this class of mail route can be trusted. */
function recipientsOf(routeClass: RouteClass): RecipientPolicy {
	if (routeClass === 'blind') return 'accepts_everything';
	return routeClass === 'validating' ? 'checked' : 'unknown';
}
