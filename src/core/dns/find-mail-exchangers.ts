import type { MxRecord, Resolver } from './resolver.ts';

/** Where a domain wants its mail (RFC 5321 §5.1). */
export type MailRoute =
	/** Host names, best preference first. `implicit`: there is no MX, the domain's own address serves. */
	| { readonly kind: 'hosts'; readonly hosts: readonly string[]; readonly implicit: boolean }
	/** RFC 7505: the domain says that it takes no mail. */
	| { readonly kind: 'null_mx' }
	| { readonly kind: 'no_such_domain' }
	/** The domain exists, with neither MX nor address. */
	| { readonly kind: 'no_mail_host' }
	/** The DNS did not answer: nothing is known. */
	| { readonly kind: 'undetermined'; readonly cause: 'server_failure' | 'timeout' };

// A message has room for some thousands. Which of them are looked up is a matter of time, not of number: a list cut
// short could make a good domain look unroutable.
const HOSTS_MAX = 1_000;

/** Looks up MX and, only when there is none, the domain's own address. */
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
	// RFC 7505 §3: a null MX stands alone. Beside real hosts it is a mistake and the hosts count.
	const named = records.filter(({ exchange }) => exchange !== '');
	if (named.length === 0) return { kind: 'null_mx' };
	const sorted = named.toSorted((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1));
	const hosts = [...new Set(sorted.map(({ exchange }) => exchange))];
	return { kind: 'hosts', hosts: hosts.slice(0, HOSTS_MAX), implicit: false };
}

async function implicitRoute(resolver: Resolver, domain: string): Promise<MailRoute> {
	const answer = await resolver.addresses(domain);
	switch (answer.kind) {
		case 'records':
			return { kind: 'hosts', hosts: [domain], implicit: true };
		case 'failed':
			return { kind: 'undetermined', cause: answer.cause };
		case 'no_data':
		case 'no_such_name':
			return { kind: 'no_mail_host' };
	}
}
