import type { Address } from '../core/address/parse-address.ts';
import { findMailExchangers, usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy, MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { Answer, Resolver } from '../core/dns/resolver.ts';
import { HOSTS_MAX } from '../wire/prober.ts';
import type { QuestionHost } from '../wire/prober.ts';

export interface LookUpPorts {
	readonly resolver: Resolver;
	/** Which addresses of mail hosts may be dialled. */
	readonly addressPolicy: AddressPolicy;
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
	const answer = await resolver.addresses(name);
	const usable = answer.kind === 'records' ? usableAddresses(answer.records, addressPolicy) : [];
	if (answer.kind !== 'records' || usable.length > 0) {
		return { name, addresses: usable, found: foundWords(answer), ...failureIn(answer) };
	}
	const v6 = await resolver.ipv6Addresses(name);
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
