import type { Answer } from './resolver.ts';

/** The record types that the look-ups about a domain ask for. */
export type LookedUpType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'NS' | 'CNAME' | 'SOA' | 'CAA' | 'TLSA';

/** An answer, with its TTL and whether it was authenticated. */
export interface Looked {
	/**
	 * Each record as text: an address, a host name (NS, CNAME, MX) in lower case, a TXT record's joined strings, the
	 * RNAME of a SOA in master file form (RFC 1035 §5.1), a CAA as `tag value`, a TLSA as `usage selector matching`.
	 */
	readonly answer: Answer<string>;
	/** For how long the answer may be cached. */
	readonly ttlSeconds: number;
	/** The resolver verified DNSSEC signatures (the AD bit, RFC 4035 §3.2.3). */
	readonly authenticated: boolean;
}

/** Looks up DNS records about a domain. Throws `ServiceError` only when our own resolvers are out of order. */
export interface RecordSource {
	look(name: string, type: LookedUpType): Promise<Looked>;
}
