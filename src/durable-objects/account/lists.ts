import { folded } from '../../lib/text.ts';
import type { JobRecord, ListState } from '../../operations/jobs/port.ts';
import type { AccountContext } from './context.ts';

// The calls of the account that are about lists as people look after them.

// `all` and `completed` are without those that their owner deleted: only their figures are left.
const SELECTED = `FROM jobs WHERE kind = 'verification'
	AND CASE ?1 WHEN 'all' THEN deletedAt IS NULL WHEN 'deleted' THEN deletedAt IS NOT NULL
		ELSE status = ?1 AND deletedAt IS NULL END
	AND (?2 = '' OR instr(foldedName, ?2) > 0)
	AND (?3 IS NULL OR (keyId = ?3) = ?4)`;

/** A page of lists, newest first, and how many there are. */
export function findLists(
	{ sql, credits, jobs }: AccountContext,
	request: {
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
	const { state, search, madeWith, page, pageSize } = request;
	const which = [state, folded(search), madeWith?.keyId ?? null, madeWith?.is === true ? 1 : 0];
	const query = `SELECT jobId ${SELECTED} ORDER BY createdAt DESC, jobId DESC LIMIT ?5 OFFSET ?6`;
	const ids = sql.all<{ jobId: string }>(query, ...which, pageSize, (page - 1) * pageSize);
	const counted = sql.first<{ total: number }>(`SELECT COUNT(*) AS total ${SELECTED}`, ...which);
	const found = ids.map(({ jobId }) => jobs.findReadable(jobId)).filter((job) => job !== null);
	return { jobs: found, total: counted?.total ?? 0 };
}

/** Null: there is no such job. */
export function renameJob(
	{ sql, jobs }: AccountContext,
	{ jobId, name }: { jobId: string; name: string },
): JobRecord | null {
	if (jobs.findJob(jobId) === null) return null;
	sql.update('jobs', { jobId }, { name, foldedName: folded(name) });
	return jobs.findJob(jobId);
}

/** Sets whether the owner gets a mail when the job ends. It changes nothing for a job that has ended. */
export function setMailWhenDone(
	{ sql, jobs }: AccountContext,
	{ jobId, wanted }: { jobId: string; wanted: boolean },
): JobRecord | null {
	if (jobs.findJob(jobId) === null) return null;
	sql.update('jobs', { jobId, status: 'processing' }, { mailWhenDone: wanted });
	return jobs.findJob(jobId);
}
