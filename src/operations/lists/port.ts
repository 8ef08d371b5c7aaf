/** A list of disposable domains that replaced the bundled one. */
export interface DisposableList {
	readonly domains: readonly string[];
	readonly source: string;
	/** Epoch milliseconds. */
	readonly fetchedAt: number;
}

/** Stores the refreshed list. */
export interface DisposableListStore {
	save(list: DisposableList): Promise<void>;
	/** Null: never refreshed, so the bundled list is used. */
	load(): Promise<DisposableList | null>;
}
