/** A domain whose owner asked us not to ask its mail servers. */
export interface OptOut {
	/** A-labels, lower case. It covers the names below it. */
	readonly domain: string;
	/** Epoch milliseconds. */
	readonly since: number;
}

/** The domains that are not asked. Every call may be repeated and then changes nothing. */
export interface OptOutStore {
	/** In alphabetical order. */
	list(): Promise<readonly OptOut[]>;
	/** A repetition keeps the first time. */
	add(optOut: OptOut): Promise<void>;
	remove(domain: string): Promise<void>;
}
