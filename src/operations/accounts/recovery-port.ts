/** How an account goes back in time. Each call may be repeated. */
export interface AccountRecovery {
	/** The platform's bookmarks of a time (epoch ms, at most 30 days ago; null: none is wanted) and of now. Changes nothing. */
	findBookmarks(request: {
		at: number | null;
	}): Promise<{ readonly bookmark: string | null; readonly current: string }>;
	/**
	 * Has the account go back to a bookmark when its object starts again, by itself or by `restart`. `undo`: the bookmark
	 * of this moment. `session`: what is running now.
	 */
	prepareRestore(request: { bookmark: string }): Promise<{ readonly undo: string; readonly session: string }>;
	/** Ends a session, which breaks the call. One that ended before is left alone: then the call comes back. */
	restart(request: { session: string }): Promise<void>;
	/** Has the alarm ring at once: what was due then is due now. */
	ring(): Promise<void>;
}
