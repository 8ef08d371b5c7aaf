import type { AccountRecovery } from '../../operations/accounts/recovery-port.ts';

/** The platform's point-in-time recovery of an object's storage. */
export interface Recovery {
	readonly bookmarkOf: (at: number) => Promise<string>;
	readonly bookmarkNow: () => Promise<string>;
	/** Has the next start of the object restore a bookmark; the answer undoes it. */
	readonly restoreAtNextStart: (bookmark: string) => Promise<string>;
	/** Ends the object as it runs. Throws. */
	readonly abort: () => void;
}

/** What recovery works on. */
export interface RecoveryContext {
	readonly recovery: Recovery;
	/** Another one after each start. */
	readonly session: string;
	readonly ring: () => Promise<void>;
}

/** Unlike the other calls these wait for the platform, so they are no transactions. */
export const recoveryCalls: {
	readonly [M in keyof AccountRecovery]: (
		object: RecoveryContext,
		...request: Parameters<AccountRecovery[M]>
	) => ReturnType<AccountRecovery[M]>;
} = {
	findBookmarks: async ({ recovery }, { at }) => ({
		bookmark: at === null ? null : await recovery.bookmarkOf(at),
		current: await recovery.bookmarkNow(),
	}),
	prepareRestore: async ({ recovery, session }, { bookmark }) => ({
		undo: await recovery.restoreAtNextStart(bookmark),
		session,
	}),
	restart: async ({ recovery, session }, request) => {
		// A call that is repeated because the first one broke meets the next session, where all is done.
		if (request.session === session) recovery.abort();
	},
	ring: ({ ring }) => ring(),
};

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
