import { inCredits, PRICE } from '../core/credits/price.ts';
import { csvLine } from '../core/csv/write.ts';
import { paginate } from '../core/jobs/pages.ts';
import type { ResultList } from '../core/jobs/pages.ts';
import { READING } from '../core/keys/scopes.ts';
import { readIdempotencyKey } from './admission.ts';
import { endpoint, json, successText } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { batchQuery, batchRequest, dryRun as dryRunSchema, EMAILS_MAX } from './schemas/batch.ts';
import { count, textOrNull } from './schemas/fields.ts';
import * as jobs from './schemas/job.ts';
import * as tasks from './schemas/task.ts';
import {
	EXPORT_HEAD,
	exportCells,
	exportResults,
	downloadVerdicts,
} from '../operations/jobs/export-results.ts';
import { deleteResults, finishJob } from '../operations/jobs/manage-job.ts';
import { readRejected, readResults, readVerdicts } from '../operations/jobs/read-job.ts';
import { createJob, dryRun, createTask } from '../operations/jobs/start.ts';
import { prepareCallback } from '../operations/webhooks/webhooks.ts';

const same = count('As in the job');
const accepted = json(202, 'The job', jobs.job, {
	meta: { acceptedEmails: same, rejectedEmails: same, duplicateEmails: same, invalidEmails: same },
	examples: {
		'Two addresses of three, since one came twice': {
			data: jobs.JOB,
			meta: { acceptedEmails: 2, rejectedEmails: 1, duplicateEmails: 1, invalidEmails: 0 },
		},
	},
});

const acceptedTask = json(202, 'The task', tasks.task, {
	meta: {
		previousTaskId: textOrNull('The last task that was made from this job before; null: none'),
	},
	examples: { 'Two addresses': { data: tasks.TASK, meta: { previousTaskId: null } } },
});

const quoted = { ...json(200, 'Of a dry run: what the list holds', dryRunSchema), status: 200 } as const;

const TEXTS = {
	'text/plain': {
		says: 'An address a line. Blank lines do not count',
		example: 'info@acme.com\njane@acme.com\n',
	},
	'text/csv': {
		says: 'A row an address, in the column that `column` names, or else in the only one that holds addresses. Comma, semicolon, tab or bar; blank rows do not count',
		example: 'Name,Email\nInfo,info@acme.com\nJane,jane@acme.com\n',
	},
} as const;

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

/** POST /v1/verify-batch, GET /v1/jobs, GET and POST /v1/catchall, and all below a job or a task. */
export const LISTS: readonly Endpoint[] = [
	endpoint('POST /v1/verify-batch', ['lists'], {
		id: 'createJob',
		says: 'Verify a list',
		more: `Up to 50,000 addresses, as JSON, or as text: \`curl --data-binary @list.csv -H 'Content-Type: text/csv'\`. Duplicates and malformed addresses are removed. ${inCredits(PRICE.verification)} per address; each \`unknown\` is refunded.`,
		window: 'batch',
		isKeyed: true,
		query: batchQuery,
		body: batchRequest,
		list: { octetsMax: 14 * 1024 * 1024, field: 'emails', elementsMax: EMAILS_MAX, texts: TEXTS },
		gives: accepted,
		orGives: quoted,
		refuses: ['no_emails', 'too_many_emails', 'no_valid_emails', 'insufficient_credits'],
		run: async ({ c, services, credential, requestId, query, body, lasting }) => {
			const { emails, validationFlags } = body;
			const idempotencyKey = readIdempotencyKey(c);
			const dedupe = body.dedupe ?? query.dedupe ?? 'address';
			if (body.dryRun ?? query.dryRun === 'true') {
				const data = dryRun(services, credential, { emails, dedupe });
				return { text: successText(quoted, requestId, { data }), status: quoted.status };
			}
			const url = body.callbackUrl ?? query.callbackUrl ?? null;
			const callback = await prepareCallback(services, credential, url);
			const creating = createJob(services, credential, {
				emails,
				name: body.name ?? query.name ?? null,
				rescuesCatchAll: validationFlags?.auto_catchall_rescue ?? query.auto_catchall_rescue === 'true',
				callback,
				idempotencyKey,
				dedupe,
				requestId,
			});
			const { response: text, replayed } = await lasting(creating);
			return { text, replayed };
		},
	}),
	endpoint('GET /v1/jobs/{jobId}', READING, {
		id: 'getJob',
		says: 'Read a job',
		more: 'Ask every 10 to 15 seconds until `status` is no longer `processing`.',
		// Only status and results count as polling.
		window: 'polling',
		job: 'verification',
		gives: json(200, 'The job', jobs.job),
		run: async ({ job: record, now }) => Promise.resolve({ data: jobs.renderJob(record, now) }),
	}),
	endpoint('GET /v1/jobs/{jobId}/results', READING, {
		id: 'getJobResults',
		says: 'Read results',
		more: 'A page, in the order in which the addresses were sent. Only of a completed job, and only until `resultsExpiresAt`.',
		window: 'polling',
		job: 'verification',
		query: jobs.resultsQuery,
		gives: json(200, 'A page', jobs.resultsPage),
		refuses: ['job_not_completed', 'job_failed', 'results_expired'],
		run: async ({ services, job: record, query, now }) => {
			const { status, explain, ...page } = query;
			const request = { job: record, list: status ?? 'all', explain: explain === 'true', ...page } as const;
			const found = await readResults(services, request);
			return { data: { job: jobs.shortJob.parse(jobs.renderJob(record, now)), ...found } };
		},
	}),
	endpoint('GET /v1/jobs', READING, {
		id: 'listJobs',
		says: 'List jobs',
		more: 'Newest first, also those whose results have expired: the job itself stays with its counters.',
		query: jobs.jobsQuery,
		gives: json(200, 'A page', jobs.jobsPage),
		run: async ({ services, credential, query, now }) => {
			const { page, limit, status } = query;
			const account = services.accounts(credential.accountId);
			const listed = { kind: 'verification', status, page, pageSize: limit } as const;
			const { jobs: found, total } = await account.listJobs(listed);
			const pagination = paginate(total, page, limit);
			return { data: { jobs: found.map((record) => jobs.renderJob(record, now)), pagination } };
		},
	}),
	endpoint('GET /v1/jobs/{jobId}/download', READING, {
		id: 'downloadJob',
		says: 'Download results',
		more: 'All in one file, in the order in which the addresses were sent. Streamed. In `csv` a cell that a spreadsheet would run as a formula begins with an apostrophe, numbers and telephone numbers aside.',
		job: 'verification',
		query: jobs.exportQuery,
		gives: {
			status: 200,
			says: 'The file',
			file: {
				'text/csv': {
					says: 'RFC 4180: lines end in CRLF, quotes are doubled',
					example: csvLine(EXPORT_HEAD) + csvLine(exportCells(jobs.ROW)),
				},
				'application/x-ndjson': { says: 'One JSON object a line, as in the pages of results' },
			},
		},
		refuses: ['job_not_completed', 'job_failed', 'results_expired'],
		run: async ({ services, job: record, query: { format, status } }) => {
			const request = { job: record, list: status ?? 'all', format } as const;
			const { fileName: name, body } = await exportResults(services, request);
			return { name, body, type: MEDIA_TYPES[format] };
		},
	}),
	endpoint('GET /v1/jobs/{jobId}/rejected', READING, {
		id: 'getRejected',
		says: 'List rejected addresses',
		more: 'A page of what was taken out of the list: duplicates and malformed addresses. From the creation of the job until its results expire.',
		job: 'verification',
		query: jobs.pageQuery,
		gives: json(200, 'A page', jobs.rejectedPage),
		refuses: ['results_expired'],
		run: async ({ services, job: record, query }) => {
			const { rejected, pagination } = await readRejected(services, { job: record, ...query });
			// Rows of a file are for people: a program knows its list by positions.
			const rows = rejected.map(({ index, value, reason, duplicateOf }) => {
				return { index, value, reason, duplicateOf };
			});
			return { data: { rejected: rows, pagination } };
		},
	}),
	endpoint('POST /v1/jobs/{jobId}/finish', ['lists'], {
		id: 'finishJob',
		says: 'Finish a job',
		more: 'Ends it early. What is not answered yet becomes `unknown` with sub_status `not_asked`, and is refunded. The answers so far can be read at once. Of a completed job it changes nothing.',
		job: 'verification',
		gives: json(200, 'The job', jobs.job),
		refuses: ['job_failed'],
		run: async ({ services, credential, job: record, lasting }) => {
			// It is finished even if the client disconnects.
			const finished = await lasting(finishJob(services, credential, { job: record }));
			return { data: jobs.renderJob(finished, services.clock.now()) };
		},
	}),
	endpoint('DELETE /v1/jobs/{jobId}', ['lists'], {
		id: 'deleteJob',
		says: 'Delete a job',
		more: 'The list and the results of a job that has ended are gone at once: reading them is a 410 from now on. The job itself stays with its counters. A job that runs is a 409: finish it first.',
		job: 'verification',
		gives: { status: 204, says: 'They are deleted' },
		refuses: ['job_not_completed'],
		run: async ({ services, credential, job: record }) => {
			await deleteResults(services, credential, { job: record });
			return null;
		},
	}),
	endpoint('GET /v1/catchall', READING, {
		id: 'listTasks',
		says: 'List tasks',
		more: 'Newest first, also those whose results have expired: the task itself stays with its counters.',
		query: jobs.pageQuery,
		gives: json(200, 'A page', tasks.tasksPage),
		run: async ({ services, credential, query, now }) => {
			const { page, limit } = query;
			const account = services.accounts(credential.accountId);
			const { jobs: found, total } = await account.listJobs({ kind: 'catchall', page, pageSize: limit });
			const pagination = paginate(total, page, limit);
			return { data: { tasks: found.map((each) => tasks.renderTask(each, now)), pagination } };
		},
	}),
	endpoint('POST /v1/catchall', ['lists'], {
		id: 'createTask',
		says: 'Score catch-all addresses',
		more: `Verifies the catch-all addresses of a completed job again, each with a score. ${inCredits(PRICE.catchall)} per address; each \`unknown\` is refunded.`,
		window: 'batch',
		isKeyed: true,
		body: tasks.taskRequest,
		gives: acceptedTask,
		refuses: ['insufficient_credits', 'job_not_found', 'job_not_completed', 'job_failed', 'results_expired'],
		run: async ({ c, services, credential, requestId, body, lasting }) => {
			const callback = await prepareCallback(services, credential, body.callbackUrl ?? null);
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
	endpoint('GET /v1/catchall/{taskId}', READING, {
		id: 'getTask',
		says: 'Read a task',
		more: 'Ask every 10 to 15 seconds until `status` is no longer `processing`.',
		job: 'catchall',
		gives: json(200, 'The task', tasks.task),
		run: async ({ job: record, now }) => Promise.resolve({ data: tasks.renderTask(record, now) }),
	}),
	endpoint('GET /v1/catchall/{taskId}/results', READING, {
		id: 'getTaskResults',
		says: 'Read scores',
		more: 'A page, each score with the breakdown that adds up to it. Only of a completed task, and only until `resultsExpiresAt`.',
		job: 'catchall',
		query: tasks.verdictsQuery,
		gives: json(200, 'A page', tasks.verdictsPage),
		refuses: ['task_not_completed', 'task_failed', 'results_expired'],
		run: async ({ services, job: record, query: { verdict: word, ...page }, now }) => {
			const found = await readVerdicts(services, { job: record, ...page, list: listOf(word) });
			return { data: { task: tasks.shortTask.parse(tasks.renderTask(record, now)), ...found } };
		},
	}),
	endpoint('GET /v1/catchall/{taskId}/download', READING, {
		id: 'downloadTask',
		says: 'Download scores',
		more: 'As CSV: Email, Score, Verdict. Only of a completed task, and only until `resultsExpiresAt`. The file is streamed.',
		job: 'catchall',
		query: tasks.downloadQuery,
		gives: {
			status: 200,
			says: 'The file',
			file: {
				'text/csv': {
					says: 'RFC 4180; a cell that a spreadsheet would run as a formula begins with an apostrophe',
					example: tasks.VERDICTS_CSV,
				},
			},
		},
		refuses: ['task_not_completed', 'task_failed', 'results_expired'],
		run: async ({ services, job: record, query: { verdict: word } }) => {
			const body = downloadVerdicts(services, { task: record, list: listOf(word) });
			const name = word === undefined ? record.jobId : `${record.jobId}-${word}`;
			return Promise.resolve({ name: `${name}.csv`, body, type: MEDIA_TYPES.csv });
		},
	}),
];

function listOf(word: 'valid' | 'invalid' | undefined): ResultList {
	if (word === undefined) return 'all';
	return word === 'valid' ? 'deliverable' : 'undeliverable';
}
