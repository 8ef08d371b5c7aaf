import type { Answer } from './resolver.ts';

/** What can be asked beside the way of the mail. */
export type LookedUpType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'NS' | 'CNAME' | 'SOA' | 'CAA' | 'TLSA';

/** An answer with what a resolver says about it. */
export interface Looked {
	/**
	 * Each record as text: an address, a host name (NS, CNAME, MX) in lower case, a TXT record's joined strings, the
	 * RNAME of a SOA in master file form (RFC 1035 §5.1), `tag value` of a CAA, `usage selector matching` of a TLSA.
	 */
	readonly answer: Answer<string>;
	/** How long it holds. */
	readonly ttlSeconds: number;
	/** The resolver checked the signatures (the AD bit, RFC 4035 §3.2.3). */
	readonly authenticated: boolean;
}

/** The DNS as the look-ups about a domain ask it. Throws `ServiceError` only when our own resolvers are out of order. */
export interface RecordSource {
	look(name: string, type: LookedUpType): Promise<Looked>;
}
