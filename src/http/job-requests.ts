import { z } from '@hono/zod-openapi';
import type { Category } from '../core/rate-limit/policy.ts';
import { ServiceError } from '../errors.ts';
import type { JobKind, JobRecord } from '../operations/jobs/port.ts';
import type { CreatedJob } from '../operations/jobs/launch-job.ts';
import { enter } from './admission.ts';
import type { AppContext } from './context.ts';
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

/** The query, checked; the first thing that is wrong with it is a 400. */
export function readQuery<S extends z.ZodType>(c: AppContext, schema: S): z.output<S> {
	const query = schema.safeParse(c.req.query());
	if (query.success) return query.data;
	throw refusalOf(query.error, c.req.query());
}

/** The 202. A client that goes away before it has its job all the same. */
export async function answerAccepted(c: AppContext, creating: Promise<CreatedJob>): Promise<Response> {
	c.executionCtx.waitUntil(creating.catch(() => {}));
	const { response, replayed } = await creating;
	if (replayed) c.header('Idempotent-Replayed', 'true');
	return c.body(response, 202, { 'content-type': 'application/json' });
}

/** Lets a request in that is about a job or a task of the caller's account, with one call to the account. */
export async function enterForRecord(
	c: AppContext,
	category: Category,
	{ kind, jobId }: { readonly kind: JobKind; readonly jobId: string | undefined },
): Promise<() => JobRecord> {
	const { job } = await enter(c, category, { jobId: jobId ?? '' });
	// A wrong query is told before a wrong id.
	return () => {
		if (job !== null && job.kind === kind) return job;
		throw kind === 'catchall'
			? new ServiceError('task_not_found', 'There is no such task in this account')
			: new ServiceError('job_not_found', 'There is no such job in this account');
	};
}
