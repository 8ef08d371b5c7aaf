import type { Answer, DnsFailure, MxRecord, RecordSource, Resolver } from './resolver.ts';
import { isInBlock, isPublicAddress } from '../../lib/ip-address.ts';
import type { AddressBlock } from '../../lib/ip-address.ts';

/** The mail hosts of a domain, or the reason why it has none (RFC 5321 §5.1). */
export type MailRoute =
	/** Host names, best preference first. `implicit`: there is no MX, so the domain itself is the host. */
	| { readonly kind: 'hosts'; readonly hosts: readonly string[]; readonly implicit: boolean }
	/** RFC 7505: the domain declares that it accepts no mail. */
	| { readonly kind: 'null_mx' }
	| { readonly kind: 'no_such_domain' }
	/** The domain exists, but has neither MX nor address records. */
	| { readonly kind: 'no_mail_host' }
	/** The DNS did not answer: nothing is known. */
	| { readonly kind: 'undetermined'; readonly cause: DnsFailure };

// A DNS message has room for some thousands.
const HOSTS_MAX = 1_000;

/** Looks up the MX records and, only when there are none, the domain's own addresses. */
export async function findMailExchangers(resolver: Resolver, domain: string): Promise<MailRoute> {
	const answer = await resolver.mx(domain);
	switch (answer.kind) {
		case 'records':
			return routeOf(answer.records);
		case 'no_such_name':
			return { kind: 'no_such_domain' };
		case 'failed':
			return { kind: 'undetermined', cause: answer.cause };
		case 'no_data':
			return implicitRoute(resolver, domain);
	}
}

function routeOf(records: readonly MxRecord[]): MailRoute {
	// RFC 7505 §3: a null MX must be the only record. Next to real hosts it is a mistake, and the hosts count.
	const named = records.filter(({ exchange }) => exchange !== '');
	if (named.length === 0) return { kind: 'null_mx' };
	const sorted = named.toSorted((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1));
	const hosts = [...new Set(sorted.map(({ exchange }) => exchange))];
	return { kind: 'hosts', hosts: hosts.slice(0, HOSTS_MAX), implicit: false };
}

async function implicitRoute(resolver: Resolver, domain: string): Promise<MailRoute> {
	const answer = await addressesOf(resolver, domain);
	if (answer.kind === 'failed') return { kind: 'undetermined', cause: answer.cause };
	if (answer.kind !== 'records') return { kind: 'no_mail_host' };
	return { kind: 'hosts', hosts: [domain], implicit: true };
}

/** A host's IPv4 and, where there is none, IPv6 addresses. */
export async function addressesOf(records: RecordSource, host: string): Promise<Answer<string>> {
	const v4 = await records.look(host, 'A');
	return v4.kind === 'no_data' ? records.look(host, 'AAAA') : v4;
}

/** The IP addresses of mail servers that we connect to besides public ones, as our configuration allows. */
export type AddressPolicy = readonly AddressBlock[];

/**
 * The addresses that may be dialled, in the given order. A zone that names our loopback or a private network as its
 * mail server must not make us connect there.
 */
export function usableAddresses(addresses: readonly string[], policy: AddressPolicy): readonly string[] {
	const isAllowed = (address: string): boolean => policy.some((block) => isInBlock(address, block));
	return addresses.filter((address) => isPublicAddress(address) || isAllowed(address));
}
