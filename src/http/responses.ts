import { z } from '@hono/zod-openapi';
import { count, jobStatus } from './job-schemas.ts';
import { failure, rateLimited } from './schemas.ts';

/** A 409 names the current status of the job; one about an Idempotency-Key used for another request has none. */
const notReady = z.object({ ...failure.shape, status: jobStatus.optional() }).openapi('NotReady', {
	example: {
		success: false,
		error: 'The job is processing, not completed',
		code: 'job_not_completed',
		requestId: 'req_1f0c',
		status: 'processing',
	},
});

const insufficientCredits = z
	.object({
		...failure.shape,
		required: count.openapi({ description: 'Credits that the work needs' }),
		available: count.openapi({ description: 'Credits that there are' }),
	})
	.openapi('InsufficientCredits', {
		example: {
			success: false,
			error: 'Insufficient credits: 17 required, 5 available',
			code: 'insufficient_credits',
			requestId: 'req_1f0c',
			required: 17,
			available: 5,
		},
	});

const headers = z.object({
	'RateLimit-Limit': z.string().openapi({ description: 'Requests per window' }),
	'RateLimit-Remaining': z.string().openapi({ description: 'Requests left in this window' }),
	'RateLimit-Reset': z.string().openapi({ description: 'Seconds until the window resets' }),
	'X-Request-Id': z.string().openapi({ description: 'Name it when you ask us about a request' }),
});

const retryAfter = z.string().openapi({ description: 'Seconds to wait before trying again' });

/** A JSON response with the headers that every response has. */
export function jsonResponse<S extends z.ZodType>(description: string, schema: S) {
	return { description, headers, content: { 'application/json': { schema } } };
}

/** A response without a body. */
export function emptyResponse(description: string) {
	return { description, headers };
}

/** A CSV file with the same headers and its name. */
export function csvResponse(description: string) {
	const named = headers.extend({
		'Content-Disposition': z.string().openapi({ description: 'The name of the file' }),
	});
	return { description, headers: named, content: { 'text/csv': { schema: z.string() } } };
}

/** A JSON response with Retry-After. */
function laterResponse<S extends z.ZodType>(description: string, schema: S) {
	return { ...jsonResponse(description, schema), headers: headers.extend({ 'Retry-After': retryAfter }) };
}

const FAILURES = {
	400: 'Missing or invalid parameters',
	401: 'API key missing, invalid or revoked',
	402: 'Insufficient credits',
	404: 'Not found in this account',
	409: 'Not in the required state, or an Idempotency-Key used for another request',
	410: 'The results have expired',
	502: 'An upstream service answered nonsense',
	503: 'Temporarily unavailable; Retry-After says when to try again',
} as const;

/** The failures of an endpoint, for the OpenAPI document. Any endpoint may answer 401, 429 and 500. */
export function failures(...statuses: readonly (keyof typeof FAILURES)[]) {
	const named = [401, ...statuses] as const;
	const told = named.map((status) => {
		const respond = status === 503 ? laterResponse : jsonResponse;
		return [status, respond(FAILURES[status], schemaOf(status))] as const;
	});
	return {
		...Object.fromEntries(told),
		429: laterResponse('Rate limit exceeded; wait RateLimit-Reset seconds', rateLimited),
		500: jsonResponse('Our own failure; nothing was charged', failure),
	};
}

function schemaOf(status: number): z.ZodType {
	if (status === 402) return insufficientCredits;
	return status === 409 ? notReady : failure;
}
