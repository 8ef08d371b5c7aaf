import type { HostileServerName } from './hostile-mail-servers.ts';
import type { OddProxyName } from './odd-proxies.ts';

/** Proxies that other people wrote and that run here as they run in production. */
export type RealProxyName =
	| 'microsocks'
	| 'microsocksOpen'
	| 'dante'
	| 'danteOpen'
	| 'stunnel'
	| 'stunnelOtherName'
	| 'stunnelUntrusted';

/** `sandbox` and `other` lead to `sandboxTargets`. */
export type WatchedProxyName = 'sandbox' | 'other' | 'microsocks' | 'dante';

export type RealProxy =
	| { readonly kind: 'running'; readonly url: string; readonly program: string }
	/** Not installed here. Locally that skips tests; where the project is built it fails them. */
	| { readonly kind: 'absent'; readonly reason: string };

/** What tests inside workerd find on loopback, beside the sandbox. Everything listens on 127.0.0.1. */
export interface NetPeers {
	/** An ordinary mail server. */
	readonly mailPort: number;
	/** Nobody listens here. */
	readonly deadPort: number;
	/** Listens, and takes no connection. */
	readonly deafPort: number;
	readonly realProxies: Readonly<Record<RealProxyName, RealProxy>>;
	/** True where an absent real proxy is a failure. */
	readonly realProxiesRequired: boolean;
	/** Our own SOCKS server: leads `sandboxTargets` to the mail server, on port 25 only. */
	readonly sandboxProxy: string;
	/** The same one, whose reply to CONNECT comes in one segment with the server's greeting. */
	readonly mergingProxy: string;
	readonly sandboxTargets: {
		readonly mail: string;
		readonly refused: string;
		readonly unreachable: string;
		readonly never: string;
		readonly notAllowed: string;
	};
	/** Proxies that are watched, so that tests can tell what they were asked; null: not installed. */
	readonly watchedProxies: Readonly<Record<WatchedProxyName, string | null>>;
	readonly oddProxies: Readonly<Record<OddProxyName, number>>;
	readonly hostileServers: Readonly<Record<HostileServerName, number>>;
	/** DNS over HTTPS; the rest of the path is `/<behaviour>/<id of the test>`. */
	readonly dohOrigin: string;
	/** Tells what the servers have seen. */
	readonly witnessUrl: string;
}

declare module 'vitest' {
	export interface ProvidedContext {
		netPeers: NetPeers;
	}
}
