/** The platform's point-in-time recovery of an object's storage. */
export interface Recovery {
	readonly bookmarkOf: (at: number) => Promise<string>;
	readonly bookmarkNow: () => Promise<string>;
	/** Has the next start of the object restore a bookmark; the answer undoes it. */
	readonly restoreAtNextStart: (bookmark: string) => Promise<string>;
	/** Ends the object as it runs. Throws. */
	readonly abort: () => void;
}

/** The recovery of an object on the platform. */
export function recoveryOf(state: DurableObjectState): Recovery {
	const { storage } = state;
	return {
		bookmarkOf: (at) => storage.getBookmarkForTime(at),
		bookmarkNow: () => storage.getCurrentBookmark(),
		restoreAtNextStart: (bookmark) => storage.onNextSessionRestoreBookmark(bookmark),
		abort: () => {
			state.abort('restored to another time');
		},
	};
}
