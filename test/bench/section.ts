/** How much is measured. */
export interface BenchSettings {
	/** Fewer runs and no list of 50,000: to see that it works, not to be quoted. */
	readonly quick: boolean;
	/** Tells people how far it is. */
	readonly say: (line: string) => void;
}

/** One bench: gives its tables in Markdown. */
export type Bench = (settings: BenchSettings) => Promise<string>;
