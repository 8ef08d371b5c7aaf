import { z } from '@hono/zod-openapi';
import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import { requireKind } from '../core/jobs/kinds/kinds.ts';
import type { JobKind } from '../core/jobs/kinds/kinds.ts';
import type { Category } from '../core/rate-limit/policy.ts';
import { ServiceError } from '../errors.ts';
import type { CreatedJob } from '../operations/jobs/steps/launch-job.ts';
import { enter } from './admission.ts';
import type { AppContext, AppEnv } from './context.ts';
import { refusalOf } from './refusal.ts';

// What the endpoints of jobs and of tasks have in common.

// Printable ASCII, 1-255 characters. Spaces around it are the header's, not its own (RFC 9110 §5.5).
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
// No key that we take holds it, so that two keys stay two.
const STORED_SPACE = '\u00a0';

/** For the OpenAPI document. */
export const idempotencyHeader = z.object({
	'Idempotency-Key': z
		.string()
		.min(1)
		.max(255)
		.regex(/^[ -~]+$/)
		.optional()
		.openapi({
			description: 'Makes a retry safe: the first answer is repeated. Printable ASCII',
			example: 'july-list-1',
		}),
});

/**
 * The header as it is stored, or null where there is none. What we remember under names of our own (`upload …`) holds a
 * plain space, so a caller's never does.
 */
export function readIdempotencyKey(c: AppContext): string | null {
	const key = c.req.header('idempotency-key') ?? null;
	if (key !== null && !IDEMPOTENCY_KEY.test(key))
		throw new ServiceError(
			'invalid_idempotency_key',
			'Idempotency-Key must be 1-255 printable ASCII characters',
		);
	return key?.replaceAll(' ', STORED_SPACE) ?? null;
}

/** A request whose query was checked: `c.req.valid('query')`. */
export type QueryContext<S extends z.ZodType> = Context<AppEnv, string, { out: { query: z.output<S> } }>;

/** Before a handler: checks the query; the first thing that is wrong with it is a 400. */
export function withQuery(schema: z.ZodType): MiddlewareHandler<AppEnv> {
	return zValidator(
		'query',
		schema as z.ZodType<unknown, Record<string, string>>,
		(result) => {
			if (!result.success) throw refusalOf(result.error, result.data);
		},
		{ validationFunction: (fields, sent) => fields.safeParse(firstOf(sent)) },
	);
}

/** Of names that come twice the first one counts. */
function firstOf(sent: Readonly<Record<string, string | readonly string[]>>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? value : value[0]]),
	);
}

/** The 202. A client that goes away before it has its job all the same. */
export async function answerAccepted(c: AppContext, creating: Promise<CreatedJob>): Promise<Response> {
	c.executionCtx.waitUntil(creating.catch(() => {}));
	const { response, replayed } = await creating;
	if (replayed) c.header('Idempotent-Replayed', 'true');
	return c.body(response, 202, { 'content-type': 'application/json' });
}

/** Before a handler: lets a request in about the job or task that the path names, with one call to the account. */
export function withRecord(
	category: Category,
	kind: JobKind,
	param: 'jobId' | 'taskId',
): MiddlewareHandler<AppEnv> {
	return async (c, next) => {
		const { job } = await enter(c, category, { jobId: c.req.param(param) ?? '' });
		// Left to the handler, since a wrong query is told before a wrong id.
		c.set('requireRecord', () => requireKind(job, kind));
		await next();
	};
}
