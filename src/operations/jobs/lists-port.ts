import type { JobRecord } from './port.ts';

/** Which lists to show: `all` are those that were not deleted. */
export const LIST_STATES = ['all', 'processing', 'completed', 'failed', 'deleted'] as const;
export type ListState = (typeof LIST_STATES)[number];

/** Lists as people look after them on the pages. Every call may be repeated and then changes nothing. */
export interface ListStore {
	/** A page of lists, newest first, and how many there are. */
	findLists(request: {
		state: ListState;
		/** A part of their names, without regard to case; empty: any. */
		search: string;
		/** Whether they were made with this key, or with any other; null: any. */
		madeWith: { readonly keyId: string; readonly is: boolean } | null;
		/** From 1. */
		page: number;
		pageSize: number;
	}): Promise<{ jobs: readonly JobRecord[]; total: number }>;
	/** Null: there is no such job. */
	renameJob(request: { jobId: string; name: string }): Promise<JobRecord | null>;
	/** Whether the owner is told by mail when the job ends. Of one that has ended this changes nothing. */
	setMailWhenDone(request: { jobId: string; wanted: boolean }): Promise<JobRecord | null>;
}

/** A list whose owner is to be told that it ended. */
export interface DoneList {
	readonly accountId: string;
	readonly job: JobRecord;
}
