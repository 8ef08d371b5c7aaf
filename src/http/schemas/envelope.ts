import * as z from 'zod';
import { ERRORS } from '../../core/errors/error-table.ts';
import type { ApiErrorCode } from '../../core/errors/error-table.ts';
import type { ErrorDetails } from '../../errors.ts';
import { component, inCredits, text } from './fields.ts';

// The forms of all answers: of a success, and of an error.

const requestId = text(
	'The name of the request, as in X-Request-Id: tell it when you ask us about the answer',
).openapi({ example: 'req_1f0c' });

const ok = z.literal(true).describe('Always true');
const leastSuccess = z
	.object({ success: ok, meta: z.object({ requestId }).describe('About the request') })
	.openapi('Success');

/** The envelope of a success. `meta` always has `requestId`. */
export function success<D extends z.ZodType, M extends z.ZodRawShape>(data: D, more: M) {
	const meta = z.object({ requestId, ...more }).describe('About the request');
	const all =
		Object.keys(more).length === 0 ? leastSuccess.extend({ data }) : z.object({ success: ok, data, meta });
	return all as unknown as z.ZodObject<{ success: typeof ok; data: D; meta: typeof meta }>;
}

const errorCode = text(
	'A stable word for programs: those of each status are in the examples of its answer. New ones may come: go by the status then',
).openapi('ErrorCode', { pattern: '^[a-z_]+$', example: 'job_not_completed' });

/** The fields beside the text in the examples of errors. */
const DETAILS: Readonly<Partial<Record<ApiErrorCode, ErrorDetails & { readonly docs?: string }>>> = {
	missing_parameter: { param: 'jobId', docs: 'https://api.mailsonar.example/docs/reference/createTask' },
	invalid_parameter: { param: 'limit' },
	invalid_idempotency_key: { param: 'Idempotency-Key' },
	malformed_email: { param: 'email' },
	no_emails: { param: 'emails' },
	too_many_emails: { param: 'emails' },
	no_valid_emails: { param: 'emails' },
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

const failure = component('Error', 'Why there is no answer', exampleOfError('api_key_invalid'), {
	success: z.literal(false).describe('Always false'),
	error: text('What is wrong, for people. The words may change'),
	message: text('The same text as `error`, for clients that read this field'),
	code: errorCode,
	requestId,
	param: text(
		'Where one field, query parameter or header is wrong: its name, such as `emails[3]`',
	).optional(),
	docs: text('Beside `param`: the page of the call in the reference').optional(),
});

export const jobStatus = z.enum(['processing', 'completed', 'failed']).openapi('JobStatus', {
	description: 'The state of a job or a task. Results can be read once it is `completed`',
});

/** A 409 names the current status of the job; one about an Idempotency-Key used for another request has none. */
const notReady = failure.extend({ status: jobStatus.optional() }).openapi('NotReady', {
	description: 'The job or task is not in the required state, or the Idempotency-Key was used otherwise',
	example: { ...exampleOfError('job_not_completed') },
});

const insufficientCredits = failure
	.extend({ required: inCredits('What the work needs'), available: inCredits('What there is') })
	.openapi('InsufficientCredits', {
		description: 'The work needs more credits than are available',
		example: { ...exampleOfError('insufficient_credits') },
	});

const USED_UP = 'The window is used up: wait RateLimit-Reset seconds';
const rateLimited = component('RateLimited', USED_UP, exampleOfError('rate_limited'), {
	success: z.literal(false).describe('Always false'),
	message: text('What is wrong, for people'),
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
