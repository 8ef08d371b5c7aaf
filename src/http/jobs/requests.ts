import { z } from '@hono/zod-openapi';
import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import { requireKind } from '../../core/jobs/kinds/kinds.ts';
import type { JobKind } from '../../core/jobs/kinds/kinds.ts';
import type { Category } from '../../core/rate-limit/window.ts';
import { ServiceError } from '../../errors.ts';
import { sha256Hex } from '../../lib/digest.ts';
import type { KeyedCall } from '../../operations/verify/port.ts';
import { enter } from '../admission.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { refusalOf, REPORTING } from '../on-error.ts';

// Shared by the endpoints of jobs and of tasks.

// Printable ASCII, 1-255 characters. Surrounding spaces are not part of the value (RFC 9110 §5.5).
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
// No accepted key contains it, so that different keys stay different.
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
			description:
				'Makes a retry safe: the same key with the same body gets the first answer again. 1 to 255 printable ASCII characters, kept for 48 hours, and at least as long as results',
			example: 'july-list-1',
		}),
});

/**
 * The header as it is stored, or null without one. Our own keys (`upload …`) contain a plain space, so a caller's
 * stored key never does.
 */
export function readIdempotencyKey(c: AppContext): string | null {
	const key = c.req.header('idempotency-key') ?? null;
	if (key !== null && !IDEMPOTENCY_KEY.test(key))
		throw new ServiceError(
			'invalid_idempotency_key',
			'Idempotency-Key must be 1-255 printable ASCII characters',
			{ details: { param: 'Idempotency-Key' } },
		);
	return key?.replaceAll(' ', STORED_SPACE) ?? null;
}

/**
 * The call under the Idempotency-Key of a request that is answered at once; null without a key.
 *
 * @param endpoint keeps its keys apart from all others: a caller's own contain no plain space
 * @param parameters what the same key must ask for again
 */
export function keyedCall(
	c: AppContext,
	endpoint: 'domains' | 'verify',
	parameters: unknown,
): KeyedCall | null {
	const key = readIdempotencyKey(c);
	if (key === null) return null;
	return { key: `${endpoint} ${key}`, fingerprint: sha256Hex(JSON.stringify(parameters)) };
}

/**
 * Reads a request. One that `read` refuses counts in the window all the same, and a revoked key or a
 * full window comes before the fault of the request.
 */
export async function readCounted<T>(c: AppContext, read: Promise<T>): Promise<T> {
	try {
		return await read;
	} catch (error) {
		if (error instanceof ServiceError) await enter(c, 'default');
		throw error;
	}
}

/** A request whose query was checked: `c.req.valid('query')`. */
export type QueryContext<S extends z.ZodType> = Context<AppEnv, string, { out: { query: z.output<S> } }>;

/** Middleware that checks the query; answers 400 with the first error. */
export function withQuery(schema: z.ZodType): MiddlewareHandler<AppEnv> {
	return zValidator(
		'query',
		schema as z.ZodType<unknown, Record<string, string>>,
		(result) => {
			if (!result.success) throw refusalOf(result.error);
		},
		{ validationFunction: (fields, sent) => fields.safeParse(firstOf(sent), REPORTING) },
	);
}

/** The first of repeated names counts. */
function firstOf(sent: Readonly<Record<string, string | readonly string[]>>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? value : value[0]]),
	);
}

/** Middleware that admits a request about nothing in particular. */
export const entersByDefault: MiddlewareHandler<AppEnv> = async (c, next) => {
	await enter(c, 'default');
	await next();
};

/** Middleware that admits a request about the job or task in the path, with one call to the account. */
export function withRecord(
	category: Category,
	kind: JobKind,
	param: 'jobId' | 'taskId',
): MiddlewareHandler<AppEnv> {
	return async (c, next) => {
		const { job } = await enter(c, category, { jobId: c.req.param(param) ?? '' });
		// The handler calls this, since an invalid query is reported before an unknown id.
		c.set('requireRecord', () => requireKind(job, kind));
		await next();
	};
}
