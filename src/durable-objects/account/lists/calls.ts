import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { AccountContext, RequestOf } from '../context.ts';
import { countLists, selectLists, setMailWanted, setName } from './storage.ts';

// The calls of the account that are about lists as people look after them.

/** A page of lists, newest first, and how many there are. */
export function findLists(
	{ sql, credits, jobs }: AccountContext,
	{ page, pageSize, ...selection }: RequestOf<'findLists'>,
): { jobs: readonly JobRecord[]; total: number } {
	if (!credits.exists) return { jobs: [], total: 0 };
	const ids = selectLists(sql, selection, pageSize, (page - 1) * pageSize);
	const found = ids.map((jobId) => jobs.findJob(jobId)).filter((job) => job !== null);
	return { jobs: found, total: countLists(sql, selection) };
}

/** Null: there is no such job. */
export function renameJob(
	{ sql, jobs }: AccountContext,
	{ jobId, name }: RequestOf<'renameJob'>,
): JobRecord | null {
	if (jobs.findJob(jobId) === null) return null;
	setName(sql, jobId, name);
	return jobs.findJob(jobId);
}

/** Sets whether the owner is told by mail when the job ends. Of one that has ended this changes nothing. */
export function setMailWhenDone(
	{ sql, jobs }: AccountContext,
	{ jobId, wanted }: RequestOf<'setMailWhenDone'>,
): JobRecord | null {
	if (jobs.findJob(jobId) === null) return null;
	setMailWanted(sql, jobId, wanted);
	return jobs.findJob(jobId);
}
