import { inCredits, PRICE } from '../core/credits/price.ts';
import type { ResultList } from '../core/jobs/pages.ts';
import { STATUS_OF_VERDICT } from '../core/jobs/task-verdicts.ts';
import { READING } from '../core/keys/scopes.ts';
import { paginate } from '../core/jobs/pages.ts';
import { downloadVerdicts } from '../operations/jobs/export-results.ts';
import { readVerdicts } from '../operations/jobs/read-job.ts';
import { createTask } from '../operations/jobs/start.ts';
import { prepareCallback } from '../operations/webhooks/webhooks.ts';
import { endpoint, json } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { readIdempotencyKey } from './admission.ts';
import { textOrNull } from './schemas/fields.ts';
import { pageQuery } from './schemas/job.ts';
import {
	downloadQuery,
	renderTask,
	shortTask,
	task,
	TASK,
	taskRequest,
	tasksPage,
	verdictsPage,
	verdictsQuery,
	VERDICTS_CSV,
} from './schemas/task.ts';

const accepted = json(202, 'The task', task, {
	meta: {
		previousTaskId: textOrNull('The last task that was made from this job before; null: none'),
	},
	examples: { 'Two addresses': { data: TASK, meta: { previousTaskId: null } } },
});

/** POST and GET /v1/catchall, GET /v1/catchall/:taskId, its results and its download. */
export const TASKS: readonly Endpoint[] = [
	endpoint({
		id: 'listTasks',
		call: 'GET /v1/catchall',
		says: 'List tasks',
		more: 'Newest first, also those whose results have expired: the task itself stays with its counters.',
		scopes: READING,
		query: pageQuery,
		gives: json(200, 'A page', tasksPage),
		run: async ({ services, credential, query, now }) => {
			const { page, limit } = query;
			const account = services.accounts(credential.accountId);
			const { jobs, total } = await account.listJobs({ kind: 'catchall', page, pageSize: limit });
			const tasks = jobs.map((each) => renderTask(each, now));
			return { data: { tasks, pagination: paginate(total, page, limit) } };
		},
	}),
	endpoint({
		id: 'createTask',
		call: 'POST /v1/catchall',
		says: 'Score catch-all addresses',
		more: `Verifies the catch-all addresses of a completed job again, each with a score. ${inCredits(PRICE.catchall)} per address; each \`unknown\` is refunded.`,
		scopes: ['lists'],
		window: 'batch',
		isKeyed: true,
		body: taskRequest,
		gives: accepted,
		refuses: ['insufficient_credits', 'job_not_found', 'job_not_completed', 'job_failed', 'results_expired'],
		run: async ({ c, services, credential, requestId, body, lasting }) => {
			const callback = await prepareCallback(services, body.callbackUrl ?? null);
			const creating = createTask(services, credential, {
				sourceJobId: body.jobId,
				name: body.name ?? null,
				callback,
				idempotencyKey: readIdempotencyKey(c),
				requestId,
			});
			const { response: text, replayed } = await lasting(creating);
			return { text, replayed };
		},
	}),
	endpoint({
		id: 'getTask',
		call: 'GET /v1/catchall/{taskId}',
		says: 'Read a task',
		more: 'Ask every 10 to 15 seconds until `status` is no longer `processing`.',
		scopes: READING,
		job: 'catchall',
		gives: json(200, 'The task', task),
		run: async ({ job, now }) => Promise.resolve({ data: renderTask(job, now) }),
	}),
	endpoint({
		id: 'getTaskResults',
		call: 'GET /v1/catchall/{taskId}/results',
		says: 'Read scores',
		more: 'A page, each score with the breakdown that adds up to it. Only of a completed task, and only until `resultsExpiresAt`.',
		scopes: READING,
		job: 'catchall',
		query: verdictsQuery,
		gives: json(200, 'A page', verdictsPage),
		refuses: ['task_not_completed', 'task_failed', 'results_expired'],
		run: async ({ services, job, query: { verdict: word, ...page }, now }) => {
			const { results, pagination: shown } = await readVerdicts(services, {
				job,
				...page,
				list: listOf(word),
			});
			return { data: { task: shortTask.parse(renderTask(job, now)), results, pagination: shown } };
		},
	}),
	endpoint({
		id: 'downloadTask',
		call: 'GET /v1/catchall/{taskId}/download',
		says: 'Download scores',
		more: 'As CSV: Email, Score, Verdict. Only of a completed task, and only until `resultsExpiresAt`. The file is streamed.',
		scopes: READING,
		job: 'catchall',
		query: downloadQuery,
		gives: {
			status: 200,
			says: 'The file',
			file: {
				'text/csv': {
					says: 'RFC 4180; a cell that a spreadsheet would run as a formula begins with an apostrophe',
					example: VERDICTS_CSV,
				},
			},
		},
		refuses: ['task_not_completed', 'task_failed', 'results_expired'],
		run: async ({ services, job, query: { verdict: word } }) => {
			const body = downloadVerdicts(services, { task: job, list: listOf(word) });
			const name = word === undefined ? job.jobId : `${job.jobId}-${word}`;
			return Promise.resolve({ name: `${name}.csv`, body, type: 'text/csv; charset=utf-8' });
		},
	}),
];

function listOf(word: 'valid' | 'invalid' | undefined): ResultList {
	return word === undefined ? 'all' : STATUS_OF_VERDICT[word];
}
