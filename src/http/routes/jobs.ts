import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { PRICE, inCredits } from '../../core/credits/price.ts';
import { createJob } from '../../operations/jobs/create-job.ts';
import { readResults } from '../../operations/jobs/read-results.ts';
import { enter } from '../admission.ts';
import { answer, answerAccepted, successText } from '../answer.ts';
import type { AnswerTo } from '../answer.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { serve } from '../endpoint.ts';
import type { KnownPaths } from '../endpoint.ts';
import { COMPLETED_JOB, DELIVERABLE, JOB, META, RISKY, onePage } from '../examples.ts';
import { idempotencyHeader, readIdempotencyKey, withQuery, withRecord } from '../job-requests.ts';
import type { QueryContext } from '../job-requests.ts';
import {
	EMAILS_MAX,
	batchRequest,
	createdMeta,
	job as jobSchema,
	resultsPage,
	resultsQuery,
} from '../job-schemas.ts';
import type { Tag } from '../openapi.ts';
import { readJsonList } from '../read-json.ts';
import { renderJob } from '../render-job.ts';
import type { Job } from '../render-job.ts';
import { BODY_ERRORS, IDEMPOTENCY_ERRORS, failures, jsonResponse } from '../responses.ts';
import type { DeepReadonly } from '../responses.ts';
import { success } from '../schemas.ts';

const BODY_LIMITS = { octetsMax: 14 * 1024 * 1024, list: 'emails', elementsMax: EMAILS_MAX } as const;

const entersForJob = withRecord('polling', 'verification', 'jobId');
const tags = ['Lists' satisfies Tag];
const security = [{ bearer: [] }, { apiKey: [] }];
const jobParams = z.object({
	jobId: z.string().describe('The id of the job').openapi({ example: 'job_1f0c' }),
});

const createRouteOf = createRoute({
	operationId: 'createJob',
	tags,
	method: 'post',
	path: '/v1/verify-batch',
	summary: 'Verify up to 50,000 addresses',
	description: `Duplicates and malformed addresses are removed. ${inCredits(PRICE.verification)} per address; each \`unknown\` is refunded.`,
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
	summary: 'How a job stands',
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
	summary: 'A page of results, in the order in which the addresses were sent',
	description: 'Only of a completed job, and only until `resultsExpiresAt`.',
	security,
	request: { params: jobParams, query: resultsQuery },
	responses: {
		200: jsonResponse('A page', success(resultsPage, {}), {
			page: {
				summary: 'Both rows of a list',
				value: {
					success: true,
					data: { job: shortOf(COMPLETED_JOB), results: [DELIVERABLE, RISKY], pagination: onePage(2) },
					meta: META,
				},
			},
		}),
		...failures('invalid_parameter', 'job_not_found', 'job_not_completed', 'job_failed', 'results_expired'),
	},
});

/** POST /v1/verify-batch, GET /v1/jobs/:jobId and its results. */
export function addJobs(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	serve(api, paths, createRouteOf, create);
	serve(api, paths, getRoute, entersForJob, async (c) => {
		const data = renderJob(c.var.requireRecord(), c.var.services.clock.now());
		return answer(c, getRoute, { data });
	});
	serve(api, paths, resultsRoute, entersForJob, withQuery(resultsQuery), results);
}

async function results(c: QueryContext<typeof resultsQuery>): Promise<AnswerTo<typeof resultsRoute>> {
	const { page, limit, status } = c.req.valid('query');
	const job = c.var.requireRecord();
	const { services } = c.var;
	const { results: rows, pagination } = await readResults(services, {
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
	services.requireProber();
	const creating = createJob(services, credential, {
		emails: body.value.emails,
		name: body.value.name ?? null,
		idempotencyKey,
		render: (job) => {
			const data = renderJob(job, job.createdAt);
			const { acceptedEmails, rejectedEmails, duplicateEmails, invalidEmails } = data;
			const meta = { acceptedEmails, rejectedEmails, duplicateEmails, invalidEmails };
			return successText(createRouteOf, requestId, { data, meta });
		},
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
