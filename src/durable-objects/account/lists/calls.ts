import type { ListStore } from '../../../operations/jobs/lists-port.ts';
import type { CallsOf } from '../context.ts';
import { countLists, selectLists, setMailWanted, setName } from './storage.ts';

/** The calls of the account's object that are about lists as people look after them. */
export const listCalls: CallsOf<ListStore> = {
	findLists: ({ sql, credits, jobs }, { page, pageSize, ...selection }) => {
		if (!credits.exists) return { jobs: [], total: 0 };
		const ids = selectLists(sql, selection, pageSize, (page - 1) * pageSize);
		const found = ids.map((jobId) => jobs.findJob(jobId)).filter((job) => job !== null);
		return { jobs: found, total: countLists(sql, selection) };
	},
	renameJob: ({ sql, jobs }, { jobId, name }) => {
		if (jobs.findJob(jobId) === null) return null;
		setName(sql, jobId, name);
		return jobs.findJob(jobId);
	},
	setMailWhenDone: ({ sql, jobs }, { jobId, wanted }) => {
		if (jobs.findJob(jobId) === null) return null;
		setMailWanted(sql, jobId, wanted);
		return jobs.findJob(jobId);
	},
};
