import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { PRICE, inCredits } from '../../core/credits/price.ts';
import { STATUS_OF_VERDICT } from '../../core/jobs/render-verdict.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { listJobs } from '../../operations/jobs/list-jobs.ts';
import { createTask } from '../../operations/tasks/create-task.ts';
import { downloadVerdicts } from '../../operations/tasks/download-verdicts.ts';
import { readVerdicts } from '../../operations/tasks/read-verdicts.ts';
import { enter } from '../admission.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import {
	answerAccepted,
	entersByDefault,
	idempotencyHeader,
	readIdempotencyKey,
	withQuery,
	withRecord,
} from '../job-requests.ts';
import type { QueryContext } from '../job-requests.ts';
import { pageQuery } from '../job-schemas.ts';
import { readJson } from '../read-json.ts';
import { renderTask } from '../render-task.ts';
import { csvResponse, failures, jsonResponse } from '../responses.ts';
import { success } from '../schemas.ts';
import {
	downloadQuery,
	task as taskSchema,
	taskRequest,
	tasksPage,
	verdictsPage,
	verdictsQuery,
} from '../task-schemas.ts';

const BODY_OCTETS_MAX = 16_384;

const entersForTask = withRecord('default', 'catchall', 'taskId');
const security = [{ bearer: [] }, { apiKey: [] }];
const params = z.object({ taskId: z.string().openapi({ example: 'cat_1f0c' }) });
const created = success(taskSchema, {
	previousTaskId: z
		.string()
		.nullable()
		.openapi({ description: 'The last task that was made from this job before, or null' }),
});

const createRouteOf = createRoute({
	operationId: 'createTask',
	method: 'post',
	path: '/v1/catchall',
	summary: "Verify a completed job's catch-all addresses again, with a score",
	description: `${inCredits(PRICE.catchall)} per catch-all address of the job; each \`unknown\` is refunded.`,
	security,
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { 'application/json': { schema: taskRequest } } },
	},
	responses: { 202: jsonResponse('The task', created), ...failures(400, 402, 404, 409, 410, 503) },
});

const getRoute = createRoute({
	operationId: 'getTask',
	method: 'get',
	path: '/v1/catchall/{taskId}',
	summary: 'How a task stands',
	security,
	request: { params },
	responses: { 200: jsonResponse('The task', success(taskSchema, {})), ...failures(404, 503) },
});

const listed = success(tasksPage, {});

const listRoute = createRoute({
	operationId: 'listTasks',
	method: 'get',
	path: '/v1/catchall',
	summary: 'Your catch-all tasks, newest first',
	security,
	request: { query: pageQuery },
	responses: { 200: jsonResponse('A page', listed), ...failures(400, 503) },
});

const resultsRoute = createRoute({
	operationId: 'getTaskResults',
	method: 'get',
	path: '/v1/catchall/{taskId}/results',
	summary: 'A page of scores, each with the breakdown that adds up to it',
	security,
	request: { params, query: verdictsQuery },
	responses: {
		200: jsonResponse('A page', success(verdictsPage, {})),
		...failures(400, 404, 409, 410, 503),
	},
});

const downloadRoute = createRoute({
	operationId: 'downloadTask',
	method: 'get',
	path: '/v1/catchall/{taskId}/download',
	summary: 'The scores as CSV: Email, Score, Verdict',
	security,
	request: { params, query: downloadQuery },
	responses: {
		200: csvResponse('RFC 4180. A cell that a spreadsheet would run as a formula begins with an apostrophe.'),
		...failures(400, 404, 409, 410, 503),
	},
});

/** POST and GET /v1/catchall, GET /v1/catchall/:taskId, its results and its download. */
export function addCatchAll(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, listRoute, entersByDefault, withQuery(pageQuery), list);
	serve(api, paths, createRouteOf, create);
	serve(api, paths, getRoute, entersForTask, async (c) => {
		const data = renderTask(c.var.requireRecord(), c.var.services.clock.now());
		return c.json({ success: true, data, meta: { requestId: c.var.requestId } }, 200);
	});
	serve(api, paths, resultsRoute, entersForTask, withQuery(verdictsQuery), results);
	serve(api, paths, downloadRoute, entersForTask, withQuery(downloadQuery), download);
}

async function list(c: QueryContext<typeof pageQuery>): Promise<Response> {
	const { services, requestId, credential } = c.var;
	const asked = { kind: 'catchall', ...c.req.valid('query') } as const;
	const { jobs, pagination } = await listJobs(services, credential, asked);
	const now = services.clock.now();
	const data = { tasks: jobs.map((task) => renderTask(task, now)), pagination };
	const body = { success: true, data, meta: { requestId } } as const;
	return c.json(body satisfies z.infer<typeof listed>, 200);
}

async function download(c: QueryContext<typeof downloadQuery>): Promise<Response> {
	const { verdict } = c.req.valid('query');
	const task = c.var.requireRecord();
	const body = downloadVerdicts(c.var.services, { task, list: listOf(verdict) });
	const name = verdict === undefined ? task.jobId : `${task.jobId}-${verdict}`;
	return c.body(body, 200, {
		'content-type': 'text/csv; charset=utf-8',
		'content-disposition': `attachment; filename="${name}.csv"`,
	});
}

async function create(c: AppContext): Promise<Response> {
	await enter(c, 'batch');
	const body = await readJson(c, taskRequest, BODY_OCTETS_MAX);
	if (!body.ok) throw body.error;
	const { services, requestId, credential } = c.var;
	const idempotencyKey = readIdempotencyKey(c);
	services.requireProber();
	const creating = createTask(services, credential, {
		sourceJobId: body.value.jobId,
		name: body.value.name ?? null,
		idempotencyKey,
		render: (task, previousTaskId) => {
			const answer: z.infer<typeof created> = {
				success: true,
				data: renderTask(task, task.createdAt),
				meta: { requestId, previousTaskId },
			};
			return JSON.stringify(answer);
		},
	});
	return answerAccepted(c, creating);
}

async function results(c: QueryContext<typeof verdictsQuery>): Promise<Response> {
	const { page, limit, verdict } = c.req.valid('query');
	const task = c.var.requireRecord();
	const { services, requestId } = c.var;
	const { results: rows, pagination } = await readVerdicts(services, {
		job: task,
		page,
		limit,
		list: listOf(verdict),
	});
	const { taskId, status, totalEmails, verdictCounts, resultsExpiresAt } = renderTask(
		task,
		services.clock.now(),
	);
	const about = { taskId, status, totalEmails, verdictCounts, resultsExpiresAt };
	const data = { task: about, results: rows, pagination };
	return c.json({ success: true, data, meta: { requestId } }, 200);
}

function listOf(verdict: 'valid' | 'invalid' | undefined): ResultList {
	return verdict === undefined ? 'all' : STATUS_OF_VERDICT[verdict];
}
