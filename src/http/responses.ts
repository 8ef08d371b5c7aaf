import { z } from '@hono/zod-openapi';
import { ERRORS } from '../core/errors/error-table.ts';
import type { ApiErrorCode, ErrorStatus } from '../core/errors/error-table.ts';
import { creditCount } from './fields.ts';
import { jobStatus } from './jobs/schemas.ts';
import { failure, rateLimited } from './schemas.ts';
import type { ErrorDetails } from '../errors.ts';

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

const whole = { type: 'integer', minimum: 0 } as const;

/** The headers of responses, for the components of the OpenAPI document. */
export const HEADERS = {
	'RateLimit-Limit': { description: 'Requests per window', required: true, schema: whole, example: 300 },
	'RateLimit-Remaining': {
		description: 'Requests left in this window',
		required: true,
		schema: whole,
		example: 299,
	},
	'RateLimit-Reset': {
		description: 'Whole seconds until the window resets',
		required: true,
		schema: whole,
		example: 900,
	},
	'X-Request-Id': {
		description: 'The name of the request: tell it when you ask us about the answer',
		required: true,
		schema: { type: 'string' },
		example: 'req_1f0c',
	},
	'Retry-After': {
		description: 'Whole seconds to wait before trying again',
		required: true,
		schema: whole,
		example: 10,
	},
	'WWW-Authenticate': {
		description: 'How to authenticate (RFC 9110 §11.6.1)',
		required: true,
		schema: { type: 'string' },
		example: 'Bearer',
	},
	Allow: {
		description: 'The methods of this path',
		required: true,
		schema: { type: 'string' },
		example: 'GET, HEAD',
	},
	'Idempotent-Replayed': {
		description: 'Sent with a repeated answer: nothing was made or charged again',
		required: false,
		schema: { type: 'string', pattern: '^true$' },
		example: 'true',
	},
	'Content-Disposition': {
		description: 'The name of the file',
		required: true,
		schema: { type: 'string' },
		example: 'attachment; filename="cat_1f0c.csv"',
	},
} as const;

type HeaderName = keyof typeof HEADERS;

const ALWAYS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'] as const;

function headers(...beside: readonly HeaderName[]) {
	const named = [...ALWAYS, ...beside].map(
		(name) => [name, { $ref: `#/components/headers/${name}` }] as const,
	);
	return Object.fromEntries(named);
}

/** Answers of a call as examples, by name; each must fit the schema. */
type Examples<S extends z.ZodType> = Readonly<
	Record<string, { readonly summary: string; readonly value: DeepReadonly<z.input<S>> }>
>;

/** The same value, promised not to be changed. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** A JSON response with the headers that every response has, and at least one example. */
export function jsonResponse<S extends z.ZodType>(
	description: string,
	schema: S,
	examples: Examples<S>,
	...beside: readonly HeaderName[]
) {
	return {
		description,
		headers: headers(...beside),
		content: { 'application/json': { schema, examples: { ...examples } } },
	};
}

/** A response without a body, with the same headers. */
export function emptyResponse(description: string) {
	return { description, headers: headers() };
}

/** A CSV file with the same headers and its name. */
export function csvResponse(description: string, example: string) {
	const examples = { rows: { summary: 'Two rows', value: example } };
	const schema = z.string().describe('RFC 4180: lines end in CRLF, quotes are doubled');
	return {
		description,
		headers: headers('Content-Disposition'),
		content: { 'text/csv': { schema, examples } },
	};
}

/** A file of results with the same headers and its name, as CSV or with a JSON object a line. */
export function rowsResponse(
	description: string,
	{ csv, jsonl }: { readonly csv: string; readonly jsonl: string },
) {
	const { content, ...response } = csvResponse(description, csv);
	const examples = { rows: { summary: 'A row', value: jsonl } };
	const schema = z.string().describe('One JSON object a line, as in the pages of results');
	return { ...response, content: { ...content, 'application/x-ndjson': { schema, examples } } };
}

const FAILURES: Readonly<Record<ErrorStatus, string>> = {
	400: 'Missing or invalid parameters',
	401: 'API key missing, invalid, revoked or expired',
	402: 'Insufficient credits',
	403: 'The key was made for other calls',
	404: 'Not found in this account',
	405: 'The path exists with another method; Allow names those it has',
	409: 'Not in the required state, or an Idempotency-Key used for another request',
	410: 'The results have expired',
	429: 'Rate limit exceeded; wait RateLimit-Reset seconds',
	500: 'Our own failure; nothing was charged',
	502: 'An upstream service answered nonsense',
	503: 'Temporarily unavailable; Retry-After says when to try again',
};

const BESIDE: Readonly<Partial<Record<ErrorStatus, HeaderName>>> = {
	401: 'WWW-Authenticate',
	405: 'Allow',
	429: 'Retry-After',
	503: 'Retry-After',
};

/** The errors of reading a JSON body. */
export const BODY_ERRORS = [
	'invalid_json',
	'unsupported_media_type',
	'unsupported_encoding',
	'invalid_gzip',
	'body_too_large',
	'invalid_body',
	'missing_parameter',
	'invalid_parameter',
] as const satisfies readonly ApiErrorCode[];

/** The errors of an Idempotency-Key. */
export const IDEMPOTENCY_ERRORS = [
	'invalid_idempotency_key',
	'idempotency_key_reused',
	'request_in_progress',
] as const satisfies readonly ApiErrorCode[];

const ANYWHERE = [
	'api_key_missing',
	'authorization_malformed',
	'api_keys_differ',
	'api_key_invalid',
	'api_key_expired',
	'account_suspended',
	'method_not_allowed',
	'rate_limited',
	'internal_error',
	'upstream_unavailable',
	'misconfigured',
] as const satisfies readonly ApiErrorCode[];

/** The failures of an endpoint that needs a key with a scope. */
export function failures(...codes: readonly ApiErrorCode[]) {
	return failuresOfAnyKey(...codes, 'key_scope');
}

/**
 * The failures of an endpoint, for the OpenAPI document, with an example of each. Beside those named, any endpoint may
 * answer 401, 405, 429, 500 and 503.
 */
export function failuresOfAnyKey(...codes: readonly ApiErrorCode[]) {
	const byStatus = Map.groupBy([...codes, ...ANYWHERE], (code) => ERRORS[code].status);
	const described = [...byStatus].map(([status, those]) => {
		const examples = Object.fromEntries(
			// Two Hosts, and what the framework can not read: described wherever anything is a 400.
			(status === 400 ? [...those, 'bad_request' as const] : those).map((code) => [
				code,
				{ $ref: `#/components/examples/${code}` },
			]),
		);
		const beside = BESIDE[status];
		const response = {
			description: FAILURES[status],
			headers: headers(...(beside === undefined ? [] : [beside])),
			content: { 'application/json': { schema: schemaOf(status), examples } },
		};
		return [status, response] as const;
	});
	return Object.fromEntries(described);
}

function schemaOf(status: ErrorStatus): z.ZodType {
	if (status === 402) return insufficientCredits;
	if (status === 429) return rateLimited;
	return status === 409 ? notReady : failure;
}
