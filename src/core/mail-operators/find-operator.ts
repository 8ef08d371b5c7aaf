import type { OperatorKind, OperatorRow, RouteClass } from './operator-row.ts';
import { OPERATORS, wordOf } from './operators.ts';
import type { OperatorName } from './operators.ts';

/** What a RCPT reply of this operator is worth. */
type RecipientPolicy = 'checked' | 'accepts_everything' | 'unknown';

/** Who takes the mail of a domain, and how its servers behave towards a probe. */
export interface MailOperator {
	readonly operator: OperatorName;
	readonly kind: OperatorKind;
	/** The public word: google, microsoft, …; null behind a gateway, unless another mail exchanger tells. */
	readonly smtpProvider: string | null;
	/** The public word of a secure e-mail gateway: proofpoint, mimecast, … */
	readonly gateway: string | null;
	readonly routeClass: RouteClass;
	readonly recipients: RecipientPolicy;
	/** How many recipients it judges honestly in one transaction; null = no limit of its own. */
	readonly perTransaction: number | null;
	/** Its RCPT reply may take longer than anybody's. */
	readonly isSlowAtRcpt: boolean;
	/** TLS wherever it offers it; null: only where it demands it. */
	readonly tls: OperatorRow['tls'] | null;
}

/** By the names of mail servers. */
const BY_HOST: ReadonlyMap<string, OperatorName> = new Map(hostsOf(OPERATORS));
/** Names with a `*`, by their last two labels. */
const PATTERNS = patternsOf(BY_HOST);

/**
 * The operator behind a domain's mail exchangers, best preference first; null when none is known.
 *
 * Mixed sets are common (a gateway before Microsoft 365 that is still listed as the last resort), so:
 * `gateway` is the best gateway in the set, wherever it stands, and `smtpProvider` the best mailbox host,
 * or else the best host of another kind: either fact holds for the domain whatever the order. How the servers behave is the first host's matter,
 * since that is the one we talk to: when we do not know it, its behaviour is unknown.
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
		perTransaction: row.perTransaction ?? null,
		isSlowAtRcpt: row.isSlowAtRcpt ?? false,
		tls: row.tls ?? null,
	};
}

/** A mailbox host first: beside one, an inbound API or the backup of an Internet provider is a detail. */
function findProvider(names: readonly OperatorName[]): string | null {
	const providers = names.filter((name) => OPERATORS[name].kind !== 'gateway' && wordOf(name) !== null);
	const mailbox = providers.find((name) => OPERATORS[name].kind === 'mailbox');
	const best = mailbox ?? providers[0];
	return best === undefined ? null : wordOf(best);
}

/** The longest known ending wins: olc.protection.outlook.com before protection.outlook.com. */
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

/** The names of mail servers, each with whoever runs it. */
export function hostsOf<Name extends string>(
	operators: Readonly<Record<Name, Pick<OperatorRow, 'hosts'>>>,
): readonly (readonly [host: string, operator: Name])[] {
	const names = Object.keys(operators) as Name[];
	return names.flatMap((name) => operators[name].hosts.split(' ').map((host) => [host, name] as const));
}

interface Pattern {
	readonly pattern: RegExp;
	readonly name: OperatorName;
}

function patternsOf(hosts: ReadonlyMap<string, OperatorName>): ReadonlyMap<string, readonly Pattern[]> {
	const withStar = [...hosts].filter(([host]) => host.includes('*'));
	const byEnd = Map.groupBy(withStar, ([host]) => lastLabelsOf(host));
	const compiled = [...byEnd].map(([end, rows]): [string, Pattern[]] => [
		end,
		rows.map(([host, name]) => ({ pattern: patternOf(host), name })),
	]);
	return new Map(compiled);
}

function patternOf(host: string): RegExp {
	return new RegExp(`^${host.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9-]*')}$`);
}

function lastLabelsOf(host: string): string {
	return host.split('.').slice(-2).join('.');
}

function recipientsOf(routeClass: RouteClass): RecipientPolicy {
	if (routeClass === 'blind') return 'accepts_everything';
	return routeClass === 'validating' ? 'checked' : 'unknown';
}
