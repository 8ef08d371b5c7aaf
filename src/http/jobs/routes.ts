import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import { csvLine } from '../../core/csv/write.ts';
import { READING } from '../../core/keys/scopes.ts';
import { finished } from '../../lib/log.ts';
import { createJobOnce } from '../../operations/jobs/create-job.ts';
import { deleteResults, finishJob } from '../../operations/jobs/manage-job.ts';
import { EXPORT_HEAD, exportCells, exportResults } from '../../operations/jobs/export-results.ts';
import { listJobs, readRejected, readResults } from '../../operations/jobs/read-job.ts';
import { enter } from '../admission.ts';
import { answer, answerAccepted, answerFile, answerNothing } from '../answer.ts';
import type { AnswerTo } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { COMPLETED_JOB, DELIVERABLE, JOB, META, RISKY, onePage } from '../examples.ts';
import { entersByDefault, idempotencyHeader, readIdempotencyKey, withQuery, withRecord } from './requests.ts';
import type { QueryContext } from './requests.ts';
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
} from './schemas.ts';
import type { Tag } from '../openapi.ts';
import { readJsonList } from '../read-json.ts';
import { renderJob } from '../render.ts';
import type { Job } from '../render.ts';
import {
	BODY_ERRORS,
	IDEMPOTENCY_ERRORS,
	emptyResponse,
	failures,
	jsonResponse,
	rowsResponse,
} from '../responses.ts';
import type { DeepReadonly } from '../responses.ts';
import { success } from '../schemas.ts';

const BODY_LIMITS = { octetsMax: 14 * 1024 * 1024, list: 'emails', elementsMax: EMAILS_MAX } as const;

const entersForJob = withRecord('polling', 'verification', 'jobId');
// Only status and results count as polling.
const managesJob = withRecord('default', 'verification', 'jobId');
const tags = ['Lists' satisfies Tag];
const security = [{ bearer: [] }, { apiKey: [] }];
/** A row of the example's list. */
const ROW = { index: 0, ...DELIVERABLE };
const jobParams = z.object({
	jobId: z.string().describe('The id of the job').openapi({ example: 'job_1f0c' }),
});

const createRouteOf = createRoute({
	operationId: 'createJob',
	tags,
	method: 'post',
	path: '/v1/verify-batch',
	summary: 'Verify a list',
	description: `Up to 50,000 addresses. Duplicates and malformed addresses are removed. ${inCredits(PRICE.verification)} per address; each \`unknown\` is refunded.`,
	security,
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { 'application/json': { schema: batchRequest } } },
	},
	responses: {
		202: jsonResponse(
			'The job',
			success(jobSchema, createdMeta),
			{
				job: {
					summary: 'Two addresses of three, since one came twice',
					value: {
						success: true,
						data: JOB,
						meta: { ...META, acceptedEmails: 2, rejectedEmails: 1, duplicateEmails: 1, invalidEmails: 0 },
					},
				},
			},
			'Idempotent-Replayed',
		),
		...failures(
			...BODY_ERRORS,
			...IDEMPOTENCY_ERRORS,
			'no_emails',
			'too_many_emails',
			'no_valid_emails',
			'insufficient_credits',
		),
	},
});

const getRoute = createRoute({
	operationId: 'getJob',
	tags,
	method: 'get',
	path: '/v1/jobs/{jobId}',
	summary: 'Read a job',
	description: 'Ask every 10 to 15 seconds until `status` is no longer `processing`.',
	security,
	request: { params: jobParams },
	responses: {
		200: jsonResponse('The job', success(jobSchema, {}), {
			processing: { summary: 'A job that runs', value: { success: true, data: JOB, meta: META } },
			completed: {
				summary: 'A job with all its answers',
				value: { success: true, data: COMPLETED_JOB, meta: META },
			},
		}),
		...failures('job_not_found'),
	},
});

const resultsRoute = createRoute({
	operationId: 'getJobResults',
	tags,
	method: 'get',
	path: '/v1/jobs/{jobId}/results',
	summary: 'Read results',
	description:
		'A page, in the order in which the addresses were sent. Only of a completed job, and only until `resultsExpiresAt`.',
	security,
	request: { params: jobParams, query: resultsQuery },
	responses: {
		200: jsonResponse('A page', success(resultsPage, {}), {
			page: {
				summary: 'Both rows of a list',
				value: {
					success: true,
					data: {
						job: shortOf(COMPLETED_JOB),
						results: [ROW, { index: 1, ...RISKY }],
						pagination: onePage(2),
					},
					meta: META,
				},
			},
		}),
		...failures('invalid_parameter', 'job_not_found', 'job_not_completed', 'job_failed', 'results_expired'),
	},
});

const listRoute = createRoute({
	operationId: 'listJobs',
	tags,
	method: 'get',
	path: '/v1/jobs',
	summary: 'List jobs',
	description: 'Newest first, also those whose results have expired: the job itself stays with its counters.',
	security,
	request: { query: jobsQuery },
	responses: {
		200: jsonResponse('A page', success(jobsPage, {}), {
			page: {
				summary: 'The only job of an account',
				value: { success: true, data: { jobs: [COMPLETED_JOB], pagination: onePage(1) }, meta: META },
			},
		}),
		...failures('invalid_parameter'),
	},
});

const downloadRoute = createRoute({
	operationId: 'downloadJob',
	tags,
	method: 'get',
	path: '/v1/jobs/{jobId}/download',
	summary: 'Download results',
	description:
		'All in one file, in the order in which the addresses were sent. Streamed. In `csv` a cell that a spreadsheet would run as a formula begins with an apostrophe, numbers and telephone numbers aside.',
	security,
	request: { params: jobParams, query: exportQuery },
	responses: {
		200: rowsResponse('The file', {
			csv: csvLine(EXPORT_HEAD) + csvLine(exportCells(ROW)),
			jsonl: `${JSON.stringify(ROW)}\n`,
		}),
		...failures('invalid_parameter', 'job_not_found', 'job_not_completed', 'job_failed', 'results_expired'),
	},
});

const rejectedRoute = createRoute({
	operationId: 'getRejected',
	tags,
	method: 'get',
	path: '/v1/jobs/{jobId}/rejected',
	summary: 'List rejected addresses',
	description:
		'A page of what was taken out of the list: duplicates and malformed addresses. From the creation of the job until its results expire.',
	security,
	request: { params: jobParams, query: pageQuery },
	responses: {
		200: jsonResponse('A page', success(rejectedPage, {}), {
			page: {
				summary: 'An address that came twice',
				value: {
					success: true,
					data: {
						rejected: [{ index: 2, value: 'Info@Acme.com', reason: 'duplicate', duplicateOf: 0 }],
						pagination: onePage(1),
					},
					meta: META,
				},
			},
		}),
		...failures('invalid_parameter', 'job_not_found', 'results_expired'),
	},
});

const finishRoute = createRoute({
	operationId: 'finishJob',
	tags,
	method: 'post',
	path: '/v1/jobs/{jobId}/finish',
	summary: 'Finish a job',
	description:
		'Ends it early. What is not answered yet becomes `unknown` with sub_status `not_asked`, and is refunded. The answers so far can be read at once. Of a completed job it changes nothing.',
	security,
	request: { params: jobParams },
	responses: {
		200: jsonResponse('The job', success(jobSchema, {}), {
			completed: {
				summary: 'A job that had all its answers',
				value: { success: true, data: COMPLETED_JOB, meta: META },
			},
		}),
		...failures('job_not_found', 'job_failed'),
	},
});

const deleteRoute = createRoute({
	operationId: 'deleteJob',
	tags,
	method: 'delete',
	path: '/v1/jobs/{jobId}',
	summary: 'Delete a job',
	description:
		'The list and the results of a job that has ended are gone at once: reading them is a 410 from now on. The job itself stays with its counters. A job that runs is a 409: finish it first.',
	security,
	request: { params: jobParams },
	responses: { 204: emptyResponse('They are deleted'), ...failures('job_not_found', 'job_not_completed') },
});

/** POST /v1/verify-batch, GET /v1/jobs, and all below /v1/jobs/:jobId. */
export function addJobs(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, createRouteOf, ['lists'], create);
	serve(api, paths, getRoute, READING, entersForJob, async (c) => {
		const data = renderJob(c.var.requireRecord(), c.var.services.clock.now());
		return answer(c, getRoute, { data });
	});
	serve(api, paths, resultsRoute, READING, entersForJob, withQuery(resultsQuery), results);
	serve(api, paths, listRoute, READING, entersByDefault, withQuery(jobsQuery), list);
	serve(api, paths, downloadRoute, READING, managesJob, withQuery(exportQuery), download);
	serve(api, paths, rejectedRoute, READING, managesJob, withQuery(pageQuery), rejected);
	serve(api, paths, finishRoute, ['lists'], managesJob, finish);
	serve(api, paths, deleteRoute, ['lists'], managesJob, async (c) => {
		await deleteResults(c.var.services, c.var.credential, { job: c.var.requireRecord() });
		return answerNothing(deleteRoute, c);
	});
}

async function list(c: QueryContext<typeof jobsQuery>): Promise<AnswerTo<typeof listRoute>> {
	const { services, credential } = c.var;
	const { jobs, pagination } = await listJobs(services, credential, c.req.valid('query'));
	const now = services.clock.now();
	return answer(c, listRoute, { data: { jobs: jobs.map((job) => renderJob(job, now)), pagination } });
}

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

async function download(c: QueryContext<typeof exportQuery>): Promise<AnswerTo<typeof downloadRoute>> {
	const { format, status } = c.req.valid('query');
	const request = { job: c.var.requireRecord(), list: status ?? 'all', format } as const;
	const { fileName: name, body } = await exportResults(c.var.services, request);
	return answerFile(c, downloadRoute, { name, body, type: MEDIA_TYPES[format] });
}

async function rejected(c: QueryContext<typeof pageQuery>): Promise<AnswerTo<typeof rejectedRoute>> {
	const request = { job: c.var.requireRecord(), ...c.req.valid('query') };
	const { rejected: found, pagination } = await readRejected(c.var.services, request);
	// Rows of a file are for people: a program knows its list by positions.
	const rows = found.map(({ index, value, reason, duplicateOf }) => ({ index, value, reason, duplicateOf }));
	const data = { rejected: rows, pagination };
	return answer(c, rejectedRoute, { data });
}

async function finish(c: AppContext): Promise<AnswerTo<typeof finishRoute>> {
	const { services, credential } = c.var;
	const finishing = finishJob(services, credential, { job: c.var.requireRecord() });
	// It is finished even if the client disconnects.
	c.executionCtx.waitUntil(finished(finishing));
	return answer(c, finishRoute, { data: renderJob(await finishing, services.clock.now()) });
}

async function results(c: QueryContext<typeof resultsQuery>): Promise<AnswerTo<typeof resultsRoute>> {
	const { page, limit, status, explain } = c.req.valid('query');
	const job = c.var.requireRecord();
	const { services } = c.var;
	const { results: rows, pagination } = await readResults(services, {
		explain: explain === 'true',
		job,
		page,
		limit,
		list: status ?? 'all',
	});
	const data = { job: shortOf(renderJob(job, services.clock.now())), results: rows, pagination };
	return answer(c, resultsRoute, { data });
}

async function create(c: AppContext): Promise<AnswerTo<typeof createRouteOf>> {
	// Before a long body is read, so that a refused request costs no more than its answer.
	await enter(c, 'batch');
	const body = await readJsonList(c, batchRequest, BODY_LIMITS);
	if (!body.ok) throw body.error;
	const idempotencyKey = readIdempotencyKey(c);
	const { services, requestId, credential } = c.var;
	const creating = createJobOnce(services, credential, {
		emails: body.value.emails,
		name: body.value.name ?? null,
		rescuesCatchAll: body.value.validationFlags?.auto_catchall_rescue ?? false,
		idempotencyKey,
		dedupe: body.value.dedupe ?? 'address',
		requestId,
	});
	return answerAccepted(c, createRouteOf, creating);
}

/** The job as its results tell of it. */
function shortOf({
	jobId,
	status,
	name,
	totalEmails,
	processedEmails,
	completedAt,
	resultsExpiresAt,
}: DeepReadonly<Job>) {
	return { jobId, status, name, totalEmails, processedEmails, completedAt, resultsExpiresAt };
}
