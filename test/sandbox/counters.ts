/** What happened in the sandbox since it started. Tests read it; the maps are live. */
export interface Counters {
	/** Questions by name and type. */
	readonly dns: Map<string, number>;
	readonly smtp: {
		connections: number;
		/** DATA, VRFY and EXPN: a verifier never sends them. */
		forbidden: number;
		/** Commands sent before the reply they had to wait for (RFC 2920 §3.1), or before the greeting. */
		early: number;
		readonly commands: Map<string, number>;
	};
	readonly socks: {
		/** CONNECT requests by destination address. */
		readonly connects: Map<string, number>;
		/** Destinations outside the sandbox: somebody tried to leave it. */
		notAllowed: number;
		badCredentials: number;
	};
}

/** Counters at zero. */
export function makeCounters(): Counters {
	return {
		dns: new Map(),
		smtp: { connections: 0, forbidden: 0, early: 0, commands: new Map() },
		socks: { connects: new Map(), notAllowed: 0, badCredentials: 0 },
	};
}

// A bulk run of 50,000 addresses twice fits; an endless soak test does not eat the memory.
const COUNTED_NAMES_MAX = 200_000;

/** Adds one to `key`. */
export function increment(counts: Map<string, number>, key: string): void {
	if (!counts.has(key) && counts.size >= COUNTED_NAMES_MAX) return;
	counts.set(key, (counts.get(key) ?? 0) + 1);
}
