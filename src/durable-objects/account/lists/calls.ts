import type { ListState, JobRecord } from '../../../operations/jobs/port.ts';
import type { AccountContext } from '../context.ts';
import { countLists, selectLists, setMailWanted, setName } from './storage.ts';

// The calls of the account that are about lists as people look after them.

/** A page of lists, newest first, and how many there are. */
export function findLists(
	{ sql, credits, jobs }: AccountContext,
	{
		page,
		pageSize,
		...selection
	}: {
		state: ListState;
		/** A part of their names, without regard to case; empty: any. */
		search: string;
		/** Whether they were made with this key, or with any other; null: any. */
		madeWith: { readonly keyId: string; readonly is: boolean } | null;
		/** From 1. */
		page: number;
		pageSize: number;
	},
): { jobs: readonly JobRecord[]; total: number } {
	if (!credits.exists) return { jobs: [], total: 0 };
	const ids = selectLists(sql, selection, pageSize, (page - 1) * pageSize);
	const found = ids.map((jobId) => jobs.findReadable(jobId)).filter((job) => job !== null);
	return { jobs: found, total: countLists(sql, selection) };
}

/** Null: there is no such job. */
export function renameJob(
	{ sql, jobs }: AccountContext,
	{ jobId, name }: { jobId: string; name: string },
): JobRecord | null {
	if (jobs.findJob(jobId) === null) return null;
	setName(sql, jobId, name);
	return jobs.findJob(jobId);
}

/** Sets whether the owner gets a mail when the job ends. It changes nothing for a job that has ended. */
export function setMailWhenDone(
	{ sql, jobs }: AccountContext,
	{ jobId, wanted }: { jobId: string; wanted: boolean },
): JobRecord | null {
	if (jobs.findJob(jobId) === null) return null;
	setMailWanted(sql, jobId, wanted);
	return jobs.findJob(jobId);
}
