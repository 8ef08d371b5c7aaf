import { z } from '@hono/zod-openapi';
import { API_ERROR_CODES, ERRORS } from '../../core/errors/error-table.ts';
import type { ApiErrorCode } from '../../core/errors/error-table.ts';
import type { ErrorDetails } from '../../errors.ts';
import { creditCount } from './fields.ts';

// The forms of all answers: of a success, and of an error.

const requestId = z
	.string()
	.describe('The name of the request, as in X-Request-Id: tell it when you ask us about the answer')
	.openapi({ example: 'req_1f0c' });

const leastMeta = z.object({ requestId }).openapi('Meta', { description: 'About the request' });

/** The envelope of a success. `meta` always has `requestId`. */
export function success<D extends z.ZodType, M extends z.ZodRawShape>(data: D, meta: M) {
	const more = Object.keys(meta).length > 0;
	return z.object({
		success: z.literal(true).describe('Always true'),
		data,
		meta: (more ? z.object({ requestId, ...meta }).describe('About the request') : leastMeta) as z.ZodObject<
			M & { requestId: typeof requestId }
		>,
	});
}

const CODES = API_ERROR_CODES.map((code) => `- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].when}`);

const errorCode = z.string().openapi('ErrorCode', {
	description: `A stable word for programs. New ones may come: go by the status then.\n${CODES.join('\n')}`,
	pattern: '^[a-z_]+$',
	example: 'job_not_completed',
});

const REFERENCE = 'https://api.mailsonar.example/docs/reference';
const inEmails = { param: 'emails', docs: `${REFERENCE}/createJob` };
const DETAILS: Readonly<Partial<Record<ApiErrorCode, ErrorDetails & { readonly docs?: string }>>> = {
	missing_parameter: { param: 'jobId', docs: `${REFERENCE}/createTask` },
	invalid_parameter: { param: 'limit', docs: `${REFERENCE}/getJobResults` },
	invalid_idempotency_key: { param: 'Idempotency-Key', docs: `${REFERENCE}/verifyAddress` },
	malformed_email: { param: 'email', docs: `${REFERENCE}/verifyAddress` },
	no_emails: inEmails,
	too_many_emails: inEmails,
	no_valid_emails: inEmails,
	insufficient_credits: { required: 17, available: 5 },
	job_not_completed: { status: 'processing' },
	task_not_completed: { status: 'processing' },
	job_failed: { status: 'failed' },
	task_failed: { status: 'failed' },
};

/** The body of an error, as an example. */
export function exampleOfError(code: ApiErrorCode): object {
	const { says } = ERRORS[code];
	if (code === 'rate_limited') return { success: false, message: says };
	return { success: false, error: says, message: says, code, requestId: 'req_1f0c', ...DETAILS[code] };
}

const failure = z
	.object({
		success: z.literal(false).describe('Always false'),
		error: z.string().describe('What is wrong, for people. The words may change'),
		message: z.string().describe('The same text as `error`, for clients that read this field'),
		code: errorCode,
		requestId,
		param: z
			.string()
			.optional()
			.describe('Where one field, query parameter or header is wrong: its name, such as `emails[3]`'),
		docs: z.string().optional().describe('Beside `param`: the page of the call in the reference'),
	})
	.openapi('Error', {
		description: 'Why there is no answer',
		example: { ...exampleOfError('api_key_invalid') },
	});

export const jobStatus = z.enum(['processing', 'completed', 'failed']).openapi('JobStatus', {
	description: 'The state of a job or a task. Results can be read once it is `completed`',
});

/** A 409 names the current status of the job; one about an Idempotency-Key used for another request has none. */
const notReady = z.object({ ...failure.shape, status: jobStatus.optional() }).openapi('NotReady', {
	description: 'The job or task is not in the required state, or the Idempotency-Key was used otherwise',
	example: { ...exampleOfError('job_not_completed') },
});

const insufficientCredits = z
	.object({
		...failure.shape,
		required: creditCount.describe('What the work needs, in credits'),
		available: creditCount.describe('What there is, in credits'),
	})
	.openapi('InsufficientCredits', {
		description: 'The work needs more credits than are available',
		example: { ...exampleOfError('insufficient_credits') },
	});

const rateLimited = z
	.object({
		success: z.literal(false).describe('Always false'),
		message: z.string().describe('What is wrong, for people'),
	})
	.openapi('RateLimited', {
		description: 'The window is used up: wait RateLimit-Reset seconds',
		example: { ...exampleOfError('rate_limited') },
	});

/** The forms of errors by their names in the OpenAPI document. */
export const ERROR_FORMS = {
	Error: failure,
	InsufficientCredits: insufficientCredits,
	NotReady: notReady,
	RateLimited: rateLimited,
} as const;

/** The body of most errors. */
export type Failure = z.infer<typeof failure>;

/** The version of the API and of its changelog. */
export const API_VERSION = '0.1.0';
