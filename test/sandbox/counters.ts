/** What happened in the sandbox since it started or was last reset. Tests read it; the maps are live. */
export interface Counters {
	readonly dns: { queries: number; readonly byName: Map<string, number> };
	readonly smtp: {
		connections: number;
		/** DATA, VRFY and EXPN: a verifier never sends them. */
		forbidden: number;
		/** Commands sent before the reply they had to wait for (RFC 2920 §3.1), or before the greeting. */
		early: number;
		readonly commands: Map<string, number>;
		/** How often each address was asked for in RCPT. */
		readonly recipients: Map<string, number>;
	};
	readonly socks: {
		/** CONNECT requests by destination address. */
		readonly connects: Map<string, number>;
		/** Destinations outside the sandbox: somebody tried to leave it. */
		notAllowed: number;
		badCredentials: number;
	};
	readonly rdap: { queries: number; readonly byName: Map<string, number> };
}

/** Counters at zero. */
export function makeCounters(): Counters {
	return {
		dns: { queries: 0, byName: new Map() },
		smtp: { connections: 0, forbidden: 0, early: 0, commands: new Map(), recipients: new Map() },
		socks: { connects: new Map(), notAllowed: 0, badCredentials: 0 },
		rdap: { queries: 0, byName: new Map() },
	};
}

/** Sets everything back to zero, in place: servers hold on to the object. */
export function resetCounters({ dns, smtp, socks, rdap }: Counters): void {
	Object.assign(dns, { queries: 0 });
	Object.assign(smtp, { connections: 0, forbidden: 0, early: 0 });
	Object.assign(socks, { notAllowed: 0, badCredentials: 0 });
	Object.assign(rdap, { queries: 0 });
	for (const map of [dns.byName, rdap.byName, smtp.commands, smtp.recipients, socks.connects]) map.clear();
}

// A bulk run of 50,000 addresses twice fits; an endless soak test does not eat the memory.
const COUNTED_NAMES_MAX = 200_000;

/** Adds one to `key`. */
export function increment(counts: Map<string, number>, key: string): void {
	if (!counts.has(key) && counts.size >= COUNTED_NAMES_MAX) return;
	counts.set(key, (counts.get(key) ?? 0) + 1);
}
