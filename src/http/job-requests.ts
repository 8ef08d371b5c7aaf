import { z } from '@hono/zod-openapi';
import type { Category } from '../core/rate-limit/policy.ts';
import { ServiceError } from '../errors.ts';
import type { JobKind, JobRecord } from '../operations/jobs/port.ts';
import type { CreatedJob } from '../operations/jobs/launch-job.ts';
import { enter } from './admission.ts';
import type { AppContext } from './context.ts';

// What the endpoints of jobs and of tasks have in common.

// Visible ASCII, 1-255 characters.
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** For the OpenAPI document. */
export const idempotencyHeader = z.object({
	'Idempotency-Key': z
		.string()
		.optional()
		.openapi({ description: 'Makes a retry safe: the first answer is repeated' }),
});

/** The header, or null where there is none. */
export function readIdempotencyKey(c: AppContext): string | null {
	const key = c.req.header('idempotency-key') ?? null;
	if (key !== null && !IDEMPOTENCY_KEY.test(key))
		throw new ServiceError('invalid_request', 'Idempotency-Key has 1-255 visible ASCII characters');
	return key;
}

/** The query, checked; the first thing that is wrong with it is a 400. */
export function readQuery<S extends z.ZodType>(c: AppContext, schema: S): z.output<S> {
	const query = schema.safeParse(c.req.query());
	if (query.success) return query.data;
	throw new ServiceError('invalid_request', query.error.issues[0]?.message ?? 'Invalid query');
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
		const what = kind === 'catchall' ? 'task' : 'job';
		throw new ServiceError('not_found', `There is no such ${what} in this account`);
	};
}
