import type { RecordSource } from '../core/dns/resolver.ts';
import type { ExpiringMap } from '../lib/expiring-map.ts';

/** The time, and waiting. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves early if the signal aborts. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Facts about domains that the isolate remembers, by what they are about and the domain. */
export type Facts = ExpiringMap<unknown>;

/** The answer of a website. */
export type WebAnswer =
	| {
			readonly kind: 'page';
			/** The URL of the page itself, after redirects. */
			readonly url: string;
			readonly status: number;
			/** Cut off at the limit. */
			readonly text: string;
	  }
	/** It redirects to a host that may not be visited. */
	| { readonly kind: 'left'; readonly host: string }
	/** The DNS has no address for the name. */
	| { readonly kind: 'no_address' }
	/** No answer: no connection, too late, not https, no public address, or too many redirects. */
	| { readonly kind: 'failed' };

export type RdapReply =
	| { readonly kind: 'object'; readonly body: unknown }
	/** The registry does not know the domain. */
	| { readonly kind: 'not_found' }
	/** No turn in time, no usable answer, or the server asked us to pause. */
	| { readonly kind: 'unavailable' };

export interface DomainPorts {
	readonly clock: Clock;
	readonly records: RecordSource;
	readonly facts: Facts;
	/** Fetches a page of the domain, by https at public addresses only. Never throws. Null: no website is looked at. */
	readonly visit: ((domain: string, url: string, limitMs: number) => Promise<WebAnswer>) | null;
	/** Asks registries, within their limits. Never throws. */
	readonly rdap: {
		/** The bootstrap file as parsed JSON, or null when it can't be fetched. */
		bootstrap(limitMs: number): Promise<unknown>;
		/** Asks the server at `base` about a registrable domain. */
		ask(base: string, domain: string, limitMs: number): Promise<RdapReply>;
	};
}
