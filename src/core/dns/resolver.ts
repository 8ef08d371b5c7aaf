/** The types of records that are text. */
export type LookedUpType = 'A' | 'AAAA' | 'TXT' | 'NS' | 'CNAME';
export type RecordType = LookedUpType | 'MX';

/** Looks up DNS records about a domain. Throws `ServiceError` only when our own resolvers are out of order. */
export interface RecordSource {
	/** Each record as text: an address, a host name (NS, CNAME) in lower case, a TXT record's joined strings. */
	look(name: string, type: LookedUpType): Promise<Answer<string>>;
}

/** The answer to a DNS question. The kinds are separate because they prove different things. */
export type Answer<R> =
	/** At least one record of the type asked for. */
	| { readonly kind: 'records'; readonly records: readonly R[] }
	/** The name exists, with no record of this type (RFC 2308 §2.2). */
	| { readonly kind: 'no_data' }
	/** NXDOMAIN: the name and everything below it do not exist (RFC 8020). */
	| { readonly kind: 'no_such_name' }
	/** The domain's name servers gave no usable answer, which proves nothing about the address. */
	| { readonly kind: 'failed'; readonly cause: DnsFailure };

/** `unreadable`: the answers about this name can't be parsed, while others can. */
export type DnsFailure = 'server_failure' | 'timeout' | 'unreadable';

export interface MxRecord {
	readonly preference: number;
	/** Host name, lower case, no trailing dot; empty for the root (RFC 7505). */
	readonly exchange: string;
}

/** Looks up a domain's mail route, too. */
export interface Resolver extends RecordSource {
	mx(domain: string): Promise<Answer<MxRecord>>;
}
