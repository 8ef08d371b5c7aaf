import type { RecordSource } from '../../core/dns/records.ts';
import type { Clock, Randomness } from '../ports.ts';

/** Where measured facts are remembered for a while. It never throws: what can't be read was never there. */
export interface FactCache {
	/** What was put under the key, or undefined. */
	get(key: string): Promise<unknown>;
	/** `value` is plain JSON. */
	put(key: string, value: unknown, ttlSeconds: number): Promise<void>;
}

/** A page of somebody's website. */
export type WebAnswer =
	| {
			readonly kind: 'page';
			/** The address of the page itself, after redirects. */
			readonly url: string;
			readonly status: number;
			/** Lower case, without parameters; empty where none was given. */
			readonly mediaType: string;
			/** Cut off at the limit. */
			readonly text: string;
	  }
	/** It leads to a host outside of what was asked for; that host was not visited. */
	| { readonly kind: 'left'; readonly host: string }
	/** The DNS says that the name has no address. */
	| { readonly kind: 'no_address' }
	/** Nothing is known: no connection, late, not https, an address that is not public, too many redirects. */
	| { readonly kind: 'failed' };

/** Websites of strangers, by https at public addresses only. It never throws. */
export interface PublicWeb {
	get(url: string, limits: WebLimits): Promise<WebAnswer>;
}

export interface WebLimits {
	readonly limitMs: number;
	readonly octetsMax: number;
	readonly redirectsMax: number;
	/** Hosts that may be visited. */
	readonly within: (host: string) => boolean;
}

export type RdapReply =
	| { readonly kind: 'object'; readonly body: unknown }
	/** The registry does not know the domain. */
	| { readonly kind: 'not_found' }
	/** No usable answer, or the server wants to be left alone. */
	| { readonly kind: 'unavailable' };

/** Registries, asked gently. It never throws. */
export interface RdapDirectory {
	/** The bootstrap file as parsed JSON, or null when it can't be had. */
	bootstrap(limitMs: number): Promise<unknown>;
	/** Asks the server at `base` about a registrable domain. */
	ask(base: string, domain: string, limitMs: number): Promise<RdapReply>;
}

/** What can be looked up about a domain, each of which can be switched off. */
export const DOMAIN_LOOKUPS = ['dns', 'rdap', 'website', 'mta_sts', 'wkd'] as const;
export type DomainLookup = (typeof DOMAIN_LOOKUPS)[number];

export interface DomainPorts {
	readonly clock: Clock;
	readonly randomness: Randomness;
	readonly records: RecordSource;
	readonly web: PublicWeb;
	readonly rdap: RdapDirectory;
	readonly cache: FactCache;
}
