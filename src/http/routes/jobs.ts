import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { PRICE, inCredits } from '../../core/credits/price.ts';
import { createJob } from '../../operations/jobs/create-job.ts';
import { deleteResults } from '../../operations/jobs/delete-results.ts';
import { exportResults } from '../../operations/jobs/export-results.ts';
import { finishJob } from '../../operations/jobs/finish-job.ts';
import { listJobs } from '../../operations/jobs/list-jobs.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { readRejected } from '../../operations/jobs/read-rejected.ts';
import { readResults } from '../../operations/jobs/read-results.ts';
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
import {
	EMAILS_MAX,
	batchRequest,
	createdMeta,
	exportQuery,
	job as jobSchema,
	jobsPage,
	jobsQuery,
	pageQuery,
	rejectedPage,
	resultsPage,
	resultsQuery,
	wantsRescue,
} from '../job-schemas.ts';
import { readJsonList } from '../read-json.ts';
import { renderJob } from '../render-job.ts';
import { emptyResponse, failures, jsonResponse, rowsResponse } from '../responses.ts';
import { success } from '../schemas.ts';

const BODY_LIMITS = { octetsMax: 14 * 1024 * 1024, list: 'emails', elementsMax: EMAILS_MAX } as const;

const entersForJob = withRecord('polling', 'verification', 'jobId');
// Only status and results count as polling.
const managesJob = withRecord('default', 'verification', 'jobId');
const security = [{ bearer: [] }, { apiKey: [] }];
const jobParams = z.object({ jobId: z.string().openapi({ example: 'job_1f0c' }) });
const created = success(jobSchema, createdMeta);

const createRouteOf = createRoute({
	operationId: 'createJob',
	method: 'post',
	path: '/v1/verify-batch',
	summary: 'Verify up to 50,000 addresses',
	description: `Duplicates and malformed addresses are removed. ${inCredits(PRICE.verification)} per address; each \`unknown\` is refunded.`,
	security,
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { 'application/json': { schema: batchRequest } } },
	},
	responses: { 202: jsonResponse('The job', created), ...failures(400, 402, 409, 503) },
});

const getRoute = createRoute({
	operationId: 'getJob',
	method: 'get',
	path: '/v1/jobs/{jobId}',
	summary: 'How a job stands',
	security,
	request: { params: jobParams },
	responses: { 200: jsonResponse('The job', success(jobSchema, {})), ...failures(404, 503) },
});

const resultsRoute = createRoute({
	operationId: 'getJobResults',
	method: 'get',
	path: '/v1/jobs/{jobId}/results',
	summary: 'A page of results, in the order in which the addresses were sent',
	security,
	request: { params: jobParams, query: resultsQuery },
	responses: { 200: jsonResponse('A page', success(resultsPage, {})), ...failures(400, 404, 409, 410, 503) },
});

const listed = success(jobsPage, {});

const listRoute = createRoute({
	operationId: 'listJobs',
	method: 'get',
	path: '/v1/jobs',
	summary: 'Your jobs, newest first',
	security,
	request: { query: jobsQuery },
	responses: { 200: jsonResponse('A page', listed), ...failures(400, 503) },
});

const downloadRoute = createRoute({
	operationId: 'downloadJob',
	method: 'get',
	path: '/v1/jobs/{jobId}/download',
	summary: 'All results in one file, in the order in which the addresses were sent',
	description:
		'`csv` has a column for each field; a cell that a spreadsheet would run as a formula begins with an apostrophe, numbers and telephone numbers aside. `jsonl` has a line of JSON for each address, as in the pages of results.',
	security,
	request: { params: jobParams, query: exportQuery },
	responses: { 200: rowsResponse('The file'), ...failures(400, 404, 409, 410, 503) },
});

const rejectedRoute = createRoute({
	operationId: 'getRejected',
	method: 'get',
	path: '/v1/jobs/{jobId}/rejected',
	summary: 'A page of what was taken out of the list: duplicates and malformed addresses',
	description: 'From the creation of the job until its results expire.',
	security,
	request: { params: jobParams, query: pageQuery },
	responses: { 200: jsonResponse('A page', success(rejectedPage, {})), ...failures(400, 404, 410, 503) },
});

const finishRoute = createRoute({
	operationId: 'finishJob',
	method: 'post',
	path: '/v1/jobs/{jobId}/finish',
	summary: 'End a job early',
	description:
		'What is not answered yet becomes `unknown` with sub_status `not_asked`, and is refunded. The answers so far can be read at once. Of a completed job it changes nothing.',
	security,
	request: { params: jobParams },
	responses: { 200: jsonResponse('The job', success(jobSchema, {})), ...failures(404, 409, 503) },
});

const deleteRoute = createRoute({
	operationId: 'deleteJob',
	method: 'delete',
	path: '/v1/jobs/{jobId}',
	summary: 'Delete the list and the results of a job that has ended',
	description:
		'They are gone at once: reading them is a 410 from now on. The job itself stays with its counters. A job that runs is a 409: finish it first.',
	security,
	request: { params: jobParams },
	responses: { 204: emptyResponse('They are deleted'), ...failures(404, 409, 503) },
});

/** POST /v1/verify-batch, GET /v1/jobs, and all below /v1/jobs/:jobId. */
export function addJobs(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, createRouteOf, create);
	serve(api, paths, getRoute, entersForJob, async (c) => {
		const data = renderJob(c.var.requireRecord(), c.var.services.clock.now());
		return c.json({ success: true, data, meta: { requestId: c.var.requestId } }, 200);
	});
	serve(api, paths, resultsRoute, entersForJob, withQuery(resultsQuery), results);
	serve(api, paths, listRoute, entersByDefault, withQuery(jobsQuery), list);
	serve(api, paths, downloadRoute, managesJob, withQuery(exportQuery), download);
	serve(api, paths, rejectedRoute, managesJob, withQuery(pageQuery), rejected);
	serve(api, paths, finishRoute, managesJob, finish);
	serve(api, paths, deleteRoute, managesJob, async (c) => {
		await deleteResults(c.var.services, c.var.credential, { job: c.var.requireRecord() });
		return c.body(null, 204);
	});
}

async function list(c: QueryContext<typeof jobsQuery>): Promise<Response> {
	const { services, requestId, credential } = c.var;
	const { jobs, pagination } = await listJobs(services, credential, c.req.valid('query'));
	const now = services.clock.now();
	const data = { jobs: jobs.map((job) => renderJob(job, now)), pagination };
	const body = { success: true, data, meta: { requestId } } as const;
	return c.json(body satisfies z.infer<typeof listed>, 200);
}

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

async function download(c: QueryContext<typeof exportQuery>): Promise<Response> {
	const { format, status } = c.req.valid('query');
	const request = { job: c.var.requireRecord(), list: status ?? 'all', format } as const;
	const { fileName, body } = await exportResults(c.var.services, request);
	return c.body(body, 200, {
		'content-type': MEDIA_TYPES[format],
		'content-disposition': `attachment; filename="${fileName}"`,
	});
}

async function rejected(c: QueryContext<typeof pageQuery>): Promise<Response> {
	const request = { job: c.var.requireRecord(), ...c.req.valid('query') };
	const page = await readRejected(c.var.services, request);
	const data = { rejected: [...page.rejected], pagination: page.pagination };
	return c.json({ success: true, data, meta: { requestId: c.var.requestId } }, 200);
}

async function finish(c: AppContext): Promise<Response> {
	const { services, requestId, credential } = c.var;
	const finishing = finishJob(services, credential, { job: c.var.requireRecord() });
	// It is finished even if the client disconnects.
	c.executionCtx.waitUntil(finishing.catch(() => {}));
	const data = renderJob(await finishing, services.clock.now());
	return c.json({ success: true, data, meta: { requestId } }, 200);
}

async function results(c: QueryContext<typeof resultsQuery>): Promise<Response> {
	const { page, limit, status } = c.req.valid('query');
	const job = c.var.requireRecord();
	const { services, requestId } = c.var;
	const { results: rows, pagination } = await readResults(services, {
		job,
		page,
		limit,
		list: status ?? 'all',
	});
	const { jobId, name, totalEmails, processedEmails, completedAt, resultsExpiresAt } = renderJob(
		job,
		services.clock.now(),
	);
	const about = {
		jobId,
		status: job.status,
		name,
		totalEmails,
		processedEmails,
		completedAt,
		resultsExpiresAt,
	};
	const body = {
		success: true,
		data: { job: about, results: [...rows], pagination },
		meta: { requestId },
	} as const;
	return c.json(body, 200);
}

async function create(c: AppContext): Promise<Response> {
	// Before a long body is read, so that a refused request costs no more than its answer.
	await enter(c, 'batch');
	const body = await readJsonList(c, batchRequest, BODY_LIMITS);
	if (!body.ok) throw body.error;
	const idempotencyKey = readIdempotencyKey(c);
	const { services, requestId, credential } = c.var;
	services.requireProber();
	const creating = createJob(services, credential, {
		emails: body.value.emails,
		name: body.value.name ?? null,
		rescuesCatchAll: wantsRescue(body.value.validationFlags),
		idempotencyKey,
		render: (job) => JSON.stringify(answerOf(job, requestId)),
	});
	return answerAccepted(c, creating);
}

function answerOf(job: JobRecord, requestId: string): z.infer<typeof created> {
	const { accepted, duplicates, invalid } = job;
	const meta = {
		requestId,
		acceptedEmails: accepted,
		rejectedEmails: duplicates + invalid,
		duplicateEmails: duplicates,
		invalidEmails: invalid,
	};
	return { success: true, data: renderJob(job, job.createdAt), meta };
}
