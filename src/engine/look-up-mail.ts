import type { Address } from '../core/address/parse-address.ts';
import { addressesOf, findMailExchangers, usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy, MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { Answer, Resolver } from '../core/dns/resolver.ts';
import {
	isDisposable,
	isDisposableHost,
	isFreeProvider,
	isPrivacyRelay,
} from '../core/lists/domain-kinds.ts';
import { findMailOperator } from '../core/mail-operators/operators.ts';
import type { OptOuts } from '../storage/opt-outs.ts';
import { HOSTS_MAX } from '../wire/prober.ts';
import type { QuestionHost } from '../wire/prober.ts';

export interface LookUpPorts {
	readonly resolver: Resolver;
	/** Which addresses of mail hosts may be dialled. */
	readonly addressPolicy: AddressPolicy;
	/** Left out: no domain opted out. */
	readonly optOuts?: Pick<OptOuts, 'covers'>;
}

/** A mail host after its look-up. */
export type LookedUpHost = QuestionHost & {
	/** The DNS answers, in words for the trace. */
	readonly found: string;
	/** The look-up failed, and a name server said so. */
	readonly nameServersFail: boolean;
};

/** The DNS records about a domain's mail. */
export interface LookedUpMail {
	readonly route: MailRoute;
	/** Null: the route alone was looked up. */
	readonly hosts: readonly LookedUpHost[] | null;
}

/** Looks up the mail of a domain, and its hosts' addresses; `quick`: its route alone. */
export async function lookUpMail(
	ports: LookUpPorts,
	{ domain }: Pick<Address, 'domain'>,
	{ quick }: { readonly quick: boolean },
): Promise<LookedUpMail> {
	const route = await findMailExchangers(ports.resolver, domain);
	if (quick) return { route, hosts: null };
	return { route, hosts: route.kind === 'hosts' ? await lookUpHosts(ports, route.hosts) : [] };
}

/**
 * Looks up the addresses of the best mail hosts, as many as a question names. RFC 5321 §5.1 wants their order, and not each
 * of them: a domain may name a thousand, in a zone that is broken on purpose.
 */
export async function lookUpHosts(
	ports: LookUpPorts,
	names: readonly string[],
): Promise<readonly LookedUpHost[]> {
	const looked = await Promise.all(names.slice(0, HOSTS_MAX).map((name) => lookUpHost(ports, name)));
	if (looked.length === names.length || looked.some(({ addresses }) => addresses.length > 0)) return looked;
	// Nothing is known of those that were not looked up, so the domain is not unroutable.
	return looked.map((host) => ({ ...host, failed: true }));
}

/** Looks up a host's IPv6 addresses as well if it has IPv4 addresses, none of which can be used. */
async function lookUpHost({ resolver, addressPolicy }: LookUpPorts, name: string): Promise<LookedUpHost> {
	const answer = await addressesOf(resolver, name);
	const usable = answer.kind === 'records' ? usableAddresses(answer.records, addressPolicy) : [];
	if (answer.kind !== 'records' || usable.length > 0) {
		return { name, addresses: usable, found: foundWords(answer), ...failureIn(answer) };
	}
	const v6 = await resolver.look(name, 'AAAA');
	return {
		name,
		addresses: v6.kind === 'records' ? usableAddresses(v6.records, addressPolicy) : [],
		found: `${foundWords(answer)}; ${foundWords(v6)}`,
		...failureIn(v6),
	};
}

function failureIn(answer: Answer<string>): Pick<LookedUpHost, 'failed' | 'nameServersFail'> {
	if (answer.kind !== 'failed') return { failed: false, nameServersFail: false };
	return { failed: true, nameServersFail: answer.cause === 'server_failure' };
}

function foundWords(answer: Answer<string>): string {
	return answer.kind === 'records' ? answer.records.join(', ') : answer.kind;
}

/**
 * Whether a mail host of the route belongs to a domain that opted out. Not the host of an operator that we know: its
 * customers did not ask, and its own domain speaks for its own mailboxes only.
 */
export async function leadsToOptedOut(
	{ optOuts }: Pick<LookUpPorts, 'optOuts'>,
	route: MailRoute,
): Promise<boolean> {
	if (optOuts === undefined || route.kind !== 'hosts') return false;
	const hosts = route.hosts.filter((host) => route.implicit || findMailOperator([host]) === null);
	const covered = await Promise.all(hosts.map((host) => optOuts.covers(host)));
	return covered.includes(true);
}

/**
 * Whether each mail host of the route takes mail for disposable services only: by its name, its IP address, or because its
 * own domain is on the list of disposable domains. Not a relay, and not the host of an operator that we know.
 */
export function leadsToDisposable(domain: string, { route, hosts }: LookedUpMail): boolean {
	if (route.kind !== 'hosts' || route.implicit || isPrivacyRelay(domain) || isFreeProvider(domain))
		return false;
	return route.hosts.every((name) => {
		if (findMailOperator([name]) !== null) return false;
		const addresses = hosts?.find((host) => host.name === name)?.addresses ?? [];
		return isDisposableHost(name, addresses) || isDisposable(name);
	});
}
