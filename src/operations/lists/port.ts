/** A list of disposable domains that replaced the bundled one. */
export interface DisposableList {
	readonly domains: readonly string[];
	readonly source: string;
	/** Epoch milliseconds. */
	readonly fetchedAt: number;
}

/** Where the refreshed list is kept. */
export interface DisposableListStore {
	save(list: DisposableList): Promise<void>;
	/** Null: never refreshed, so the bundled list holds. */
	load(): Promise<DisposableList | null>;
}
