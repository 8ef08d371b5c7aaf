import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import { READING } from '../../core/keys/scopes.ts';
import { STATUS_OF_VERDICT } from '../../core/jobs/task-verdicts.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { listJobs } from '../../operations/jobs/read-job.ts';
import { createTask, downloadVerdicts, readVerdicts } from '../../operations/jobs/tasks.ts';
import { enter } from '../admission.ts';
import { answer, answerAccepted, answerFile } from '../answer.ts';
import type { AnswerTo } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { COMPLETED_TASK, META, TASK, VERDICT, VERDICTS_CSV, onePage } from '../examples.ts';
import { entersByDefault, idempotencyHeader, readIdempotencyKey, withQuery, withRecord } from './requests.ts';
import type { QueryContext } from './requests.ts';
import { pageQuery } from './schemas.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { renderTask } from '../render.ts';
import type { Task } from '../render.ts';
import { BODY_ERRORS, IDEMPOTENCY_ERRORS, csvResponse, failures, jsonResponse } from '../responses.ts';
import type { DeepReadonly } from '../responses.ts';
import { success } from '../schemas.ts';
import {
	downloadQuery,
	task as taskSchema,
	taskRequest,
	tasksPage,
	verdictsPage,
	verdictsQuery,
} from './task-schemas.ts';

const BODY_OCTETS_MAX = 16_384;

const entersForTask = withRecord('default', 'catchall', 'taskId');
const tags = ['Catch-all' satisfies Tag];
const security = [{ bearer: [] }, { apiKey: [] }];
const params = z.object({
	taskId: z.string().describe('The id of the task').openapi({ example: 'cat_1f0c' }),
});
const READ_ERRORS = [
	'invalid_parameter',
	'task_not_found',
	'task_not_completed',
	'task_failed',
	'results_expired',
] as const;

const createRouteOf = createRoute({
	operationId: 'createTask',
	tags,
	method: 'post',
	path: '/v1/catchall',
	summary: 'Score catch-all addresses',
	description: `Verifies the catch-all addresses of a completed job again, each with a score. ${inCredits(PRICE.catchall)} per address; each \`unknown\` is refunded.`,
	security,
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { 'application/json': { schema: taskRequest } } },
	},
	responses: {
		202: jsonResponse(
			'The task',
			success(taskSchema, {
				previousTaskId: z
					.string()
					.nullable()
					.describe('The last task that was made from this job before; null: none'),
			}),
			{
				task: {
					summary: 'One address',
					value: { success: true, data: TASK, meta: { ...META, previousTaskId: null } },
				},
			},
			'Idempotent-Replayed',
		),
		...failures(
			...BODY_ERRORS,
			...IDEMPOTENCY_ERRORS,
			'insufficient_credits',
			'job_not_found',
			'job_not_completed',
			'job_failed',
			'results_expired',
		),
	},
});

const getRoute = createRoute({
	operationId: 'getTask',
	tags,
	method: 'get',
	path: '/v1/catchall/{taskId}',
	summary: 'Read a task',
	description: 'Ask every 10 to 15 seconds until `status` is no longer `processing`.',
	security,
	request: { params },
	responses: {
		200: jsonResponse('The task', success(taskSchema, {}), {
			processing: { summary: 'A task that runs', value: { success: true, data: TASK, meta: META } },
			completed: {
				summary: 'A task with all its verdicts',
				value: { success: true, data: COMPLETED_TASK, meta: META },
			},
		}),
		...failures('task_not_found'),
	},
});

const listRoute = createRoute({
	operationId: 'listTasks',
	tags,
	method: 'get',
	path: '/v1/catchall',
	summary: 'List tasks',
	description:
		'Newest first, also those whose results have expired: the task itself stays with its counters.',
	security,
	request: { query: pageQuery },
	responses: {
		200: jsonResponse('A page', success(tasksPage, {}), {
			page: {
				summary: 'The only task of an account',
				value: { success: true, data: { tasks: [COMPLETED_TASK], pagination: onePage(1) }, meta: META },
			},
		}),
		...failures('invalid_parameter'),
	},
});

const resultsRoute = createRoute({
	operationId: 'getTaskResults',
	tags,
	method: 'get',
	path: '/v1/catchall/{taskId}/results',
	summary: 'Read scores',
	description:
		'A page, each score with the breakdown that adds up to it. Only of a completed task, and only until `resultsExpiresAt`.',
	security,
	request: { params, query: verdictsQuery },
	responses: {
		200: jsonResponse('A page', success(verdictsPage, {}), {
			page: {
				summary: 'The only row of a task',
				value: {
					success: true,
					data: { task: shortOf(COMPLETED_TASK), results: [VERDICT], pagination: onePage(1) },
					meta: META,
				},
			},
		}),
		...failures(...READ_ERRORS),
	},
});

const downloadRoute = createRoute({
	operationId: 'downloadTask',
	tags,
	method: 'get',
	path: '/v1/catchall/{taskId}/download',
	summary: 'Download scores',
	description:
		'As CSV: Email, Score, Verdict. Only of a completed task, and only until `resultsExpiresAt`. The file is streamed.',
	security,
	request: { params, query: downloadQuery },
	responses: {
		200: csvResponse(
			'RFC 4180; a cell that a spreadsheet would run as a formula begins with an apostrophe',
			VERDICTS_CSV,
		),
		...failures(...READ_ERRORS),
	},
});

/** POST and GET /v1/catchall, GET /v1/catchall/:taskId, its results and its download. */
export function addCatchAll(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, listRoute, READING, entersByDefault, withQuery(pageQuery), list);
	serve(api, paths, createRouteOf, ['lists'], create);
	serve(api, paths, getRoute, READING, entersForTask, async (c) => {
		const data = renderTask(c.var.requireRecord(), c.var.services.clock.now());
		return answer(c, getRoute, { data });
	});
	serve(api, paths, resultsRoute, READING, entersForTask, withQuery(verdictsQuery), results);
	serve(api, paths, downloadRoute, READING, entersForTask, withQuery(downloadQuery), download);
}

async function list(c: QueryContext<typeof pageQuery>): Promise<AnswerTo<typeof listRoute>> {
	const { services, credential } = c.var;
	const query = { kind: 'catchall', ...c.req.valid('query') } as const;
	const { jobs, pagination } = await listJobs(services, credential, query);
	const now = services.clock.now();
	return answer(c, listRoute, { data: { tasks: jobs.map((task) => renderTask(task, now)), pagination } });
}

async function download(c: QueryContext<typeof downloadQuery>): Promise<AnswerTo<typeof downloadRoute>> {
	const { verdict } = c.req.valid('query');
	const task = c.var.requireRecord();
	const body = downloadVerdicts(c.var.services, { task, list: listOf(verdict) });
	const name = verdict === undefined ? task.jobId : `${task.jobId}-${verdict}`;
	return answerFile(c, downloadRoute, { name: `${name}.csv`, body, type: 'text/csv; charset=utf-8' });
}

async function create(c: AppContext): Promise<AnswerTo<typeof createRouteOf>> {
	await enter(c, 'batch');
	const body = await readJson(c, taskRequest, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	const { services, requestId, credential } = c.var;
	const idempotencyKey = readIdempotencyKey(c);
	const creating = createTask(services, credential, {
		sourceJobId: body.value.jobId,
		name: body.value.name ?? null,
		idempotencyKey,
		requestId,
	});
	return answerAccepted(c, createRouteOf, creating);
}

async function results(c: QueryContext<typeof verdictsQuery>): Promise<AnswerTo<typeof resultsRoute>> {
	const { page, limit, verdict } = c.req.valid('query');
	const task = c.var.requireRecord();
	const { services } = c.var;
	const { results: rows, pagination } = await readVerdicts(services, {
		job: task,
		page,
		limit,
		list: listOf(verdict),
	});
	const data = { task: shortOf(renderTask(task, services.clock.now())), results: rows, pagination };
	return answer(c, resultsRoute, { data });
}

/** The task as its results tell of it. */
function shortOf({ taskId, status, totalEmails, verdictCounts, resultsExpiresAt }: DeepReadonly<Task>) {
	return { taskId, status, totalEmails, verdictCounts, resultsExpiresAt };
}

function listOf(verdict: 'valid' | 'invalid' | undefined): ResultList {
	return verdict === undefined ? 'all' : STATUS_OF_VERDICT[verdict];
}
