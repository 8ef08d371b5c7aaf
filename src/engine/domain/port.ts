import type { RecordSource } from '../../core/dns/resolver.ts';
import type { Clock } from '../ports.ts';

/** Caches measured facts. Never throws: an entry that can't be read counts as absent. */
export interface FactCache {
	/** The value stored under the key, or undefined. */
	get(key: string): Promise<unknown>;
	/** `value` is plain JSON. */
	put(key: string, value: unknown, ttlSeconds: number): Promise<void>;
}

/** The answer of a website. */
export type WebAnswer =
	| {
			readonly kind: 'page';
			/** The URL of the page itself, after redirects. */
			readonly url: string;
			readonly status: number;
			/** Lower case, without parameters; empty where none was given. */
			readonly mediaType: string;
			/** Cut off at the limit. */
			readonly text: string;
	  }
	/** It redirects to a host outside `within`, which was not visited. */
	| { readonly kind: 'left'; readonly host: string }
	/** The DNS has no address for the name. */
	| { readonly kind: 'no_address' }
	/** No answer: no connection, too late, not https, no public address, or too many redirects. */
	| { readonly kind: 'failed' };

/** Fetches untrusted websites, by https at public addresses only. Never throws. */
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
	/** No turn in time, no usable answer, or the server asked us to pause. */
	| { readonly kind: 'unavailable' };

/** Asks registries, within their limits. Never throws. */
export interface RdapDirectory {
	/** The bootstrap file as parsed JSON, or null when it can't be fetched. */
	bootstrap(limitMs: number): Promise<unknown>;
	/** Asks the server at `base` about a registrable domain. */
	ask(base: string, domain: string, limitMs: number): Promise<RdapReply>;
}

/** The kinds of look-ups about a domain. Each can be switched off. */
export const DOMAIN_LOOKUPS = ['dns', 'rdap', 'website'] as const;
export type DomainLookup = (typeof DOMAIN_LOOKUPS)[number];

// Each kind of look-up has a budget of its own, so that a slow one does not shorten the others.
export const BUDGETS_MS = { dns: 4_000, rdap: 5_000, website: 5_000 } as const;
/** The longest that an examination takes. */
export const EXAMINATION_MS_MAX = Math.max(...Object.values(BUDGETS_MS));

export interface DomainPorts {
	readonly clock: Clock;
	readonly records: RecordSource;
	readonly web: PublicWeb;
	readonly rdap: RdapDirectory;
	readonly cache: FactCache;
}
