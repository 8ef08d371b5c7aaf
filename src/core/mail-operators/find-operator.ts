import type { OperatorRow } from './operator-row.ts';
import { OPERATORS, wordOf } from './operators.ts';
import type { OperatorName } from './operators.ts';

/** The behaviour of its servers, by its row. A prober sends it, so it has no patterns and no hosts. */
type Behaviour = {
	readonly [
		field in 'kind' | 'routeClass' | 'perTransaction' | 'slowestReplyMs' | 'askAgainAfterMs' | 'tls'
	]: OperatorRow[field];
};

/** The operator that receives the mail of a domain, and how its servers behave towards a probe. */
export interface MailOperator extends Behaviour {
	readonly operator: OperatorName;
	/** The name in results: google, microsoft, …; null behind a gateway, unless another mail exchanger shows it. */
	readonly smtpProvider: string | null;
	/** The name of a secure e-mail gateway in results: proofpoint, mimecast, … */
	readonly gateway: string | null;
	readonly ownDomainsOnly: boolean;
}

/** Operators by the host names of their mail servers. */
const BY_HOST: ReadonlyMap<string, OperatorName> = new Map(hostsOf(OPERATORS));
const PATTERNS = [...BY_HOST]
	.filter(([host]) => host.includes('*'))
	.map(([host, name]) => ({ name, pattern: patternOf(host) }));

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
	const { kind, routeClass, ownDomainsOnly, perTransaction, slowestReplyMs, askAgainAfterMs, tls } =
		OPERATORS[best];
	const isFirst = names[0] === best;
	const gateway = known.find((name) => OPERATORS[name].kind === 'gateway');
	return {
		operator: best,
		kind,
		perTransaction,
		slowestReplyMs,
		askAgainAfterMs,
		tls,
		smtpProvider: findProvider(known),
		gateway: gateway === undefined ? null : wordOf(gateway),
		routeClass: isFirst ? routeClass : 'unknown',
		ownDomainsOnly: isFirst && ownDomainsOnly === true,
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
	const labels = host.toLowerCase().replace(/\.$/, '').split('.');
	for (const at of labels.keys()) {
		const ending = labels.slice(at).join('.');
		const name = BY_HOST.get(ending) ?? PATTERNS.find(({ pattern }) => pattern.test(ending))?.name;
		if (name !== undefined) return name;
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
